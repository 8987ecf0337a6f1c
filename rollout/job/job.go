package job

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/label"
)

// Work turns rows of a database into rows of another one: the same, filled in, or,
// where Job.Grows is set, others. It belongs to one goroutine, may change the rows
// that it gets, and must not depend on anything but them.
type Work func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error)

// Job is what is computed.
type Job struct {
	Settings Settings
	ID       identity.ID // what its rows depend on besides the input
	Nets     Nets        // that the settings name

	New   func() Work // for one more goroutine
	Block int         // rows that a Work is best given at a time; 0 is 1
	Grows bool        // parts may have more rows than their chunks

	// Check, if not nil, reports what is wrong with a row made, its source as it was, besides
	// dataset.CheckRow.
	Check func(row *dataset.Row) error

	Player *player.Player  // nil in tests
	Engine *rollout.Engine // nil but for rollouts
}

// Nets are the nets that jobs need, by fingerprint.
type Nets map[string]*nets.Set

// Add adds nets, those of a nets.Mean one by one, and returns their fingerprint; "" for nil.
func (n Nets) Add(s *nets.Set) string {
	if s == nil {
		return ""
	}
	print := s.Fingerprint()
	n[Fingerprints(print)[0]] = s.Own()
	for _, other := range s.Others {
		n.Add(other)
	}
	return print
}

// Get returns the nets with a fingerprint, and whether all are there.
func (n Nets) Get(print string) (*nets.Set, bool) {
	var sets []*nets.Set
	for _, one := range Fingerprints(print) {
		s, ok := n[one]
		if !ok {
			return nil, false
		}
		sets = append(sets, s)
	}
	return nets.Mean(sets...), true
}

// Fingerprints returns those of the players of a nets.Mean, or the only one.
func Fingerprints(print string) []string { return strings.Split(print, "+") }

// AutoCache is the size of the position cache, in MiB, that leaves it to Open: none
// where positions hardly come again, at 0-ply, which is faster then.
const AutoCache = -1

const defaultCache = 256

// Open returns the job that settings describe. The size of the cache does not
// change its results.
func Open(ctx context.Context, s Settings, have Nets, cacheMB int) (*Job, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	switch deep, _ := s.deepest(); {
	case deep == 0 && (cacheMB < 0 || s.Kind == Label): // values alone are asked for once
		cacheMB = 0
	case cacheMB < 0:
		cacheMB = defaultCache
	}
	p, err := s.Player.Open(ctx, have, cacheMB)
	if err != nil {
		return nil, err
	}
	j := &Job{Settings: s, ID: s.Identity(), Nets: have, Player: p}
	if s.Kind == Label {
		j.New, j.Block = func() Work { return label.New(p, s.Ply).Rows }, 16
		if s.Ply == 0 {
			j.Block = 512 // nets take them in batches
		}
		return j, nil
	}
	o := s.Rollout
	if s.SmallNet != "" {
		small, ok := have[s.SmallNet]
		if !ok {
			return nil, fmt.Errorf("net %s, to measure luck with, is not there", s.SmallNet)
		}
		if o.Small, err = player.New(small, p.Bearoff(), player.Options{}); err != nil {
			return nil, fmt.Errorf("small nets: %w", err)
		}
	}
	if s.Kind == Cubes {
		return j, j.openCubes(o, s.Cube)
	}
	if s.Kind == Trials {
		return j, j.openTrials(o, s.Cube)
	}
	if j.Engine, err = rollout.NewEngine(p, o); err != nil {
		return nil, err
	}
	switch s.Kind {
	case Follow:
		j.New, j.Grows = func() Work { return keepPlans(j.Engine.NewFollow(s.Lambda, s.Ends), s.Plans) }, true
	case Compare:
		j.New, j.Block = func() Work { return j.Engine.NewCompareWork(s.Group) }, s.Group
	default:
		j.New = func() Work { return j.Engine.NewWork() }
	}
	return j, nil
}

// keepPlans returns work whose rows a filter has gone through.
func keepPlans(work Work, f bg.PlanFilter) Work {
	if f == (bg.PlanFilter{}) {
		return work
	}
	return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
		out, err := work(ctx, rows)
		if err != nil {
			return nil, err
		}
		return slices.DeleteFunc(out, func(r dataset.Row) bool {
			b, err := r.Key.Board()
			return err != nil || !f.Keeps(&b)
		}), nil
	}
}
