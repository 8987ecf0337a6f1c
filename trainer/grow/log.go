package grow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/internal/atomicfile"
)

// RoundLine is what the log says of a finished round.
type RoundLine struct {
	Round            int      `json:"round"`
	Seconds          float64  `json:"seconds"` // of all stages so far
	ProcessorSeconds float64  `json:"processor_seconds"`
	Rows             int      `json:"rows"` // that the main nets learned from
	ER               float64  `json:"er"`   // millipoints a decision
	ERSE             float64  `json:"er_se"`
	Within           float64  `json:"within"` // rms equity error within a decision, points
	Points           float64  `json:"points"` // a game less luck
	PointsSE         float64  `json:"points_se"`
	Against          string   `json:"against"`                  // whom
	Others           []Played `json:"others,omitempty"`         // the same against others
	Passed           bool     `json:"passed"`                   // the player is best.safetensors
	Net              string   `json:"net"`                      // its file, in the run's directory
	DecisionsFile    string   `json:"decisions_file,omitempty"` // that er and within are of
	Noise            []Noise  `json:"noise,omitempty"`
	Bias             []Bias   `json:"bias,omitempty"`
}

// Decision is what measurements changed for the next round, or that the run ends.
type Decision struct {
	Round    int    `json:"round"` // after which it was made
	Decision string `json:"decision"`
	From     any    `json:"from,omitempty"` // a number or a text
	To       any    `json:"to,omitempty"`
	Reason   string `json:"reason"`
}

// Log is what a run has written to grow.jsonl.
type Log struct {
	Rounds    []RoundLine
	Decisions []Decision
}

// endDecision is the Decision that a run ends.
const endDecision = "end"

// End returns the decision that ended the run, nil where it has not ended.
func (l *Log) End() *Decision {
	if i := slices.IndexFunc(l.Decisions, func(d Decision) bool { return d.Decision == endDecision }); i >= 0 {
		return &l.Decisions[i]
	}
	return nil
}

// LogFile is the name of the log in a run's directory.
const LogFile = "grow.jsonl"

// ReadLog reads the log of the run in a directory.
func ReadLog(dir string) (*Log, error) {
	path := filepath.Join(dir, LogFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	log := &Log{}
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		var d Decision
		err := json.Unmarshal(line, &d)
		if err == nil && d.Decision != "" {
			log.Decisions = append(log.Decisions, d)
			continue
		}
		var r RoundLine
		if err == nil {
			err = json.Unmarshal(line, &r)
		}
		if err != nil {
			return nil, fmt.Errorf("read log %s:%d: %w", path, i+1, err)
		}
		log.Rounds = append(log.Rounds, r)
	}
	return log, nil
}

// write replaces the log of a directory: each round and what was decided after it.
func (l *Log) write(dir string) error {
	return atomicfile.Write(filepath.Join(dir, LogFile), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		for i := range l.Rounds {
			if err := enc.Encode(&l.Rounds[i]); err != nil {
				return err
			}
			for k := range l.Decisions {
				if d := &l.Decisions[k]; d.Round == l.Rounds[i].Round {
					if err := enc.Encode(d); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// String is the line for people.
func (l *RoundLine) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d, %.0f s: %d rows", l.Round, l.Seconds, l.Rows)
	if l.ERSE > 0 {
		fmt.Fprintf(&b, ", ER %.2f ± %.2f, within %.4f", l.ER, l.ERSE, l.Within)
	}
	fmt.Fprintf(&b, ", %+.4f ± %.4f against %s", l.Points, l.PointsSE, l.Against)
	for _, o := range l.Others {
		fmt.Fprintf(&b, ", %+.4f ± %.4f against %s", o.Points.Mean, o.Points.SE, o.Against)
	}
	if !l.Passed {
		b.WriteString(", not passed")
	}
	return b.String()
}

// String is the line for people.
func (d *Decision) String() string {
	if d.To == nil {
		return d.Decision + ": " + d.Reason
	}
	return fmt.Sprintf("%s from %v to %v: %s", d.Decision, d.From, d.To, d.Reason)
}
