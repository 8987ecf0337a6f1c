package grow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer/fit"
	"bgtrain/trainer/td"
)

// rates are seconds of this machine for a unit of Stage.Work, by kind.
type rates struct{ game, position, ply, step float64 }

// of returns the seconds of a unit of a kind's work: games, positions, plies of
// followed trials with variance reduction, and rows learned from.
func (r *rates) of(k Kind) float64 {
	switch k {
	case KindTD:
		return r.game
	case KindPositions, KindValues:
		return r.position
	case KindTrain, KindPrune:
		return r.step
	case KindLabels, KindDecisions, KindMeasure, KindGames, KindCube:
		return r.ply
	}
	return 0
}

// calibrateFor is how long each rate is measured.
const calibrateFor = 700 * time.Millisecond

// calibrate measures the rates with nets of the recipe's sizes, on positions of the
// embedded net td, which plays as one that has learned does.
func (g *grower) calibrate(ctx context.Context) (*rates, error) {
	known, err := data.OpenNet("td")
	if err != nil {
		return nil, err
	}
	db, err := bearoff.Open(ctx, bearoff.Options{})
	if err != nil {
		return nil, err
	}
	wide, err := g.wide(known)
	if err != nil {
		return nil, err
	}
	p, err := player.New(wide, db, player.Options{})
	if err != nil {
		return nil, err
	}
	s := selfplay.Defaults
	s.Workers = g.o.Workers
	s.Quota[bg.Contact] = 3000
	r := &rates{}
	var found []selfplay.Found
	if r.position, err = g.perUnit(func() (int, error) {
		s.Seed++
		found, _, err = selfplay.Generate(ctx, p, s, selfplay.Hooks{})
		return len(found), err
	}); err != nil {
		return nil, err
	}
	if r.ply, err = g.timePlies(ctx, p, db, found); err != nil {
		return nil, err
	}
	if r.game, err = g.timeGames(ctx, wide, db); err != nil {
		return nil, err
	}
	r.step, err = g.timeSteps(ctx, found)
	return r, err
}

// perUnit returns the seconds of a unit of work, which describes how many it did: those of
// a machine that does nothing else, by the time of the processors, where that is known.
func (g *grower) perUnit(work func() (int, error)) (float64, error) {
	begun, processor, units := time.Now(), processorTime(), 0
	for time.Since(begun) < calibrateFor {
		n, err := work()
		if err != nil {
			return 0, fmt.Errorf("calibrate: %w", err)
		}
		units += n
	}
	took := time.Since(begun)
	if alone := (processorTime() - processor) / time.Duration(parallel.Workers(g.o.Workers)); alone > 0 {
		took = min(took, alone)
	}
	return took.Seconds() / float64(max(units, 1)), nil
}

// wide returns nets that play as those known do, with as many weights as the recipe's.
func (g *grower) wide(known *nets.Set) (*nets.Set, error) {
	if g.from != nil {
		return g.from, nil
	}
	out := known.Clone()
	for _, role := range nets.Main {
		e := out.Nets[role]
		weights, in := 0, e.Net.Inputs()
		for _, n := range append(slices.Clone(g.r.startNet(role).Hidden), bg.NumOutputs) {
			weights += in * n
			in = n
		}
		hidden := weights / (e.Net.Inputs() + bg.NumOutputs)
		if hidden <= e.Net.Layers[0].Out {
			continue
		}
		n, err := nets.Widen(rand.New(rand.NewPCG(1, 1)), e.Net, 0, hidden)
		if err != nil {
			return nil, err
		}
		out.Nets[role] = &nets.Entry{Net: n, Inputs: e.Inputs, InputsVersion: e.InputsVersion}
	}
	return out, nil
}

// timePlies measures a ply of a followed trial whose luck pruning nets help to measure.
func (g *grower) timePlies(ctx context.Context, p *player.Player, db *bearoff.DB, found []selfplay.Found) (float64,
	error) {
	set, err := features.ByName("gnubg-prune")
	if err != nil {
		return 0, err
	}
	small := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, role := range nets.Main {
		n := nets.Random(rand.New(rand.NewPCG(1, 2)), nets.ByInputs, nn.Sigmoid, set.Size, 16, bg.NumOutputs)
		small.Nets[role] = &nets.Entry{Net: n, Inputs: set.Name, InputsVersion: set.Version}
	}
	o := rollout.DefaultOptions()
	if o.Small, err = player.New(small, db, player.Options{}); err != nil {
		return 0, err
	}
	e, err := rollout.NewEngine(p, o)
	if err != nil {
		return 0, err
	}
	work := make([]func(context.Context, []dataset.Row) ([]dataset.Row, error), parallel.Workers(g.o.Workers))
	next := 0
	return g.perUnit(func() (int, error) {
		const some = 40
		first := next
		next += some
		err := parallel.For(ctx, len(work), some, func(w, i int) error {
			if work[w] == nil {
				work[w] = e.NewFollow(0.7)
			}
			_, err := work[w](ctx, []dataset.Row{{Key: found[(first+i)%len(found)].Key}})
			return err
		})
		return some * o.Truncate, err
	})
}

// timeGames measures TD games.
func (g *grower) timeGames(ctx context.Context, from *nets.Set, db *bearoff.DB) (float64, error) {
	s := td.Defaults()
	s.Workers, s.Games = g.o.Workers, 1
	st, err := td.From(from, s)
	if err != nil {
		return 0, err
	}
	return g.perUnit(func() (int, error) {
		const some = 64
		s.Games += some
		return some, td.Run(ctx, st, db, s, nil)
	})
}

// timeSteps measures rows that the contact net learns from.
func (g *grower) timeSteps(ctx context.Context, found []selfplay.Found) (float64, error) {
	st, err := td.New(g.r.startSettings(nets.Contact))
	if err != nil {
		return 0, err
	}
	e := st.Nets.Nets[nets.Contact]
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		return 0, err
	}
	now := g.r.first()
	if err := now.apply(&g.r.Rounds[0]); err != nil {
		return 0, err
	}
	s := now.Training.Settings.Settings
	s.Epochs, s.Workers, s.Monitor, s.Validation = 1, g.o.Workers, "last", 0
	return g.perUnit(func() (int, error) {
		data := fit.NewData(0)
		for _, f := range found {
			if err := data.Add(fit.Example{Key: f.Key, Target: bg.Outputs{0.5, 0.1, 0, 0.1, 0}, Weight: 1}); err != nil {
				return 0, err
			}
		}
		_, _, err := fit.Run(ctx, e.Net, set, data, s, fit.Hooks{})
		return len(found), err
	})
}
