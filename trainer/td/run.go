package td

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// State is where a training stands: the nets and how many games they have
// played. With the settings it determines everything that follows.
type State struct {
	Nets  *nets.Set
	Games int
	From  string // fingerprint of the net that training started from; empty: random weights

	replay replay
}

// Point is one line of the learning curve.
type Point struct {
	Games     int     `json:"games"`
	Positions int     `json:"positions"` // learned from since the last point
	Alpha     float64 `json:"alpha"`
	RMS       float64 `json:"rms_equity_error"` // of the positions' equities against their targets
	Seconds   float64 `json:"seconds"`          // since Run began
}

// Hooks let a caller follow a run. Each may be nil.
type Hooks struct {
	// Round is called after every round, with no training under way: it may read
	// the state, save it, or score it. An error from it ends the run.
	Round func(*State, Point) error
}

// New returns the state before the first game: random weights.
func New(s Settings) (*State, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	inputs, err := inputSets(s.Inputs)
	if err != nil {
		return nil, err
	}
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}, Provenance: map[string]string{}}
	for i, role := range nets.Main {
		set := inputs[i]
		rng := newRand(s.Seed, math.MaxUint64-uint64(i))
		f.Nets[role] = &nets.Entry{Net: nets.Random(rng, limit, nn.Sigmoid, set.Size, s.Hidden, bg.NumOutputs), Inputs: set.Name, InputsVersion: set.Version}
	}
	return &State{Nets: f}, nil
}

// limit is that of the first weights: a unit's sum starts at about one half. About
// 70 inputs of a position are not zero.
func limit(layer, inputs int) float64 {
	if layer == 0 {
		inputs = 70
	}
	return nets.ByInputs(layer, inputs)
}

// inputSets returns the input sets of the three nets of a family.
func inputSets(family string) (sets [len(nets.Main)]*features.Set, err error) {
	names := map[string][len(nets.Main)]string{
		"gnubg":   {"gnubg-contact", "gnubg-crashed", "gnubg-race"},
		"tesauro": {"tesauro", "tesauro", "tesauro"},
	}
	list, ok := names[family]
	if !ok {
		return sets, fmt.Errorf("unknown inputs %q (known: gnubg, tesauro)", family)
	}
	for i, name := range list {
		if sets[i], err = features.ByName(name); err != nil {
			return sets, err
		}
	}
	return sets, nil
}

// newRand returns the generator of one purpose: a game by its number, or
// another stream. Neighbouring numbers give unrelated sequences.
func newRand(seed, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, stream*0x9e3779b97f4a7c15+1))
}

// Run trains st until s.Games games are played or ctx ends, which leaves st
// after its last whole round. db may be nil: games are then played to the end.
func Run(ctx context.Context, st *State, db *bearoff.DB, s Settings, h Hooks) error {
	if err := s.Check(); err != nil {
		return err
	}
	r, err := newRunner(st, db, s)
	if err != nil {
		return err
	}
	begin := time.Now()
	for st.Games < s.Games {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := r.round(ctx)
		if err != nil {
			return err
		}
		if h.Round != nil {
			p.Seconds = time.Since(begin).Seconds()
			if err := h.Round(st, p); err != nil {
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
	learners [bg.NumClasses]*learner
	games    [][]step // of the round, by game
}

func newRunner(st *State, db *bearoff.DB, s Settings) (*runner, error) {
	r := &runner{st: st, db: db, s: s, games: make([][]step, s.RoundGames)}
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
		r.learners[role.Class()] = newLearner(set, e.Net)
	}
	return r, nil
}

// round plays the next games and learns from them.
func (r *runner) round(ctx context.Context) (Point, error) {
	n := min(r.s.RoundGames, r.s.Games-r.st.Games)
	if err := r.play(ctx, n); err != nil {
		return Point{}, err
	}
	alpha := r.s.alpha(r.st.Games)
	p := Point{Alpha: alpha}
	var steps []step
	for _, g := range r.games[:n] {
		steps = append(steps, g...)
	}
	sum := r.learn(steps, alpha)
	if r.s.Amplify > 0 {
		r.st.replay.add(steps, r.s.Replay)
		if err := r.amplify(ctx, alpha); err != nil {
			return Point{}, err
		}
	}
	r.st.Games += n
	p.Games, p.Positions = r.st.Games, len(steps)
	p.RMS = math.Sqrt(sum / float64(len(steps)))
	return p, nil
}

// play plays the next n games with the nets as they are.
func (r *runner) play(ctx context.Context, n int) error {
	p, err := player.New(r.st.Nets, r.db, player.Options{})
	if err != nil {
		return err
	}
	return r.parallel(ctx, n, p, func(g *gamePlayer, i int) {
		number := r.st.Games + i
		opponent := -1
		if number < r.s.Warmup {
			opponent = number & 1
		}
		rng := newRand(r.s.Seed, uint64(number))
		r.games[i] = g.play(rng, float32(r.s.Lambda), opponent, r.games[i][:0])
	})
}

// parallel calls do(g, i) for i below n, divided among the workers.
func (r *runner) parallel(ctx context.Context, n int, p *player.Player, do func(g *gamePlayer, i int)) error {
	players := make([]*gamePlayer, parallel.Workers(r.s.Workers))
	return parallel.For(ctx, len(players), n, func(worker, i int) error {
		if players[worker] == nil {
			players[worker] = &gamePlayer{ev: p.NewEvaluator()}
		}
		do(players[worker], i)
		return nil
	})
}

// learn lets each net learn from its positions, in order, and returns the sum
// of the squared equity errors.
func (r *runner) learn(steps []step, alpha float64) float64 {
	var sums [bg.NumClasses]float64
	alphaIn, alphaOut := float32(alpha*r.s.HiddenRate), float32(alpha)
	var wg sync.WaitGroup
	for _, role := range nets.Main {
		class := role.Class()
		wg.Go(func() {
			l := r.learners[class]
			for i := range steps {
				if st := &steps[i]; st.class == class {
					sums[class] += l.learn(&st.board, &st.target, alphaIn, alphaOut)
				}
			}
		})
	}
	wg.Wait()
	return sums[bg.Contact] + sums[bg.Crashed] + sums[bg.Race]
}

// Describe returns the settings as provenance of a net file.
func (s *Settings) Describe() map[string]string {
	f := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return map[string]string{
		"training": "td", "td.games": strconv.Itoa(s.Games), "td.seed": strconv.FormatUint(s.Seed, 10),
		"td.inputs": s.Inputs, "td.hidden": strconv.Itoa(s.Hidden),
		"td.alpha": f(s.Alpha), "td.alpha_end": f(s.AlphaEnd), "td.hidden_rate": f(s.HiddenRate),
		"td.lambda": f(s.Lambda), "td.round_games": strconv.Itoa(s.RoundGames), "td.warmup": strconv.Itoa(s.Warmup),
		"td.replay": strconv.Itoa(s.Replay), "td.amplify": strconv.Itoa(s.Amplify),
	}
}
