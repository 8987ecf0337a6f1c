package td

import (
	"context"
	"fmt"
	"math"

	"bgtrain/features"
	"bgtrain/internal/backprop"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
)

// memory holds the positions valued last, and the state of the optimizer that learns
// from them.
type memory struct {
	items []step
	next  int // index of the oldest, once there is no more room

	adamStep      int64
	first, second []float32 // Adam's moments, in the stepper's layout
}

// add adds a position to a memory of at most size.
func (m *memory) add(item step, size int) {
	if len(m.items) < size {
		m.items = append(m.items, item)
		return
	}
	m.items[m.next] = item
	m.next = (m.next + 1) % size
}

// newStepper makes what learns in minibatches.
func (r *runner) newStepper() error {
	e := r.st.Nets.Nets[nets.Contact]
	loss := backprop.Loss{Kind: backprop.CrossEntropy}
	for _, o := range r.s.outputs() {
		loss.Outputs[o] = 1
	}
	stepper, err := backprop.New(e.Net, backprop.Options{Batch: r.s.Minibatch, Workers: r.workers, Loss: loss,
		Optimizer: backprop.Optimizer{Kind: backprop.Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}})
	if err != nil {
		return err
	}
	m := &r.st.memory
	if m.adamStep > 0 {
		if len(m.first) != len(stepper.First) || len(m.second) != len(stepper.Second) {
			stepper.Close()
			return fmt.Errorf("moments of %d weights, %d expected", len(m.first), len(stepper.First))
		}
		copy(stepper.First, m.first)
		copy(stepper.Second, m.second)
		stepper.Step = m.adamStep
	}
	m.first, m.second = stepper.First, stepper.Second
	if r.set, err = features.Lookup(e.Inputs, e.InputsVersion); err != nil {
		stepper.Close()
		return err
	}
	r.stepper = stepper
	return nil
}

// remember plays a round of games by the estimators and learns from the memory.
func (r *runner) remember(ctx context.Context) (Point, error) {
	first, n := r.st.Games, min(r.s.RoundGames, r.s.Games-r.st.Games)
	p, err := player.New(r.st.Nets, r.db, player.Options{})
	if err != nil {
		return Point{}, err
	}
	players := make([]*gamePlayer, r.workers)
	err = parallel.For(ctx, r.workers, n, func(worker, i int) error {
		if players[worker] == nil {
			players[worker] = &gamePlayer{ev: p.NewEvaluator()}
		}
		rng := splitmix.Rand(r.s.Seed, uint64(first+i))
		var err error
		r.games[i], err = players[worker].playEstimated(ctx, rng, r.s.estimator(first+i), r.games[i][:0])
		return err
	})
	if err != nil {
		return Point{}, err
	}
	positions := 0
	for _, g := range r.games[:n] {
		for i := range g {
			r.st.memory.add(g[i], r.s.Replay)
		}
		positions += len(g)
	}
	squares := r.learnMemory(first)
	r.st.Games += n
	return Point{Games: r.st.Games, Of: r.s.Games, Positions: positions, Alpha: r.s.AdamRate,
		RMS: math.Sqrt(squares)}, nil
}

// learnMemory trains on minibatches drawn from the memory and returns the mean of
// the squared equity errors. first is the number of the round's first game.
func (r *runner) learnMemory(first int) float64 {
	rng := splitmix.Rand(r.s.Seed, math.MaxUint64/3+uint64(first))
	rows := &memoryRows{set: r.set, drawn: make([]*step, r.s.Minibatch)}
	squares, n := 0.0, 0
	for range r.s.Minibatches {
		for i := range rows.drawn {
			rows.drawn[i] = &r.st.memory.items[rng.IntN(len(r.st.memory.items))]
		}
		r.stepper.Train(rows, len(rows.drawn), r.s.AdamRate)
		if r.s.Symmetric {
			net := r.stepper.Net()
			project(net)
			r.stepper.SetNet(net)
		}
		for i := range rows.drawn {
			p, t, _ := r.stepper.Output(i)
			d := float64(p.Equity() - t.Equity())
			squares += d * d
			n++
		}
	}
	copyNet(r.st.Nets.Nets[nets.Contact], &nets.Entry{Net: r.stepper.Net()})
	r.st.memory.adamStep = r.stepper.Step
	return squares / float64(n)
}

// memoryRows gives the stepper a minibatch.
type memoryRows struct {
	set   *features.Set
	drawn []*step
}

// Fetch implements backprop.Rows.
func (m *memoryRows) Fetch(lo, n int) {}

// Row implements backprop.Rows.
func (m *memoryRows) Row(i int, x []float32, t *bg.Outputs) ([]float32, float32) {
	m.set.Encode(&m.drawn[i].board, x)
	*t = m.drawn[i].target
	return x, 1
}
