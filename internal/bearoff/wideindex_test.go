package bearoff

import (
	"math/rand/v2"
	"testing"
)

// randomSpread puts so many checkers on the first points.
func randomSpread(rng *rand.Rand, points, checkers int) (s spread) {
	for range checkers {
		s[rng.IntN(points)]++
	}
	return s
}

func TestNumbering(t *testing.T) {
	for points, want := range map[int]int{1: 16, 6: NumOneSided, 7: 170544, 8: 490314, 9: 1307504, 10: 3268760} {
		n := newNumbering(points)
		if got := n.positions(maxCheckers); got != want {
			t.Errorf("%d positions on %d points, want %d", got, points, want)
		}
		step := max(want/5000, 1)
		for id := 0; id < want; id += step {
			s := n.position(uint32(id))
			back, checkers := n.index(&s)
			if int(back) != id || id >= n.positions(checkers) || checkers > 0 && id < n.positions(checkers-1) {
				t.Fatalf("%d points: position %d is %v, whose number is %d", points, id, s, back)
			}
		}
	}
}

// TestNumberingOfHomes holds the numbers of six points to Index.
func TestNumberingOfHomes(t *testing.T) {
	n := newNumbering(Points)
	for id, h := range Homes(NumOneSided) {
		var s spread
		copy(s[:], h[:])
		if got, _ := n.index(&s); int(got) != id || n.position(uint32(id)) != s {
			t.Fatalf("%v is %d, Index says %d", h, got, id)
		}
	}
}

// TestMovesGoDown checks that every move leads to a smaller number and fewer pips.
func TestMovesGoDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := newNumbering(MaxPoints)
	var list moveList
	for range 2000 {
		s := randomSpread(rng, 1+rng.IntN(MaxPoints), 1+rng.IntN(maxCheckers))
		id, _ := n.index(&s)
		for die := 1; die <= 6; die++ {
			for _, to := range list.of(n, &s, die) {
				after := n.position(to)
				if to >= id || pips(&after) >= pips(&s) || pips(&after) < pips(&s)-die {
					t.Fatalf("%v with %d leads to %v", s, die, after)
				}
			}
		}
	}
}
