package makebm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/journal"
)

// Journal keeps the decisions and rollouts of a run on disk while it goes on. Its
// records:
//
//	g N d KEY die1 die2 KEY KEY … d …   the decisions that the games up to number N
//	                                    added, each with its candidates
//	c I K p1 p2 p3 p4 p5 SE N           candidate K of decision I, both from 0:
//	                                    outputs with the opponent on roll, standard
//	                                    error of the equity of the best one, of the
//	                                    difference to it of the others, trials
type Journal struct {
	j         *journal.Journal
	games     int
	decisions []decision
	results   map[candidate]*result
}

// candidate names a candidate: the number of its decision and its own there.
type candidate struct{ decision, index int }

// result is the rollout of a candidate.
type result struct {
	Outputs bg.Outputs // as the opponent, who is on roll, sees them
	SE      float64    // of the difference to the best, of the best the equity's, points; 0 where exact
	Trials  int        // 0 where exact
}

// OpenJournal opens or begins the journal of a run; id is what its records depend on, the
// decisions too, where they are given (else nil).
func OpenJournal(path string, id identity.ID, given *Given) (*Journal, error) {
	j := &Journal{results: map[candidate]*result{}}
	if given != nil {
		j.decisions = given.decisions
	}
	var err error
	if j.j, err = journal.Open(path, "makebm", id, j.replay); err != nil {
		return nil, err
	}
	return j, nil
}

// replay takes in a record.
func (j *Journal) replay(record string) error {
	f := strings.Split(record, " ")
	switch f[0] {
	case "g":
		return j.readRound(f[1:])
	case "c":
		return j.readResult(f[1:])
	}
	return fmt.Errorf("unknown record %q", f[0])
}

// readRound takes in the fields of a g record.
func (j *Journal) readRound(f []string) error {
	n, err := parseInts(f[:min(len(f), 1)], 1)
	if err != nil || n[0] < j.games {
		return fmt.Errorf("number of games, at least %d, expected: %q", j.games, f)
	}
	var found []decision
	for f = f[1:]; len(f) > 0; {
		end := 1 + slices.Index(append(f[1:len(f):len(f)], "d"), "d")
		if f[0] != "d" {
			return fmt.Errorf("decision expected: %q", f[0])
		}
		d, err := parseDecision(f[1:end])
		if err != nil {
			return err
		}
		found, f = append(found, d), f[end:]
	}
	j.games, j.decisions = n[0], append(j.decisions, found...)
	return nil
}

func parseDecision(f []string) (decision, error) {
	var d decision
	if len(f) < 5 || len(f) > 3+maxCandidates {
		return d, fmt.Errorf("decision of %d fields", len(f))
	}
	var err error
	if d.Key, err = bg.ParseKey(f[0]); err != nil {
		return d, err
	}
	dice, err := parseInts(f[1:3], 2)
	if err != nil || max(dice[0], dice[1]) > 6 || min(dice[0], dice[1]) < 1 {
		return d, fmt.Errorf("dice expected: %q", f[1:3])
	}
	d.Dice = [2]int(dice)
	d.Candidates = make([]bg.Key, len(f)-3)
	for i := range d.Candidates {
		if d.Candidates[i], err = bg.ParseKey(f[3+i]); err != nil {
			return d, err
		}
	}
	return d, nil
}

// readResult takes in the fields of a c line.
func (j *Journal) readResult(f []string) error {
	if len(f) != 2+bg.NumOutputs+2 {
		return fmt.Errorf("rollout of %d fields", len(f))
	}
	at, err := parseInts(f[:2], 2)
	if err != nil {
		return err
	}
	c := candidate{at[0], at[1]}
	if c.decision >= len(j.decisions) || c.index >= len(j.decisions[c.decision].Candidates) {
		return fmt.Errorf("rollout of candidate %d of decision %d, which is not known", c.index, c.decision)
	}
	r := &result{}
	for i := range r.Outputs {
		p, err := strconv.ParseFloat(f[2+i], 32)
		if err != nil || !(p >= 0 && p <= 1) {
			return fmt.Errorf("probability expected: %q", f[2+i])
		}
		r.Outputs[i] = float32(p)
	}
	if r.SE, err = strconv.ParseFloat(f[7], 64); err != nil || !(r.SE >= 0) || !isFinite(r.SE) {
		return fmt.Errorf("standard error expected: %q", f[7])
	}
	trials, err := parseInts(f[8:], 1)
	if err != nil {
		return err
	}
	r.Trials = trials[0]
	j.results[c] = r
	return nil
}

// parseInts parses n numbers that are not negative.
func parseInts(f []string, n int) ([]int, error) {
	if len(f) != n {
		return nil, fmt.Errorf("%d numbers, %d expected", len(f), n)
	}
	out := make([]int, n)
	for i := range f {
		v, err := strconv.Atoi(f[i])
		if err != nil || v < 0 {
			return nil, fmt.Errorf("number expected: %q", f[i])
		}
		out[i] = v
	}
	return out, nil
}

// Name returns the journal's file name.
func (j *Journal) Name() string { return j.j.Name() }

// Done returns the numbers of decisions and of rolled-out candidates so far.
func (j *Journal) Done() (decisions, candidates int) { return len(j.decisions), len(j.results) }

// result returns what is known of a candidate, or nil.
func (j *Journal) result(c candidate) *result { return j.results[c] }

// addRound adds the decisions found in the games up to number games.
func (j *Journal) addRound(games int, found []decision) error {
	text := fmt.Sprintf("g %d", games)
	for i := range found {
		d := &found[i]
		text += fmt.Sprintf(" d %s %d %d", d.Key, d.Dice[0], d.Dice[1])
		for _, k := range d.Candidates {
			text += " " + k.String()
		}
	}
	j.games, j.decisions = games, append(j.decisions, found...)
	return j.j.Add(text)
}

// addResult adds the rollout of a candidate.
func (j *Journal) addResult(c candidate, r *result) error {
	text := fmt.Sprintf("c %d %d", c.decision, c.index)
	for _, p := range r.Outputs {
		text += " " + strconv.FormatFloat(float64(p), 'g', -1, 32)
	}
	text += fmt.Sprintf(" %s %d", strconv.FormatFloat(r.SE, 'g', -1, 64), r.Trials)
	j.results[c] = r
	return j.j.Add(text)
}

// Close closes the journal; it stays on disk.
func (j *Journal) Close() error { return j.j.Close() }

// Remove closes the journal and removes it: the run is finished.
func (j *Journal) Remove() error { return j.j.Remove() }
