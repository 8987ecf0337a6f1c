package grow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/nets"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/internal/stats"
)

// Comparison is what the second of two runs gained over the first.
type Comparison struct {
	Changed []string   `json:"changed"` // lines of the recipes that were given
	Seconds [2]float64 `json:"seconds"`
	// Of all processors: it depends less on what else the machine did.
	ProcessorSeconds [2]float64 `json:"processor_seconds"`
	Points           stats.Stat `json:"points"` // a game less luck, of the second's player against the first's
	Sets             []SetGain  `json:"decisions"`

	dirs [2]string
}

// SetGain is what the second run's player gained on the decisions of a run, which the
// nets of that run have not learned from. Differences are paired.
type SetGain struct {
	Of        string     `json:"of"`        // the run's directory
	Decisions int        `json:"decisions"` // in its newest file
	ER        stats.Stat `json:"er"`        // second less first, millipoints a decision
	Within    stats.Stat `json:"within"`    // second less first, points
}

// CompareSettings describe how two runs are compared.
type CompareSettings struct {
	Games   int // that their players play against each other
	Workers int // which change no result
}

// List returns each setting: its flag, what it may be, what it does.
func (s *CompareSettings) List() setting.List {
	return setting.List{
		{Name: "games", To: &s.Games, Range: setting.From(2, most),
			Help: "with --compare: games that their players play against each other"},
		parallel.Setting(&s.Workers),
	}
}

// Compare compares the best players of two runs: by games against each other, and on
// the newest decisions of either run.
func Compare(ctx context.Context, dirs [2]string, s CompareSettings) (*Comparison, error) {
	c := &Comparison{dirs: dirs}
	db, err := bearoff.Open(ctx, bearoff.Options{})
	if err != nil {
		return nil, err
	}
	var players [2]*opponents.NetPlayer
	var given [2]string
	for i, dir := range dirs {
		log, err := ReadLog(dir)
		if err != nil {
			return nil, err
		}
		if len(log.Rounds) > 0 {
			last := &log.Rounds[len(log.Rounds)-1]
			c.Seconds[i], c.ProcessorSeconds[i] = last.Seconds, last.ProcessorSeconds
		}
		text, err := os.ReadFile(filepath.Join(dir, givenFile))
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		given[i] = string(text)
		net, err := nets.Read(filepath.Join(dir, BestFile))
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		p, err := player.New(net, db, player.Options{})
		if err != nil {
			return nil, err
		}
		players[i] = &opponents.NetPlayer{Net: p, Label: dir}
	}
	c.Changed = changed(given[0], given[1])
	m, err := match.Play(ctx, players[1], players[0], match.Options{Games: s.Games, Seed: 1, Workers: s.Workers,
		Luck: players[1].Net})
	if err != nil {
		return nil, err
	}
	c.Points = *m.Summary().Adjusted
	for _, dir := range dirs {
		gain, err := gainOn(ctx, dir, players, s.Workers)
		if err != nil {
			return nil, err
		}
		if gain != nil {
			c.Sets = append(c.Sets, *gain)
		}
	}
	return c, nil
}

// gainOn compares two players on the decisions of a run, nil where it has none.
func gainOn(ctx context.Context, dir string, players [2]*opponents.NetPlayer, workers int) (*SetGain, error) {
	path, err := newestDecisions(dir)
	if err != nil || path == "" {
		return nil, err
	}
	f, err := bm.ReadFile(path, bm.ReadOptions{})
	if err != nil {
		return nil, err
	}
	o := score.Options{Workers: workers}
	var scores [2]*score.Score
	var errs [2]*score.EquityErrors
	for i, p := range players {
		if scores[i], err = score.File(ctx, p, f, o); err != nil {
			return nil, err
		}
		if errs[i], err = score.Equities(ctx, p, f, o); err != nil {
			return nil, err
		}
	}
	var t stats.Tally
	for i := range f.Records {
		t.Add(scores[1].Decisions[i].Loss - scores[0].Decisions[i].Loss)
	}
	return &SetGain{Of: dir, Decisions: t.N, ER: t.Stat().Scaled(1000),
		Within: errs[1].WithinLess(errs[0], func(int) bool { return true })}, nil
}

// newestDecisions returns the file of the newest decisions of a run, "" where it has none.
func newestDecisions(dir string) (string, error) {
	log, err := ReadLog(dir)
	if err != nil {
		return "", err
	}
	for i := len(log.Rounds) - 1; i >= 0; i-- {
		if name := log.Rounds[i].DecisionsFile; name != "" {
			return filepath.Join(dir, name), nil
		}
	}
	return "", nil
}

// changed returns the lines of two recipes that differ, as "- old" and "+ new".
func changed(a, b string) (out []string) {
	for _, d := range Differences([]string{a, b}) {
		for i, line := range d.Lines {
			if line != "" {
				out = append(out, []string{"- ", "+ "}[i]+line)
			}
		}
	}
	return out
}
