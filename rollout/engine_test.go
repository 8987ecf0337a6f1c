package rollout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

var lucks = []Luck{LuckFull, LuckPicked, LuckSmall, LuckNone}

// A rollout truncated after n plies, its plays chosen at 0-ply, estimates the
// n-ply evaluation. With one ply, and with two and balanced dice, it is that.
func TestShortTruncationIsLookAhead(t *testing.T) {
	p := randomPlayer(t, 1, 12, nil, player.Options{})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	ev := p.NewEvaluator()
	positions := contactPositions(5, 12)
	if testing.Short() {
		positions = positions[:1]
	}
	for _, l := range lucks {
		for plies, trials := range map[int]int{1: 36, 2: 36 * 36} {
			r := newEngine(t, p, Options{Trials: trials, Truncate: plies, Luck: l, Small: small, Seed: 3}).NewRoller()
			for _, b := range positions {
				got, err := r.Rollout(t.Context(), &b)
				if err != nil {
					t.Fatal(err)
				}
				want := ev.Evaluate(&b, plies)
				for k := range want {
					if math.Abs(got.Mean[k]-float64(want[k])) > 2e-6 {
						t.Fatalf("luck %s, %s: mean %v after %d plies, %d-ply evaluation %v", l, b.Key(), got.Mean,
							plies, plies, want)
					}
				}
			}
		}
	}
}

// zScores gathers (mean - truth) / SE of five outputs and the equity.
type zScores struct {
	n, sum, squares [bg.NumOutputs + 1]float64
}

func (z *zScores) add(r *Result, truth *values) {
	for i := range z.n {
		d, se := r.Equity()-truth.equity(), r.EquitySE
		if i < bg.NumOutputs {
			d, se = r.Mean[i]-truth[i], r.SE[i]
		}
		if se > 0 {
			z.n[i]++
			z.sum[i] += d / se
			z.squares[i] += d * d / se / se
		}
	}
}

// check fails if the mean of a z-score is not near 0 or its mean square not near
// 1; both with 4 standard errors to spare, the scores taken for normal ones.
func (z *zScores) check(t *testing.T, what string) {
	t.Helper()
	for i := range z.n {
		n := z.n[i]
		if mean := z.sum[i] / n; math.Abs(mean) > 4/math.Sqrt(n) {
			t.Errorf("%s: output %d is biased: mean z %.2f of %v", what, i, mean, n)
		}
		if ms := z.squares[i] / n; ms < 1-4*math.Sqrt(2/n) || ms > 1+4*math.Sqrt(2/n) {
			t.Errorf("%s: output %d: mean square of z is %.2f of %v", what, i, ms, n)
		}
	}
}

// Whatever the measure of luck, taking it off must not change the mean: a luck
// with the wrong sign, turned round wrongly or measured against the mean of
// something else does.
func TestVarianceReductionIsUnbiased(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	p := randomPlayer(t, 1, 8, nil, player.Options{CacheMB: 8})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	ev := p.NewEvaluator()
	var z [4]zScores
	for i, b := range contactPositions(7, 4) {
		out := ev.Evaluate(&b, 3)
		truth := toValues(&out)
		for k, l := range lucks {
			for seed := range 12 {
				o := Options{Trials: 180, Truncate: 3, Luck: l, Small: small, Picks: 2, Seed: uint64(100*i + seed)}
				r, err := newEngine(t, p, o).NewRoller().Rollout(t.Context(), &b)
				if err != nil {
					t.Fatal(err)
				}
				z[k].add(&r, &truth)
			}
		}
	}
	for k, l := range lucks {
		z[k].check(t, string(l))
	}
}

// What the player on roll sees of the position and what the opponent would see
// with the same dice fit together only if nobody mixes up who is on roll.
func TestResultsAreOfThePlayerOnRoll(t *testing.T) {
	db, err := bearoff.Open(t.Context(), bearoff.Options{TwoSidedCheckers: 3})
	if err != nil {
		t.Fatal(err)
	}
	p := randomPlayer(t, 1, 4, db, player.Options{})
	// The player on roll is far ahead, every game is a gammon or near it.
	b := bg.Board{Me: bg.Side{0: 2, 1: 2, 2: 2, 6: 1}, Opp: bg.Side{18: 2, 19: 2, 20: 3, 21: 3, 22: 3, 12: 2}}
	for _, l := range lucks[:1] {
		e := newEngine(t, p, Options{Trials: 36, Luck: l})
		r, err := e.NewRoller().Rollout(t.Context(), &b)
		if err != nil {
			t.Fatal(err)
		}
		if r.Outputs[bg.Win] < 0.95 || r.Outputs[bg.WinGammon] < 0.9 || r.Outputs[bg.LoseGammon] > 0 {
			t.Errorf("luck %s: %v for a player far ahead", l, r.Outputs)
		}
		o := b.Swapped()
		if r, err = e.NewRoller().Rollout(t.Context(), &o); err != nil {
			t.Fatal(err)
		}
		if r.Outputs[bg.Win] > 0.05 || r.Outputs[bg.LoseGammon] < 0.9 || r.Outputs[bg.WinGammon] > 0 {
			t.Errorf("luck %s: %v for a player far behind", l, r.Outputs)
		}
	}
}

// Positions that the two-sided database knows, played on with its values: the
// plays are best, so the truth is known.
func TestExactBearoffs(t *testing.T) {
	const checkers = 4
	db, err := bearoff.Open(t.Context(), bearoff.Options{TwoSidedCheckers: checkers})
	if err != nil {
		t.Fatal(err)
	}
	p := randomPlayer(t, 1, 4, db, player.Options{})
	ev := p.NewEvaluator()
	r := dice{base: 9, cycle: -1}
	random := r.trial(0).later
	var z [2]zScores
	positions, least, spread := 200, 100.0, 0.3
	if testing.Short() {
		positions, least, spread = 60, 30, 0.6
	}
	for i := range positions {
		var b bg.Board
		for range checkers {
			b.Me[random.below(6)]++
			b.Opp[random.below(6)]++
		}
		out := ev.Evaluate(&b, 0)
		truth := toValues(&out)
		for k, l := range []Luck{LuckNone, LuckFull} {
			e := newEngine(t, p, Options{Trials: 144, Luck: l, Seed: uint64(i), playOn: true})
			res, err := e.NewRoller().Rollout(t.Context(), &b)
			if err != nil {
				t.Fatal(err)
			}
			if l == LuckFull {
				// Luck measured by the truth leaves nothing.
				if math.Abs(res.Mean[bg.Win]-truth[bg.Win]) > 1e-6 || res.EquitySE > 1e-6 {
					t.Fatalf("%s: %v ± %v, %v expected", b.Key(), res.Mean, res.EquitySE, truth)
				}
				continue
			}
			if truth[bg.Win] > 0.1 && truth[bg.Win] < 0.9 { // else too few games are lost or won for a normal z
				z[k].add(&res, &truth)
			}
		}
	}
	n, sum, squares := z[0].n[bg.Win], z[0].sum[bg.Win], z[0].squares[bg.Win]
	if n < least || math.Abs(sum/n) > 3/math.Sqrt(n) || math.Abs(squares/n-1) > spread {
		t.Errorf("z-scores of %v positions without variance reduction: mean %.3f, mean square %.3f", n, sum/n,
			squares/n)
	}
}

// The spread of repeated rollouts is what their standard errors say.
func TestStandardErrorsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	p := randomPlayer(t, 1, 8, nil, player.Options{CacheMB: 8})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	const repeats = 50
	for _, o := range []Options{
		{Trials: 36, Truncate: 4, Luck: LuckFull},
		{Trials: 144, Truncate: 3, Luck: LuckPicked},
		{Trials: 30, Truncate: 4, Luck: LuckNone},
		{Trials: 72, Truncate: 4, Luck: LuckNone},
		{Trials: 360, Truncate: 3, Luck: LuckNone},
	} {
		t.Run(fmt.Sprintf("%s %d", o.Luck, o.Trials), func(t *testing.T) {
			o.Small = small
			var spread, stated float64
			for _, b := range contactPositions(11, 4) {
				var sum, squares, se2 float64
				for i := range repeats {
					o.Seed = uint64(i)
					r, err := newEngine(t, p, o).NewRoller().Rollout(t.Context(), &b)
					if err != nil {
						t.Fatal(err)
					}
					sum += r.Equity()
					squares += r.Equity() * r.Equity()
					se2 += r.EquitySE * r.EquitySE
				}
				variance := (squares - sum*sum/repeats) / (repeats - 1)
				spread += variance / (se2 / repeats)
				stated++
			}
			ratio := math.Sqrt(spread / stated)
			t.Logf("spread / stated %.3f", ratio)
			// 4 × 50 rollouts know their spread to 5 %.
			if ratio < 0.85 || ratio > 1.15 {
				t.Errorf("repeated rollouts spread %.2f times as much as stated", ratio)
			}
		})
	}
}

func TestSameResultForAnyNumberOfWorkers(t *testing.T) {
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	positions, numbers, trials := contactPositions(13, 2), []int{1, 2, 7}, 300
	if testing.Short() {
		positions, numbers, trials = positions[:1], []int{3}, 100
	}
	for _, o := range []Options{
		{Trials: trials, Truncate: 4, Luck: LuckPicked, Picks: 2, Small: small},
		{Trials: trials / 3, Truncate: 4, Luck: LuckNone},
		{Trials: 12, Truncate: 3, Luck: LuckFull, Ply: 1, DeepPlies: 2, LeafPly: 1},
		{Trials: 2000, Truncate: 4, Luck: LuckPicked, Small: small, TargetSE: 0.02},
	} {
		plain := newEngine(t, randomPlayer(t, 1, 12, nil, player.Options{}), o)
		cached := newEngine(t, randomPlayer(t, 1, 12, nil, player.Options{CacheMB: 1}), o)
		used := plain.NewRoller() // one for all, to see that it remembers nothing
		for _, b := range positions {
			want, err := plain.NewRoller().Rollout(t.Context(), &b)
			if err != nil {
				t.Fatal(err)
			}
			again, err := used.Rollout(t.Context(), &b)
			if err != nil || again != want {
				t.Errorf("%v: %v from a roller used before, %v from a new one (%v)", o.Method(), again, want, err)
			}
			for _, workers := range numbers {
				for _, e := range []*Engine{plain, cached} {
					got, err := e.Rollout(t.Context(), &b, workers, nil)
					if err != nil || got != want {
						t.Errorf("%v: %v with %d workers, %v with one (%v)", o.Method(), got, workers, want, err)
					}
				}
			}
		}
	}
}

func TestTargetSE(t *testing.T) {
	p := randomPlayer(t, 1, 12, nil, player.Options{})
	b := contactPositions(17, 1)[0]
	roll := func(target float64) Result {
		r, err := newEngine(t, p, Options{Trials: 1500, Truncate: 3, Luck: LuckNone,
			TargetSE: target}).Rollout(t.Context(), &b, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole := roll(1e-9)
	if whole.Trials != 1500 {
		t.Errorf("%d trials without reaching the target, 1500 expected", whole.Trials)
	}
	early := roll(1.5 * whole.EquitySE)
	if early.Trials%36 != 0 || early.Trials >= 1500 || early.EquitySE >= 1.5*whole.EquitySE {
		t.Errorf("%d trials to a standard error of %v, wanted below %v", early.Trials, early.EquitySE,
			1.5*whole.EquitySE)
	}
}

func TestKnownPositions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	db, err := bearoff.Open(t.Context(), bearoff.Options{TwoSidedCheckers: 3})
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, randomPlayer(t, 1, 4, db, player.Options{}), Options{Trials: 36})
	for _, b := range []bg.Board{
		{Me: bg.Side{0: 1}, Opp: bg.Side{0: 1}},
		{Me: bg.Side{5: 15}, Opp: bg.Side{5: 15}},
		{Opp: bg.Side{18: 15}},
	} {
		r, err := e.NewRoller().Rollout(t.Context(), &b)
		if err != nil || !r.Exact || r.EquitySE != 0 || r.Outputs[bg.Win] < 0.5 {
			t.Errorf("%s: %+v, %v", b.Key(), r, err)
		}
	}
}

func TestRolloutEndsWithItsContext(t *testing.T) {
	e := newEngine(t, randomPlayer(t, 1, 12, nil, player.Options{}), Options{Trials: 1 << 20, Truncate: 9})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := e.Rollout(ctx, &bg.Start, 2, nil)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, %v expected", err, context.Canceled)
	}
}

func TestTrialsAllocateNothing(t *testing.T) {
	plies, before := 6, 300
	if testing.Short() {
		plies, before = 3, 100
	}
	p := randomPlayer(t, 1, 12, nil, player.Options{})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	for _, l := range lucks {
		e := newEngine(t, p, Options{Trials: 36, Truncate: plies, Luck: l, Small: small})
		x := newExpander(e.p, &e.o)
		j := &job{o: &e.o}
		b := bg.Start
		x.plant(&j.tree, &b)
		d := newDice(1, b.Key())
		i := 0
		var res trialResult
		one := func() {
			rolls := d.trial(i)
			x.trial(&j.tree, &rolls, &res)
			i++
		}
		for range before {
			one()
		}
		if n := testing.AllocsPerRun(50, one); n > 0.1 {
			t.Errorf("luck %s: %v allocations a trial", l, n)
		}
	}
}

func TestOptions(t *testing.T) {
	ok := DefaultOptions()
	if err := ok.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(o *Options){
		"one trial":         func(o *Options) { o.Trials = 1 },
		"negative truncate": func(o *Options) { o.Truncate = -1 },
		"ply":               func(o *Options) { o.Ply = player.MaxPly + 1 },
		"leaf ply":          func(o *Options) { o.LeafPly = -1 },
		"deep plies":        func(o *Options) { o.DeepPlies = -1 },
		"luck":              func(o *Options) { o.Luck = "good" },
		"picks":             func(o *Options) { o.Picks = 0 },
		"target":            func(o *Options) { o.TargetSE = -1 },
	} {
		o := DefaultOptions()
		change(&o)
		if _, err := NewEngine(nil, o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for want, change := range map[string]func(o *Options){
		"rollout trials=360 truncate=7 ply=0 vr": func(o *Options) {},
		"rollout trials=360 truncate=0 ply=0":    func(o *Options) { o.Truncate, o.Luck = 0, LuckNone },
		"rollout trials=360 truncate=7 ply=2 deep-plies=2 leaf-ply=1 target-se=0.005 vr": func(o *Options) {
			o.Ply, o.DeepPlies, o.LeafPly, o.TargetSE = 2, 2, 1, 0.005
		},
	} {
		o := DefaultOptions()
		change(&o)
		if got := o.Method(); got != want {
			t.Errorf("method %q, %q expected", got, want)
		}
	}
}
