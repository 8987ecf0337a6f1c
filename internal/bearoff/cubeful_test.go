package bearoff

import (
	"context"
	"math"
	"testing"

	"bgtrain/internal/bg"
)

func TestCubeful(t *testing.T) {
	c, err := BuildCubeful(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	number := func(h home) int { id, _ := Index(&h); return id }
	// By hand.
	for _, e := range []struct {
		me, opp home
		want    CubeEquities
	}{
		// Off with any roll.
		{home{1}, home{1}, CubeEquities{1, 1, 1, 1}},
		// A checker on the 6-point leaves with 27 rolls; else the opponent is off next.
		{home{5: 1}, home{1}, CubeEquities{2*27.0/36 - 1, 2*27.0/36 - 1, 2*27.0/36 - 1, 2*27.0/36 - 1}},
	} {
		got := c.At(number(e.me), number(e.opp))
		if math.Abs(got.Cubeless-e.want.Cubeless) > 1e-6 || math.Abs(got.OpponentOwned-e.want.OpponentOwned) > 1e-6 ||
			math.Abs(got.Owned-e.want.Owned) > 1e-6 || math.Abs(got.Centered-e.want.Centered) > 1e-6 {
			t.Errorf("%v against %v: %+v, %+v expected", e.me, e.opp, got, e.want)
		}
	}
	// The cube is worth something to its owner, and to both nothing less than to
	// the other's owning it; doubling is never worth more than the pass.
	for me := 1; me < c.Positions(); me++ {
		for opp := 1; opp < c.Positions(); opp++ {
			e := c.At(me, opp)
			if e.OpponentOwned > e.Cubeless+1e-5 || e.Owned < e.Cubeless-1e-5 || e.Centered < e.OpponentOwned-1e-5 ||
				e.Centered > e.Owned+1e-5 {
				t.Fatalf("%d against %d: %+v", me, opp, e)
			}
			if e.Owned > 1+1e-5 || e.OpponentOwned < -1-1e-5 || e.Centered < -1-1e-5 {
				t.Fatalf("%d against %d: %+v", me, opp, e)
			}
		}
	}
	if _, err := BuildCubeful(context.Background(), DefaultTwoSided+1); err == nil {
		t.Error("a database for too many checkers")
	}
}

// Equities of GNU Backgammon 1.07's two-sided database: no double with a centered
// cube and with one's own, double and take.
func TestCubefulAgainstGNUbg(t *testing.T) {
	c, err := BuildCubeful(context.Background(), 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []struct {
		me, opp                     home
		centered, owned, doubleTake float64
	}{
		{home{1, 1, 0, 1}, home{0, 2, 1}, 0.76077, 0.76077, 1.51092},
		{home{0, 0, 1, 1, 1, 1}, home{1, 1, 1, 1}, -0.64279, -0.36129, -1.30724},
		{home{2, 2}, home{2, 2}, 0.76077, 0.76077, 1.52154},
		{home{0, 0, 0, 0, 1, 1}, home{1, 1}, -0.66665, -0.66665, -1.33330},
	} {
		me, _ := Index(&g.me)
		opp, _ := Index(&g.opp)
		e := c.At(me, opp)
		if math.Abs(e.Centered-g.centered) > 1e-4 || math.Abs(e.Owned-g.owned) > 1e-4 ||
			math.Abs(2*e.OpponentOwned-g.doubleTake) > 2e-4 {
			t.Errorf("%v against %v: %+v, GNU Backgammon %v %v %v", g.me, g.opp, e, g.centered, g.owned, g.doubleTake)
		}
	}
}

// Without a cube it is the two-sided database.
func TestCubefulCubeless(t *testing.T) {
	if testing.Short() {
		t.Skip("only numbers")
	}
	db, err := open(context.Background(), "", 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, homes := range [][2]home{{{1, 2}, {0, 0, 2}}, {{0, 0, 0, 0, 0, 4}, {0, 0, 0, 0, 4}},
		{{1, 1, 1, 1}, {0, 0, 1, 1, 1}}} {
		var b bg.Board
		copy(b.Me[:], homes[0][:])
		copy(b.Opp[:], homes[1][:])
		e, ok := db.Cubeful(&b)
		var o bg.Outputs
		db.Evaluate(&b, &o)
		if !ok || math.Abs(e.Cubeless-float64(o.Equity())) > 1e-5 {
			t.Errorf("%v: %+v %v, two-sided %v", homes, e, ok, o.Equity())
		}
	}
	var b bg.Board
	b.Me[0], b.Opp[0] = 5, 1
	if _, ok := db.Cubeful(&b); ok {
		t.Error("five checkers are in a database of four")
	}
}

func BenchmarkBuildCubeful(b *testing.B) {
	for b.Loop() {
		if _, err := BuildCubeful(context.Background(), DefaultTwoSided); err != nil {
			b.Fatal(err)
		}
	}
}
