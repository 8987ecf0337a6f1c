package makebm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
)

// Given is decisions that are there already, with their candidates, to be rolled
// out: those of recorded matches, or of another benchmark.
type Given struct {
	decisions []decision
	seen      map[play]bool
	left      int
	plays     bg.Plays
}

// ReadGiven reads the decisions of benchmark files; see Add for exclude. Errors begin
// with file and line.
func ReadGiven(paths []string, exclude func(bg.Key) bool) (*Given, error) {
	g := &Given{}
	for _, path := range paths {
		f, err := bm.ReadFile(path, bm.ReadOptions{})
		if err != nil {
			return nil, err
		}
		for i := range f.Records {
			if err := g.Add(&f.Records[i], exclude); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, f.Records[i].Line, err)
			}
		}
	}
	if n, left := g.Count(); n == 0 {
		return nil, fmt.Errorf("%s: no decision to roll out (%d left out)", strings.Join(paths, ", "), left)
	}
	return g, nil
}

// Add takes a record's decision and candidates in; its losses do not matter. It is
// left out where there is nothing to choose, it was there before, or exclude, which
// may be nil, shows that a position before or after the play is not wanted.
func (g *Given) Add(r *bm.Record, exclude func(bg.Key) bool) error {
	if len(r.Candidates) > MaxGiven {
		return fmt.Errorf("%d candidates, at most %d expected", len(r.Candidates), MaxGiven)
	}
	b, err := r.Key.Board()
	if err != nil {
		return err
	}
	legal := g.plays.Generate(&b, max(r.Dice[0], r.Dice[1]), min(r.Dice[0], r.Dice[1]))
	d := decision{Key: r.Key, Dice: r.Dice}
	unwanted := exclude != nil && exclude(r.Key)
	for i := range r.Candidates {
		after, err := r.Candidates[i].Key.Board()
		if err != nil {
			return fmt.Errorf("candidate %d: %w", i+1, err)
		}
		if !slices.Contains(legal, after) {
			return fmt.Errorf("candidate %d: %w of %d%d", i+1, bg.ErrIllegalPlay, r.Dice[0], r.Dice[1])
		}
		d.Candidates = append(d.Candidates, r.Candidates[i].Key)
		unwanted = unwanted || exclude != nil && exclude(r.Candidates[i].Key)
	}
	if unwanted || len(d.Candidates) < 2 || g.seen[d.play()] {
		g.left++
		return nil
	}
	if g.seen == nil {
		g.seen = map[play]bool{}
	}
	g.seen[d.play()] = true
	g.decisions = append(g.decisions, d)
	return nil
}

// MaxGiven is the largest number of candidates of a decision that is given.
const MaxGiven = 64

// Count returns the number of decisions, and of those that were left out.
func (g *Given) Count() (decisions, left int) { return len(g.decisions), g.left }

// Candidates returns the largest number of candidates that a decision has.
func (g *Given) Candidates() int {
	most := 0
	for i := range g.decisions {
		most = max(most, len(g.decisions[i].Candidates))
	}
	return most
}

// Describe states which decisions they are, as text.
func (g *Given) Describe() string {
	h := sha256.New()
	for i := range g.decisions {
		d := &g.decisions[i]
		fmt.Fprintf(h, "%s %d %d %v\n", d.Key, d.Dice[0], d.Dice[1], d.Candidates)
	}
	return fmt.Sprintf("%d decisions given, digest %x", len(g.decisions), h.Sum(nil)[:8])
}

// RollOut makes the records of a benchmark from decisions that are given: their
// candidates are rolled out, all of them. The journal must be of OpenJournal with them.
func RollOut(ctx context.Context, g *Given, ro Rollouts, h Hooks) ([]bm.Record, Report, error) {
	if len(g.decisions) == 0 {
		return nil, Report{}, errors.New("no decision to roll out")
	}
	m := &maker{newSearch(&Settings{}, &h, h.Journal)}
	for i := range g.decisions {
		b, err := g.decisions[i].Key.Board()
		if err != nil {
			return nil, Report{}, err
		}
		m.classes[bg.Classify(&b)]++
	}
	if err := m.roll(ctx, ro); err != nil {
		return nil, Report{}, err
	}
	records, report := m.records(ro.Job.Settings.Rollout.Seed)
	return records, report, nil
}
