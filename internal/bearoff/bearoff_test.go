package bearoff

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"bgtrain/internal/bg"
)

// sharedDB is computed once for all tests, without a cache.
var sharedDB = sync.OnceValues(func() (*DB, error) {
	return open(context.Background(), "", DefaultTwoSided, nil)
})

func testDB(t testing.TB) *DB {
	t.Helper()
	db, err := sharedDB()
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func randomHome(rng *rand.Rand, checkers int) (h home) {
	spread := 1 + rng.IntN(Points)
	for range checkers {
		h[rng.IntN(spread)]++
	}
	return h
}

func boardOf(me, opp home) (b bg.Board) {
	copy(b.Me[:], me[:])
	copy(b.Opp[:], opp[:])
	return b
}

func TestIndex(t *testing.T) {
	for n, want := range []int{1, 7, 28, 84, 210, 462, 924, 1716, 3003, 5005, 8008, 12376, 18564, 27132, 38760,
		NumOneSided} {
		if got := Positions(n); got != want {
			t.Errorf("Positions(%d) = %d, want %d", n, got, want)
		}
	}
	last := 0
	for want, h := range Homes(NumOneSided) {
		sum := 0
		for _, c := range h {
			sum += int(c)
		}
		id, total := Index(&h)
		if id != want || total != sum {
			t.Fatalf("Index(%v) = %d, %d, want %d, %d", h, id, total, want, sum)
		}
		if sum < last {
			t.Fatalf("position %d has %d checkers, the one before %d", id, sum, last)
		}
		last = sum
	}
}

// TestKnown checks distributions that are easily worked out by hand, in 36ths.
func TestKnown(t *testing.T) {
	db := testDB(t)
	tests := []struct {
		name string
		home home
		want []float64 // from one roll on
	}{
		{"one on the 1-point", home{1}, []float64{36}},
		{"two on the 1-point", home{2}, []float64{36}},
		{"three on the 1-point, doubles needed", home{3}, []float64{6, 30}},
		{"1-point and 2-point", home{1, 1}, []float64{36}},
		{"two on the 2-point, no single 1", home{0, 2}, []float64{26, 10}},
		{"one on the 4-point: not 21, and 11 is enough", home{0, 0, 0, 1}, []float64{34, 2}},
		{"one on the 6-point: not 11, 21, 31, 41, 32", home{0, 0, 0, 0, 0, 1}, []float64{27, 9}},
	}
	for _, tt := range tests {
		d := db.Rolls(&tt.home)
		for n, p := range d.P {
			want := 0.0
			if n >= 1 && n <= len(tt.want) {
				want = tt.want[n-1] / 36
			}
			if math.Abs(float64(p)-want) > 1e-6 {
				t.Errorf("%s: P[%d] = %v, want %v", tt.name, n, p, want)
			}
		}
		if int(d.Min) != 1 || int(d.Max) != len(tt.want) {
			t.Errorf("%s: %d to %d rolls, want 1 to %d", tt.name, d.Min, d.Max, len(tt.want))
		}
	}

	// All on the 6-point: a 6, or 33, 22, 51, 42 bear off a checker at once.
	d := db.Rolls(&home{5: 15})
	if want := 17.0 / 36; math.Abs(float64(d.First[1])-want) > 1e-6 {
		t.Errorf("First[1] = %v with all on the 6-point, want %v", d.First[1], want)
	}
	// 66 four times; a roll of fewer pips is not enough.
	if d.Min != 4 {
		t.Errorf("Min = %d with all on the 6-point, want 4", d.Min)
	}
	// All on the 1-point: four rolls only with doubles every time.
	d = db.Rolls(&home{15})
	if want := 1.0 / (6 * 6 * 6 * 6); d.Min != 4 || math.Abs(float64(d.P[4])-want) > 1e-6 {
		t.Errorf("P[4] = %v, Min %d with all on the 1-point, want %v, 4", d.P[4], d.Min, want)
	}
}

func TestDistributions(t *testing.T) {
	db := testDB(t)
	all := Homes(NumOneSided)
	for id := range db.one {
		d := &db.one[id]
		sum, first, mean := 0.0, 0.0, 0.0
		for n, p := range d.P {
			sum += float64(p)
			mean += float64(n) * float64(p)
			if p < 0 || n < int(d.Min) && p != 0 {
				t.Fatalf("%v: P[%d] = %v, Min %d", all[id], n, p, d.Min)
			}
			if n > int(d.Max) && p > 3.0/65535 {
				t.Fatalf("%v: P[%d] = %v, Max %d", all[id], n, p, d.Max)
			}
			if n > 0 && d.AtLeast[n] > d.AtLeast[n-1] {
				t.Fatalf("%v: AtLeast %v", all[id], d.AtLeast)
			}
		}
		for _, p := range d.First {
			first += float64(p)
		}
		if math.Abs(sum-1) > 1e-6 || math.Abs(first-1) > 1e-6 || math.Abs(mean-float64(d.Mean)) > 1e-5 ||
			d.P[d.Min] == 0 {
			t.Fatalf("%v: sums %v and %v, mean %v, %+v", all[id], sum, first, mean, d)
		}
		if off := id < Positions(14); off != (d.First[0] == 1) {
			t.Fatalf("%v: First %v", all[id], d.First)
		}
	}
}

func TestCovers(t *testing.T) {
	db := testDB(t)
	tests := []struct {
		name string
		b    bg.Board
		want bool
	}{
		{"all at home", bg.Board{Me: bg.Side{5: 15}, Opp: bg.Side{5: 15}}, true},
		{"last checkers", bg.Board{Me: bg.Side{0: 1}, Opp: bg.Side{0: 1}}, true},
		{"my checker outside", bg.Board{Me: bg.Side{6: 1}, Opp: bg.Side{0: 1}}, false},
		{"his checker outside", bg.Board{Me: bg.Side{0: 1}, Opp: bg.Side{6: 1}}, false},
		{"on the bar", bg.Board{Me: bg.Side{bg.Bar: 1}, Opp: bg.Side{0: 1}}, false},
		{"I have won", bg.Board{Opp: bg.Side{0: 1}}, false},
		{"he has won", bg.Board{Me: bg.Side{0: 1}}, false},
		{"start", bg.Start, false},
	}
	for _, tt := range tests {
		if got := db.Covers(&tt.b); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestEvaluateIsConsistent checks bounds, and that the databases agree where
// both have a position.
func TestEvaluateIsConsistent(t *testing.T) {
	db := testDB(t)
	oneOnly := &DB{one: db.one}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		b := boardOf(randomHome(rng, 1+rng.IntN(15)), randomHome(rng, 1+rng.IntN(15)))
		var out, one bg.Outputs
		db.Evaluate(&b, &out)
		oneOnly.Evaluate(&b, &one)
		if out[bg.Win] < 0 || out[bg.Win] > 1 || out[bg.WinGammon] > out[bg.Win] ||
			out[bg.LoseGammon] > 1-out[bg.Win] || out[bg.WinBackgammon] != 0 || out[bg.LoseBackgammon] != 0 {
			t.Fatalf("%s: %v", b.Key(), out)
		}
		if b.Opp.OnBoard() < 15 && out[bg.WinGammon] != 0 || b.Me.OnBoard() < 15 && out[bg.LoseGammon] != 0 {
			t.Fatalf("%s: gammons %v", b.Key(), out)
		}
		if d := out[bg.Win] - one[bg.Win]; d > 0.015 || d < -0.015 {
			t.Fatalf("%s: %v two-sided, %v one-sided", b.Key(), out, one)
		}
	}
}

// TestGammons works out two gammon chances by hand.
func TestGammons(t *testing.T) {
	db := testDB(t)
	// Three on the 1-point: 1/6 off at once, else with the second roll. The
	// opponent's first checker is off with his first roll 17/36 of the time.
	b := boardOf(home{3}, home{5: 15})
	want := bg.Outputs{1, float32(1.0/6 + 5.0/6*19/36), 0, 0, 0}
	for range 2 {
		var out bg.Outputs
		db.Evaluate(&b, &out)
		for i := range out {
			if d := out[i] - want[i]; d > 1e-6 || d < -1e-6 {
				t.Errorf("%s: %v, want %v", b.Key(), out, want)
			}
		}
		// With the other on roll, his first try comes before each of mine.
		b = b.Swapped()
		second := float64(db.Rolls(&home{5: 15}).FirstAtLeast[3]) // not off with two rolls
		want = bg.Outputs{0, 0, 0, float32(1.0/6*19/36 + 5.0/6*second), 0}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	db := testDB(t)
	b := boardOf(home{5: 15}, home{4: 15})
	race := bg.Board{Me: bg.Side{0: 5}, Opp: bg.Side{20: 3, 6: 12}}
	var out bg.Outputs
	n := testing.AllocsPerRun(10, func() {
		db.Evaluate(&b, &out)
		out[bg.Win] += db.RaceBackgammon(&race, true) + db.Rolls((*home)(b.Me[:6])).Mean
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCompare(t *testing.T) {
	s, err := testDB(t).Compare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// GNU Backgammon's own two databases of 6 checkers give 0.00034, 0.0032,
	// -0.0279 and 0.0237.
	if s.Pairs != 923*923 || math.Abs(s.Mean-0.00033) > 0.00003 || math.Abs(s.SD-0.0032) > 0.0001 ||
		math.Abs(s.Min+0.0279) > 0.0001 || math.Abs(s.Max-0.0237) > 0.0001 {
		t.Errorf("%+v", s)
	}
	if _, err := (&DB{}).Compare(context.Background()); err == nil {
		t.Error("no error without a two-sided database")
	}
}
