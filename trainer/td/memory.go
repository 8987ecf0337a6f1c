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
)

// memory is a ring of the positions valued last, and the state of the optimizer
// that learns from them.
type memory struct {
	steps []step
	next  int // index of the oldest, once the ring is full

	adamStep      int64
	first, second []float32 // Adam's moments, in the engine's layout
}

func (m *memory) add(steps []step, size int) {
	for i := range steps {
		if len(m.steps) < size {
			m.steps = append(m.steps, steps[i])
			continue
		}
		m.steps[m.next] = steps[i]
		m.next = (m.next + 1) % size
	}
}

// newEngine makes what learns in minibatches.
func (r *runner) newEngine() error {
	e := r.st.Nets.Nets[nets.Contact]
	loss := backprop.Loss{Kind: backprop.CrossEntropy}
	for _, o := range r.s.outputs() {
		loss.Outputs[o] = 1
	}
	engine, err := backprop.New(e.Net, backprop.Options{Batch: r.s.Minibatch, Workers: r.workers, Loss: loss,
		Optimizer: backprop.Optimizer{Kind: backprop.Adam, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}})
	if err != nil {
		return err
	}
	m := &r.st.memory
	if m.adamStep > 0 {
		if len(m.first) != len(engine.First) || len(m.second) != len(engine.Second) {
			engine.Close()
			return fmt.Errorf("moments of %d weights, %d expected", len(m.first), len(engine.First))
		}
		copy(engine.First, m.first)
		copy(engine.Second, m.second)
		engine.Step = m.adamStep
	}
	m.first, m.second = engine.First, engine.Second
	if r.set, err = features.Lookup(e.Inputs, e.InputsVersion); err != nil {
		engine.Close()
		return err
	}
	r.engine = engine
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
		rng := newRand(r.s.Seed, uint64(first+i))
		var err error
		r.games[i], err = players[worker].playEstimated(ctx, rng, r.s.estimator(first+i), r.games[i][:0])
		return err
	})
	if err != nil {
		return Point{}, err
	}
	positions := 0
	for _, g := range r.games[:n] {
		r.st.memory.add(g, r.s.Replay)
		positions += len(g)
	}
	squares := r.learnMemory(first)
	r.st.Games += n
	return Point{Games: r.st.Games, Positions: positions, Alpha: r.s.AdamRate, RMS: math.Sqrt(squares)}, nil
}

// learnMemory trains on minibatches drawn from the memory and returns the mean of
// the squared equity errors. first is the number of the round's first game.
func (r *runner) learnMemory(first int) float64 {
	rng := newRand(r.s.Seed, math.MaxUint64/3+uint64(first))
	rows := &memoryRows{set: r.set, drawn: make([]*step, r.s.Minibatch)}
	squares, n := 0.0, 0
	for range r.s.Minibatches {
		for i := range rows.drawn {
			rows.drawn[i] = &r.st.memory.steps[rng.IntN(len(r.st.memory.steps))]
		}
		r.engine.Train(rows, len(rows.drawn), r.s.AdamRate)
		for i := range rows.drawn {
			p, t, _ := r.engine.Output(i)
			d := float64(p.Equity() - t.Equity())
			squares += d * d
			n++
		}
	}
	copyNet(r.st.Nets.Nets[nets.Contact], &nets.Entry{Net: r.engine.Net()})
	r.st.memory.adamStep = r.engine.Step
	return squares / float64(n)
}

// memoryRows gives the engine a minibatch.
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
