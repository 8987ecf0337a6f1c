package score

import (
	"context"
	"fmt"
	"io"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bg"
	"bgtrain/internal/splitmix"
	"bgtrain/internal/stats"
)

// Decision is what a player did with a Record.
type Decision struct {
	Chosen bg.Key
	Loss   float64 // points; that of the chosen candidate, or Record.OutLoss
	Out    bool    // the chosen play is not among the candidates
}

// Score is a player's result on a benchmark file.
type Score struct {
	File      *bm.File
	Player    string
	Decisions []Decision // of File.Records, in their order
}

// Summary is what is reported of a set of decisions.
type Summary struct {
	Decisions int
	ER        stats.Stat // mean loss per decision × 1000, with its standard error
	Total     float64    // points lost in all
	Wrong     int        // decisions that lost something
	Out       int        // decisions whose play is not among the candidates
}

// Options describe how decisions or positions are gone through.
type Options struct {
	Workers  int                   // goroutines, 0: one a processor
	Progress func(done, total int) // may be nil. Called by one goroutine at a time; done only grows
}

// File lets a player decide all records of a file. The result does not
// depend on the number of workers.
func File(ctx context.Context, p opponents.Player, f *bm.File, o Options) (*Score, error) {
	s := &Score{File: f, Player: p.Name(), Decisions: make([]Decision, len(f.Records))}
	ms := opponents.NewPool(p, o.Workers)
	defer ms.Close()
	err := eachRecord(ctx, ms, f, o, func(m opponents.Mover, i int) (err error) {
		s.Decisions[i], err = decide(m, &f.Records[i], i)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// decide lets a mover decide record number i.
func decide(m opponents.Mover, r *bm.Record, i int) (Decision, error) {
	b, err := r.Key.Board()
	if err != nil {
		return Decision{}, err
	}
	opponents.StartGame(m, splitmix.Seed(uint64(i)))
	after, err := m.Play(&b, r.Dice[0], r.Dice[1])
	if err != nil {
		return Decision{}, err
	}
	d := Decision{Chosen: after.Key()}
	if c := r.Find(d.Chosen); c != nil {
		d.Loss = c.Loss
	} else {
		d.Loss, d.Out = r.OutLoss(), true
	}
	return d, nil
}

// Summary sums all decisions up.
func (s *Score) Summary() Summary {
	return s.SummaryOf(Every)
}

// SummaryOf sums the decisions up for which include, given the index of the
// record, returns true.
func (s *Score) SummaryOf(include func(i int) bool) Summary {
	var sum Summary
	var t stats.Tally
	for i := range s.Decisions {
		if !include(i) {
			continue
		}
		d := &s.Decisions[i]
		t.Add(d.Loss)
		sum.Total += d.Loss
		if d.Loss > 0 {
			sum.Wrong++
		}
		if d.Out {
			sum.Out++
		}
	}
	sum.Decisions, sum.ER = t.N, t.Stat().Scaled(1000)
	return sum
}

// WriteLosses writes a line a decision: key, dice, chosen key, loss in points,
// and "out" or "in".
func (s *Score) WriteLosses(w io.Writer) error {
	for i := range s.Decisions {
		r, d := &s.File.Records[i], &s.Decisions[i]
		in := "in"
		if d.Out {
			in = "out"
		}
		if _, err := fmt.Fprintf(w, "%s %d %d %s %g %s\n", r.Key, r.Dice[0], r.Dice[1], d.Chosen, d.Loss,
			in); err != nil {
			return err
		}
	}
	return nil
}
