package cubelife

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/life"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/splitmix"
)

// Hooks follow a run.
type Hooks struct {
	Progress func(done, total int) // games labeled, or nil
}

// Report describes how a training went.
type Report struct {
	Games  int     `json:"games"`
	Turns  int     `json:"turns"`
	Rounds []Round `json:"rounds"`
}

// Round is what a round's labels were like beside the nets before it: rms differences of
// equities. The first is beside janowski=0.68.
type Round struct {
	Before float64             `json:"before"`
	Fitted [life.Kinds]float64 `json:"fitted"` // of the nets during the last epoch, by kind
}

// run is a training.
type run struct {
	s       *Settings
	games   []cubestudy.Game
	exact   *bearoff.Cubeful
	homes   [][bearoff.Points]uint8
	fitters [life.Kinds]*fitter
	labels  [][]label
	table   *met.Table
	rng     *rand.Rand
	steps   int
	total   int // samples that are trained on in all
}

// Train trains nets on recorded games, that 'cube record --rolls' kept in part files. The
// result does not depend on the number of workers.
func Train(ctx context.Context, parts []string, s Settings, h Hooks) (*life.Set, *Report, error) {
	if err := s.List().Check(); err != nil {
		return nil, nil, err
	}
	r := &run{s: &s, rng: splitmix.Rand(s.Seed, 0)}
	report := &Report{}
	for _, path := range parts {
		games, err := cubestudy.ReadPart(path)
		if err != nil {
			return nil, nil, err
		}
		if len(games) > 0 && len(games[0].Turns) > 0 && games[0].Turns[0].Rolls == nil {
			return nil, nil, fmt.Errorf("%s: games without what the rolls lead to: 'cube record --rolls' keeps it", path)
		}
		r.games = append(r.games, games...)
	}
	for i := range r.games {
		report.Turns += len(r.games[i].Turns)
		r.labels = append(r.labels, make([]label, len(r.games[i].Turns)))
	}
	report.Games = len(r.games)
	var err error
	if r.table, err = r.table.OrDefault(); err != nil {
		return nil, nil, err
	}
	if r.exact, err = bearoff.BuildCubeful(ctx, bearoff.DefaultTwoSided); err != nil {
		return nil, nil, err
	}
	r.homes = bearoff.Homes(r.exact.Positions())
	for k := range r.fitters {
		r.fitters[k] = newFitter(s.Hidden, r.rng)
	}
	r.total = s.Rounds * s.Epochs * (int(float64(report.Turns)*(1+s.Matches)) + s.Pairs)
	set := &life.Set{Spread: s.Spread, Provenance: map[string]string{}}
	for k, f := range r.fitters {
		set.Nets[k] = f.net
	}
	var model cube.Model = cube.Janowski{Life: cube.ContactLife, Opponent: cube.ContactLife}
	for round := range s.Rounds {
		if err := r.label(ctx, model, round, func(done int) {
			if h.Progress != nil {
				h.Progress(round*len(r.games)+done, s.Rounds*len(r.games))
			}
		}); err != nil {
			return nil, nil, err
		}
		result, err := r.fit(ctx)
		if err != nil {
			return nil, nil, err
		}
		result.Before = r.distance(model)
		report.Rounds = append(report.Rounds, result)
		model = cube.NewLearned(set, "learned")
	}
	return set, report, nil
}

// label labels all games by a model.
func (r *run) label(ctx context.Context, model cube.Model, round int, progress func(done int)) error {
	counter := parallel.NewCounter(len(r.games), func(done, _ int) { progress(done) })
	const chunk = 50
	return parallel.For(ctx, r.s.Workers, (len(r.games)+chunk-1)/chunk, func(_, c int) error {
		l := &labeler{model, r.exact, r.s.Lambda, r.table, r.s.Matches}
		end := min((c+1)*chunk, len(r.games))
		for i := c * chunk; i < end; i++ {
			if err := l.game(&r.games[i], r.labels[i], splitmix.Rand(r.s.Seed, uint64(1+round*len(r.games)+i))); err != nil {
				return fmt.Errorf("game %d: %w", i, err)
			}
		}
		counter.Add(end - c*chunk)
		return nil
	})
}

// position is that of a turn.
func position(t *cubestudy.Turn) (cube.Position, error) {
	b, err := t.Key.Board()
	o := t.Of()
	return cube.PositionOf(&b, &o), err
}

// distance is the rms difference of the labels from a model, over every 20th turn.
func (r *run) distance(model cube.Model) float64 {
	sum, n := 0.0, 0
	for i := range r.games {
		for k := i % 20; k < len(r.labels[i]); k += 20 {
			p, err := position(&r.games[i].Turns[k])
			if err != nil {
				continue
			}
			for h := range holders {
				d := model.Equity(&p, &holders[h]) - r.labels[i][k].money[h]
				sum, n = sum+d*d, n+1
			}
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// fit trains the nets on the labels.
func (r *run) fit(ctx context.Context) (result Round, err error) {
	samples, err := r.samples()
	if err != nil {
		return result, err
	}
	fromGames := len(samples[life.Bearoff])
	for range r.s.Epochs {
		samples[life.Bearoff] = r.pairs(samples[life.Bearoff][:fromGames])
		for k, f := range r.fitters {
			if ctx.Err() != nil {
				return result, context.Cause(ctx)
			}
			if len(samples[k]) == 0 {
				continue
			}
			loss := f.pass(samples[k], r.rng, r.rate)
			result.Fitted[k] = math.Sqrt(loss / float64(3*len(samples[k])))
		}
	}
	return result, nil
}

// rate is the learning rate of the next step.
func (r *run) rate() float64 {
	done := min(float64(r.steps)*batch/float64(r.total), 1)
	r.steps++
	return r.s.Rate * 0.5 * (1 + math.Cos(math.Pi*done))
}

// samples are those of the labels, by kind.
func (r *run) samples() (samples [life.Kinds][]sample, err error) {
	for i := range r.games {
		for k := range r.games[i].Turns {
			t := &r.games[i].Turns[k]
			p, err := position(t)
			if err != nil {
				return samples, err
			}
			if r.s.Spread && r.rng.IntN(2) == 0 {
				p.Volatility = volatility(t)
			}
			kind := life.KindOf(p.Class)
			l := &r.labels[i][k]
			samples[kind] = append(samples[kind], newSample(&p, &l.money))
			if l.state.Cube > 0 {
				var s sample
				s.add(&p, &l.state, l.match)
				samples[kind] = append(samples[kind], s)
			}
		}
	}
	return samples, nil
}

// pairs appends random positions of the exact database.
func (r *run) pairs(samples []sample) []sample {
	n := len(r.homes) - 1
	for range r.s.Pairs {
		me, opp := 1+r.rng.IntN(n), 1+r.rng.IntN(n)
		x := r.exact.At(me, opp)
		b := bg.Board{}
		copy(b.Me[:], r.homes[me][:])
		copy(b.Opp[:], r.homes[opp][:])
		p := cube.PositionOf(&b, &bg.Outputs{float32((x.Cubeless + 1) / 2)})
		samples = append(samples, newSample(&p, &equities{cube.Centered: x.Centered, cube.Owned: x.Owned,
			cube.OpponentOwned: x.OpponentOwned}))
	}
	return samples
}
