package rollout

import (
	"math"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
)

func newCubeEngine(t testing.TB, p *player.Player, o Options, h cube.Handling) *CubeEngine {
	t.Helper()
	if o.Luck == "" {
		o.Luck = LuckFull
	}
	o.Picks = max(o.Picks, 1)
	if h.Model == nil {
		h.Model = cube.Janowski{Life: 0.7, Opponent: 0.7}
	}
	e, err := NewCubeEngine(p, o, h)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func rollCube(t testing.TB, e *CubeEngine, b *bg.Board, s cube.State, workers int) *CubeDecision {
	t.Helper()
	d, err := e.Decide(t.Context(), b, &s, Watch[*CubeDecision]{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// cubeStates are a center and owned cubes, for money and in matches.
func cubeStates(t testing.TB) []cube.State {
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return []cube.State{
		{Cube: 1}, {Cube: 1, Jacoby: true}, {Cube: 2, Owner: cube.Owned}, {Cube: 4, Owner: cube.OpponentOwned},
		{Cube: 1, Table: table, Away: 5, Opponent: 3}, {Cube: 2, Owner: cube.Owned, Table: table, Away: 4, Opponent: 7},
		{Cube: 1, Table: table, Away: 2, Opponent: 4}, {Cube: 1, Table: table, Away: 3, Opponent: 1},
	}
}

// race returns a short race, more or less even.
func race(x int) bg.Board {
	b := bg.Board{Me: bg.Side{2: 1, 3: 2, 4: 2, 5: 2}, Opp: bg.Side{1: 1, 3: 2, 4: 2, 5: 2}}
	b.Me[7]++
	b.Opp[5+x%4]++
	return b
}

// Whatever the measure of luck, taking it off does not change the mean, for money and at
// scores, in truncated trials of contact positions and in whole ones of races.
func TestCubefulVarianceReductionIsUnbiased(t *testing.T) {
	if testing.Short() {
		t.Skip("many trials")
	}
	p := randomPlayer(t, 1, 4, nil, player.Options{})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	contact := contactPositions(7, 8)
	n, sum, squares := 0.0, 0.0, 0.0
	check := func(what string, plain, reduced stats.Stat) {
		z := (plain.Mean - reduced.Mean) / math.Hypot(plain.SE, reduced.SE)
		n, sum, squares = n+1, sum+z, squares+z*z
		if math.Abs(z) > 4 {
			t.Errorf("%s: %+v without variance reduction, %+v with", what, plain, reduced)
		}
	}
	for i, s := range cubeStates(t) {
		b, o := contact[i], Options{Trials: 648, Truncate: 4, Seed: 5}
		if i%2 == 0 {
			b, o.Truncate = race(i), 0
		}
		o.Luck = LuckNone
		plain := rollCube(t, newCubeEngine(t, p, o, cube.Handling{}), &b, s, 2)
		for _, l := range []Luck{LuckFull, LuckPicked, LuckSmall} {
			o := o
			o.Luck, o.Small, o.Picks, o.Trials, o.Seed = l, small, 2, 72, 9
			reduced := rollCube(t, newCubeEngine(t, p, o, cube.Handling{}), &b, s, 2)
			what := string(l) + " " + b.Key().String()
			check(what, plain.NoDouble, reduced.NoDouble)
			if s.MayDouble() {
				check(what+" taken", plain.DoubleTake, reduced.DoubleTake)
				check(what+" gain", plain.Gain, reduced.Gain)
			}
		}
	}
	// Of a position they share the dice: nine count as one.
	if math.Abs(sum/n) > 4/math.Sqrt(n/9) || squares/n > 2 {
		t.Errorf("%v differences: mean z %.2f, mean square %.2f", n, sum/n, squares/n)
	}
}

// Where nobody may turn the cube any more the rollout is the cubeless one.
func TestDeadCubeIsCubeless(t *testing.T) {
	p := randomPlayer(t, 1, 8, nil, player.Options{})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	for i, b := range contactPositions(3, 6) {
		for _, l := range []Luck{LuckNone, LuckFull} {
			o := Options{Trials: 72, Truncate: 4 + i%2, Luck: l, Small: small, Picks: 2, Seed: 3}
			want, err := newEngine(t, p, o).Rollout(t.Context(), &b, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := cube.State{Cube: cube.MaxCube, Owner: cube.Owned}
			got := rollCube(t, newCubeEngine(t, p, o, cube.Handling{Model: cube.Live{}}), &b, s, 2)
			if math.Abs(got.NoDouble.Mean-want.Equity()) > 1e-5 || math.Abs(got.NoDouble.SE-want.EquitySE) > 1e-5 {
				t.Errorf("luck %s, %s: %+v, cubeless %v ± %v", l, b.Key(), got.NoDouble, want.Equity(), want.EquitySE)
			}
			if got.Judged.Available || got.DoubleTake != (stats.Stat{}) {
				t.Errorf("%+v", got)
			}
		}
	}
}

// In the exact two-sided database, played on with its values, luck leaves nothing, and
// without variance reduction the mean is exact within its error.
func TestCubefulBearoffs(t *testing.T) {
	const checkers = 3
	db, err := bearoff.Open(t.Context(), bearoff.Options{TwoSidedCheckers: checkers})
	if err != nil {
		t.Fatal(err)
	}
	p := randomPlayer(t, 1, 4, db, player.Options{})
	r := dice{base: 9, cycle: -1}
	random := r.trial(0).later
	n, sum, squares := 0.0, 0.0, 0.0
	for i := range 60 {
		var b bg.Board
		for range checkers {
			b.Me[random.below(6)]++
			b.Opp[random.below(6)]++
		}
		exact, _ := db.Cubeful(&b)
		s := cube.State{Cube: 1}
		want := exact.Centered
		if i%2 == 0 {
			s, want = cube.State{Cube: 2, Owner: cube.Owned}, exact.Owned
		}
		for _, o := range []Options{{Luck: LuckFull, playOn: true}, {Luck: LuckNone, playOn: true}, {}} {
			o.Trials, o.Seed = 144, uint64(i)
			d := rollCube(t, newCubeEngine(t, p, o, cube.Handling{}), &b, s, 1)
			if o.Luck == LuckNone {
				if d.NoDouble.SE > 0.01 {
					z := (d.NoDouble.Mean - want) / d.NoDouble.SE
					n, sum, squares = n+1, sum+z, squares+z*z
				}
				continue
			}
			if math.Abs(d.NoDouble.Mean-want) > 1e-5 || math.Abs(d.DoubleTake.Mean-2*exact.OpponentOwned) > 1e-5 ||
				max(d.NoDouble.SE, d.DoubleTake.SE) > 1e-5 {
				t.Errorf("%s, cube %d: %+v, exact %+v", b.Key(), s.Cube, d, exact)
			}
		}
	}
	if n < 15 || math.Abs(sum/n) > 4/math.Sqrt(n) || squares/n > 2 {
		t.Errorf("%v positions without variance reduction: mean z %.2f, mean square %.2f", n, sum/n, squares/n)
	}
}

// A play that leaves the opponent a position without a decision is worth the opponent's
// rollout of it, turned round.
func TestCubefulSidesSwap(t *testing.T) {
	p := randomPlayer(t, 1, 8, nil, player.Options{})
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	for i, s := range cubeStates(t) {
		s.Owner = cube.Owned
		s.Cube, s.Jacoby = max(s.Cube, 2), false
		if s.Check() != nil {
			t.Fatal(s.Check())
		}
		b := contactPositions(uint64(i+1), 1)[0]
		e := newCubeEngine(t, p, Options{Trials: 36, Truncate: 4, Luck: LuckSmall, Small: small, Seed: 2}, cube.Handling{})
		plays, err := e.Plays(t.Context(), []bg.Board{b}, &s, b.Key(), Watch[[]CubePlay]{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		theirs := rollCube(t, e, &b, s.Swapped(), 1).NoDouble
		if got := plays[0].Equity; math.Abs(got.Mean+theirs.Mean) > 1e-9 || math.Abs(got.SE-theirs.SE) > 1e-9 {
			t.Errorf("%+v: %+v, turned round %+v", s, got, theirs)
		}
	}
}

// The result does not depend on the number of workers; differences vary less than what
// they are of; a target ends a rollout early.
func TestCubefulWorkersAndDifferences(t *testing.T) {
	p := randomPlayer(t, 3, 8, nil, player.Options{})
	b := contactPositions(5, 1)[0]
	s := cubeStates(t)[4]
	small := randomPlayer(t, 2, 4, nil, player.Options{})
	o := Options{Trials: 252, Truncate: 4, Luck: LuckSmall, Small: small, Seed: 4}
	one := rollCube(t, newCubeEngine(t, p, o, cube.Handling{}), &b, s, 1)
	for _, workers := range []int{3} {
		if again := rollCube(t, newCubeEngine(t, p, o, cube.Handling{}), &b, s, workers); *again != *one {
			t.Errorf("%d workers: %+v, %+v with one", workers, again, one)
		}
	}
	if d := one.DoubleTake.Mean - one.NoDouble.Mean; math.Abs(d-one.Gain.Mean) > 1e-9 || one.Trials != 252 ||
		!(one.Gain.SE > 0 && one.Gain.SE < math.Hypot(one.NoDouble.SE, one.DoubleTake.SE)) {
		t.Errorf("%+v", one)
	}
	var plays bg.Plays
	after := plays.Generate(&b, 3, 1)
	o.TargetSE = 10
	e := newCubeEngine(t, p, o, cube.Handling{})
	ps, err := e.Plays(t.Context(), []bg.Board{after[0], after[len(after)-1], after[0]}, &s, b.Key(),
		Watch[[]CubePlay]{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if ps[0].Equity != ps[2].Equity || ps[0].Trials != 144 || ps[0].Difference.Mean > 0 || ps[1].Difference.Mean > 0 {
		t.Errorf("%+v", ps)
	}
}

// With the Jacoby rule gammons do not count while nobody has doubled; a double that is
// worth less than nothing is beavered.
func TestJacobyAndBeavers(t *testing.T) {
	p := randomPlayer(t, 1, 8, nil, player.Options{})
	o := Options{Trials: 144, Seed: 1}
	dead := cube.Handling{Model: cube.Dead{}}
	ahead := bg.Board{Me: bg.Side{0: 2}, Opp: bg.Side{12: 15}} // off with any roll
	free := rollCube(t, newCubeEngine(t, p, o, dead), &ahead, cube.Money, 1)
	jacoby := rollCube(t, newCubeEngine(t, p, o, dead), &ahead, cube.State{Cube: 1, Jacoby: true}, 1)
	if math.Abs(free.NoDouble.Mean-2) > 1e-6 || math.Abs(free.DoubleTake.Mean-4) > 1e-6 ||
		math.Abs(jacoby.NoDouble.Mean-1) > 1e-6 || jacoby.DoubleTake != free.DoubleTake {
		t.Errorf("without the rule %+v, with it %+v", free, jacoby)
	}
	behind := bg.Board{Me: bg.Side{5: 4}, Opp: bg.Side{0: 1, 1: 2}}
	beavers := cube.Handling{Model: dead.Model, Beavers: true}
	plain := rollCube(t, newCubeEngine(t, p, o, dead), &behind, cube.Money, 1)
	turned := rollCube(t, newCubeEngine(t, p, o, beavers), &behind, cube.Money, 1)
	if !turned.Beaver || plain.Beaver || turned.DoubleTake != plain.DoubleTake.Scaled(2) ||
		math.Abs(turned.Gain.Mean-(turned.DoubleTake.Mean-turned.NoDouble.Mean)) > 1e-9 {
		t.Errorf("without beavers %+v, with them %+v", plain, turned)
	}
	if _, err := newCubeEngine(t, p, o, dead).Decide(t.Context(), &bg.Board{Me: bg.Side{1}}, &cube.Money,
		Watch[*CubeDecision]{}); err == nil {
		t.Error("a decision when the game is over")
	}
}
