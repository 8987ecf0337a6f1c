package td

import (
	"context"
	"fmt"
	"math"
	"time"

	"bgtrain/features"
	"bgtrain/internal/backprop"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"
)

// Point is one line of the learning curve.
type Point struct {
	Games     int     `json:"games"`
	Of        int     `json:"of_games"`  // that the run is to play
	Positions int     `json:"positions"` // learned from since the last point
	Alpha     float64 `json:"alpha"`
	RMS       float64 `json:"rms_equity_error"` // of the positions' equities against their targets
	Seconds   float64 `json:"seconds"`          // since Run began
}

// Run trains st until s.Games games are learned from or ctx ends, which leaves st
// after its last whole round. db may be nil: games are then played to the end.
// Round, if not nil, is called after every round, with no training under way: it
// may read the state, save it, or score it. An error from it ends the run.
func Run(ctx context.Context, st *State, db *bearoff.DB, s Settings, round func(*State, Point) error) error {
	if err := s.Check(); err != nil {
		return err
	}
	r, err := newRunner(st, db, s)
	if err != nil {
		return err
	}
	if s.Estimator != nil {
		if err := r.newStepper(); err != nil {
			return err
		}
		defer r.stepper.Close()
	}
	begin := time.Now()
	for st.Games < s.Games {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p, err := r.next(ctx)
		if err != nil {
			return err
		}
		if round != nil {
			p.Seconds = time.Since(begin).Seconds()
			if err := round(st, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// runner holds what a run needs from round to round.
type runner struct {
	st       *State
	db       *bearoff.DB
	s        Settings
	workers  int
	learners []*learner              // one a net
	of       [bg.NumClasses]*learner // the one that learns from a class
	games    [][]step                // of the round, by game

	stepper *backprop.Stepper // learns in minibatches, with an estimator
	set     *features.Set     // of its net
}

func newRunner(st *State, db *bearoff.DB, s Settings) (*runner, error) {
	r := &runner{st: st, db: db, s: s, workers: parallel.Workers(s.Workers), games: make([][]step, s.RoundGames)}
	s.share(st.Nets)
	byNet := map[*nets.Entry]*learner{}
	for _, role := range nets.Main {
		e := st.Nets.Nets[role]
		if e == nil {
			return nil, fmt.Errorf("no %s net to train", role)
		}
		set, err := features.Lookup(e.Inputs, e.InputsVersion)
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		if err := trainable(e.Net); err != nil {
			return nil, fmt.Errorf("%s net: %w", role, err)
		}
		if byNet[e] == nil {
			byNet[e] = newLearner(set, e.Net, &s)
			r.learners = append(r.learners, byNet[e])
		}
		r.of[role.Class()] = byNet[e]
	}
	return r, nil
}

// next does a round, in the way of the settings.
func (r *runner) next(ctx context.Context) (Point, error) {
	if r.stepper != nil {
		return r.remember(ctx)
	}
	return r.round(ctx)
}

// round learns from games. Without overlap they are played first, by the nets as
// they are. With it they were played during the round before, and the games of the
// next round are played meanwhile, by the nets as they were when this one began:
// so the nets that play are one round behind, and all processors have work.
func (r *runner) round(ctx context.Context) (Point, error) {
	first, n := r.st.Games, min(r.s.RoundGames, r.s.Games-r.st.Games)
	if r.st.played == 0 {
		if err := r.play(ctx, r.st.Nets, first, n, 0, nil); err != nil {
			return Point{}, err
		}
		r.take(n)
	}
	steps, learned := r.st.ahead, r.st.played
	next := 0
	if r.s.Overlap {
		next = min(r.s.RoundGames, r.s.Games-first-learned)
	}
	alpha := r.s.alpha(first)
	sum, err := r.learnAndPlay(ctx, steps, alpha, first+learned, next)
	if err != nil {
		return Point{}, err
	}
	r.st.Games += learned
	r.take(next)
	return Point{Games: r.st.Games, Of: r.s.Games, Positions: len(steps), Alpha: alpha,
		RMS: math.Sqrt(sum / float64(max(1, len(steps))))}, nil
}

// take moves the games played into the state.
func (r *runner) take(games int) {
	n := 0
	for _, g := range r.games[:games] {
		n += len(g)
	}
	r.st.ahead, r.st.played = make([]step, 0, n), games
	for _, g := range r.games[:games] {
		r.st.ahead = append(r.st.ahead, g...)
	}
}

// learnAndPlay learns from steps while games are played with the nets as they
// were, and returns the sum of the squared equity errors. If ctx ends meanwhile,
// the nets are as before: a net is never left in the middle of a round.
func (r *runner) learnAndPlay(ctx context.Context, steps []step, alpha float64, first, games int) (float64, error) {
	if games == 0 {
		return r.learn(steps, alpha), nil
	}
	before := r.st.Nets.Clone()
	sums := make([]float64, len(r.learners))
	others := func(i int) { sums[i] = r.learnOne(r.learners[i], steps, alpha) }
	if err := r.play(ctx, before, first, games, len(r.learners), others); err != nil {
		for _, role := range nets.Main {
			copyNet(r.st.Nets.Nets[role], before.Nets[role])
		}
		return 0, err
	}
	return total(sums), nil
}

// copyNet sets the weights of a net to those of another.
func copyNet(to, from *nets.Entry) {
	for i := range to.Net.Layers {
		copy(to.Net.Layers[i].Weights, from.Net.Layers[i].Weights)
		copy(to.Net.Layers[i].Bias, from.Net.Layers[i].Bias)
	}
}

// play plays n games from number first on, into r.games. Before that, on the same
// workers, it calls other(i) for i below others.
func (r *runner) play(ctx context.Context, with *nets.Set, first, n, others int, other func(i int)) error {
	p, err := player.New(with, r.db, player.Options{})
	if err != nil {
		return err
	}
	players := make([]*gamePlayer, r.workers)
	return parallel.For(ctx, r.workers, others+n, func(worker, i int) error {
		if i < others {
			other(i)
			return nil
		}
		if players[worker] == nil {
			players[worker] = &gamePlayer{ev: p.NewEvaluator()}
		}
		i -= others
		rng := splitmix.Rand(r.s.Seed, uint64(first+i))
		r.games[i] = players[worker].play(rng, &r.s, r.games[i][:0])
		return nil
	})
}

// learn lets each net learn from its positions, in order, and returns the sum
// of the squared equity errors.
func (r *runner) learn(steps []step, alpha float64) float64 {
	sums := make([]float64, len(r.learners))
	_ = parallel.For(context.Background(), r.workers, len(r.learners), func(_, i int) error {
		sums[i] = r.learnOne(r.learners[i], steps, alpha)
		return nil
	})
	return total(sums)
}

// learnOne lets one net learn.
func (r *runner) learnOne(l *learner, steps []step, alpha float64) float64 {
	alphaIn, alphaOut := float32(alpha*r.s.HiddenRate), float32(alpha)
	sum := 0.0
	for i := range steps {
		if st := &steps[i]; r.of[st.class] == l {
			sum += l.learn(&st.board, &st.target, alphaIn, alphaOut)
		}
	}
	return sum
}

func total(sums []float64) float64 {
	t := 0.0
	for _, x := range sums {
		t += x
	}
	return t
}
