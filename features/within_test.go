package features

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

func withinOf(s *bg.Side) (w within) {
	var r rolls
	r.estimate(s)
	w.set(s, &r)
	return w
}

func TestWithinSize(t *testing.T) {
	if len(withinData) != withinSize {
		t.Fatalf("within.bin has %d bytes, want %d", len(withinData), withinSize)
	}
}

// TestWithinOfBearoff holds the distributions of short bearoffs to the database.
func TestWithinOfBearoff(t *testing.T) {
	if testing.Short() {
		t.Skip("computes a bearoff database where none is cached")
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	sum, worst, count := 0.0, 0.0, 0.0
	for range 20_000 {
		var s bg.Side
		n := 1 + rng.IntN(bg.Checkers)
		for range n {
			s[rng.IntN(homePoints)]++
		}
		w := withinOf(&s)
		d := db.Rolls((*[homePoints]uint8)(s[:homePoints]))
		for k, p := range w.off {
			off := math.Abs(float64(p - (1 - d.AtLeast[k+2])))
			if n <= exactOff && off > 1e-5 {
				t.Fatalf("%v: off within %d rolls %v, the database says %v", s[:homePoints], k+1, p, 1-d.AtLeast[k+2])
			}
			if n > exactOff {
				sum += off * off
				worst = max(worst, off)
				count++
			}
		}
	}
	rms := math.Sqrt(sum / count)
	t.Logf("more than %d checkers: %.4f rms, %.4f at most off the database", exactOff, rms, worst)
	if rms > 0.008 || worst > 0.06 {
		t.Errorf("more than %d checkers: %.4f rms, %.4f at most off the database", exactOff, rms, worst)
	}
}

// TestWithinOfFew checks sides whose rolls can be counted by hand.
func TestWithinOfFew(t *testing.T) {
	for _, c := range []struct {
		name string
		side bg.Side
		want []float64 // off within 1, 2, … rolls
	}{
		// 7 pips or more, and 2-2 and 3-3; only 2-1 twice leaves it on the board.
		{"one on the 7-point", bg.Side{6: 1}, []float64{23. / 36, 1 - 4./1296}},
		// 3-3, 4-4, 5-5 and 6-6.
		{"on the 7-point and the 1-point", bg.Side{0: 1, 6: 1}, []float64{4. / 36}},
		// 6-6.
		{"one on the 24-point", bg.Side{23: 1}, []float64{1. / 36}},
		{"two on the 24-point", bg.Side{23: 2}, []float64{0, 1. / 1296}},
	} {
		w := withinOf(&c.side)
		for n, p := range c.want {
			if math.Abs(float64(w.off[n])-p) > 1e-4 {
				t.Errorf("%s: off within %d rolls %v, want %v", c.name, n+1, w.off[n], p)
			}
		}
	}
}

// safeWithin is the chance to bear off a checker within n rolls with the best
// plays, by trying all of them.
func safeWithin(s *bg.Side, n int) float64 {
	if s.OnBoard() < bg.Checkers {
		return 1
	}
	if n == 0 {
		return 0
	}
	var plays bg.Plays
	b := bg.Board{Me: *s}
	sum := 0.0
	for _, r := range bg.Rolls {
		best := 0.0
		for _, p := range plays.Generate(&b, r.Hi, r.Lo) {
			if best < 1 {
				best = max(best, safeWithin(&p.Opp, n-1))
			}
		}
		sum += float64(r.Weight) / 36 * best
	}
	return sum
}

// TestSafeWithin holds the chances to save the gammon to those of all plays. The
// table does not know how many checkers a home point has, so it is exact where
// each has some to spare and near elsewhere.
func TestSafeWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for outside := 1; outside <= maxOutside; outside++ {
		sum, worst, count := 0.0, 0.0, 0.0
		n := 60
		if testing.Short() {
			n = 10
		}
		for i := range n {
			var s bg.Side
			for range outside {
				s[homePoints+rng.IntN(9)]++
			}
			for range bg.Checkers - outside {
				s[rng.IntN(homePoints)]++
			}
			spare := true
			for _, c := range s[:homePoints] {
				spare = spare && c >= 2
			}
			w := withinOf(&s)
			for k := 1; k <= 2; k++ {
				if k == 2 && i%10 > 0 {
					break // these take time
				}
				off := math.Abs(float64(w.safe[k-1]) - safeWithin(&s, k))
				if spare && k == 1 && off > 0.6/255 {
					t.Errorf("%v: safe within a roll %v, by all plays %v", s[:24], w.safe[0], safeWithin(&s, 1))
				}
				sum += off * off
				worst = max(worst, off)
				count++
			}
		}
		rms := math.Sqrt(sum / count)
		t.Logf("%d outside: %.4f rms, %.4f at most off all plays", outside, rms, worst)
		if rms > 0.02 || worst > 0.1 {
			t.Errorf("%d outside: %.4f rms, %.4f at most off all plays", outside, rms, worst)
		}
	}
}
