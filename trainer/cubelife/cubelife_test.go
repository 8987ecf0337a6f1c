package cubelife

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/life"
	"bgtrain/internal/cube/met"
)

// In the words of the player on roll: what both sides decide.
func TestDecided(t *testing.T) {
	for _, c := range []struct{ e, want equities }{
		{equities{0.1, 0.2, 0}, equities{0.1, 0.2, 0}},             // no double
		{equities{0.5, 0.6, 0.35}, equities{0.7, 0.7, 0.35}},       // double and take
		{equities{0.8, 0.85, 0.7}, equities{1, 1, 0.7}},            // double and pass
		{equities{1.2, 1.3, 1.1}, equities{1.2, 1.3, 1.1}},         // too good
		{equities{0.5, 0.72, 0.35}, equities{0.7, 0.72, 0.35}},     // a double, but no redouble
		{equities{-1, -1, -1}, equities{-1, -1, -1}},               // lost
		{equities{-0.2, -0.1, -0.15}, equities{-0.2, -0.1, -0.15}}, // behind
	} {
		if got := c.e.decided(&c.e); got != c.want {
			t.Errorf("%v: %v, %v expected", c.e, got, c.want)
		}
	}
	actual := equities{0.4, 0.5, 0.3}
	if got := (&equities{0.5, 0.6, 0.35}).decided(&actual); got != (equities{0.6, 0.6, 0.3}) {
		t.Errorf("%v", got)
	}
}

// turn is a bearoff position with its rolls played best without the cube.
func turn(t *testing.T, db *bearoff.Cubeful, b *bg.Board) cubestudy.Turn {
	t.Helper()
	outputs := func(b *bg.Board) (packed [bg.NumOutputs]uint16) {
		if x, ok := db.Of(b); ok {
			packed[bg.Win] = uint16(math.Round((x.Cubeless + 1) / 2 * 65535))
		} else if b.Points() == 0 {
			t.Fatalf("%v is not covered", b)
		}
		return packed
	}
	at := cubestudy.Turn{Key: b.Key(), Outputs: outputs(b), Rolls: new([len(bg.Rolls)]cubestudy.After)}
	var plays bg.Plays
	for r, roll := range bg.Rolls {
		least := uint16(math.MaxUint16)
		for _, after := range plays.Generate(b, roll.Hi, roll.Lo) {
			if o := outputs(&after); o[bg.Win] <= least {
				least = o[bg.Win]
				at.Rolls[r] = cubestudy.After{Key: after.Key(), Outputs: o}
			}
		}
	}
	return at
}

// Where what follows is exact, a label is the exact value; at a score it is within what one
// can win and lose, and that of a dead cube where the cube is dead.
func TestLabelsAreExact(t *testing.T) {
	db, err := bearoff.BuildCubeful(context.Background(), 4)
	if err != nil {
		t.Fatal(err)
	}
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	l := &labeler{model: cube.Live{}, exact: db, table: table, matches: 1}
	rng := rand.New(rand.NewPCG(1, 2))
	homes := bearoff.Homes(db.Positions())
	for range 300 {
		me, opp := 1+rng.IntN(len(homes)-1), 1+rng.IntN(len(homes)-1)
		var b bg.Board
		copy(b.Me[:], homes[me][:])
		copy(b.Opp[:], homes[opp][:])
		g := cubestudy.Game{Turns: []cubestudy.Turn{turn(t, db, &b)}}
		labels := make([]label, 1)
		if err := l.game(&g, labels, rng); err != nil {
			t.Fatal(err)
		}
		x := db.At(me, opp)
		for h, want := range (equities{cube.Centered: x.Centered, cube.Owned: x.Owned, cube.OpponentOwned: x.OpponentOwned}) {
			// The best plays with a cube may be others.
			if off := want - labels[0].money[h]; math.Abs(off) > 0.01 {
				t.Errorf("%v holder %d: %v, exactly %v", homes[me], h, labels[0].money[h], want)
			}
		}
		if s := labels[0].state; s.Check() != nil || math.Abs(labels[0].match) > 1+1e-9 && s.Away > 1 && s.Opponent > 1 &&
			math.Abs(labels[0].match) > 3 {
			t.Errorf("%+v: %v", s, labels[0].match)
		}
	}
	if err := l.game(&cubestudy.Game{Turns: make([]cubestudy.Turn, 1)}, make([]label, 1), rng); err == nil {
		t.Error("a turn without rolls was labeled")
	}
}

// A net that is trained on exact bearoffs comes nearer to them than the best index.
func TestFitsBearoffs(t *testing.T) {
	db, err := bearoff.BuildCubeful(context.Background(), 4)
	if err != nil {
		t.Fatal(err)
	}
	s := Defaults
	s.Pairs = 20_000
	r := &run{s: &s, exact: db, homes: bearoff.Homes(db.Positions()), rng: rand.New(rand.NewPCG(3, 4))}
	f := newFitter(16, r.rng)
	set := &life.Set{}
	for k := range set.Nets {
		set.Nets[k] = f.net
	}
	for range 6 {
		f.pass(r.pairs(nil), r.rng, func() float64 { return 0.003 })
	}
	errs := cubestudy.BearoffErrors(db, []cube.Model{cube.Janowski{Life: 0.6, Opponent: 0.6}, cube.NewLearned(set, "x")})
	for h := range errs[0].RMS {
		if errs[1].RMS[h] > 0.7*errs[0].RMS[h] {
			t.Errorf("holder %d: rms %v, by one index %v", h, errs[1].RMS[h], errs[0].RMS[h])
		}
	}
}
