package features

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
)

// The slow second versions of the sets of the sources.

func refHilton(b *bg.Board, units int) []float32 {
	var x []float32
	for _, s := range []*bg.Side{&b.Me, &b.Opp} {
		for _, c := range s[:24] {
			n := int(c)
			x = append(x, is(n == 1))
			for k := 2; k < units; k++ {
				x = append(x, is(n >= k))
			}
			x = append(x, max(0, float32(n-units+1)/2))
		}
		bar := int(s[bg.Bar])
		if units == 4 {
			x = append(x, is(bar >= 1), max(0, float32(bar-1)/2), float32(s.Off())/15)
			continue
		}
		x = append(x, is(bar >= 1), is(bar >= 2), is(bar >= 3), max(0, float32(bar-3)/2))
		for k := 1; k <= 15; k++ {
			x = append(x, is(s.Off() >= k))
		}
	}
	return x
}

func refBlog(b *bg.Board, measures func(own, other *bg.Side) []float32) []float32 {
	t := refTesauro(b)
	x := append([]float32(nil), t[:98]...)
	x = append(x, measures(&b.Me, &b.Opp)...)
	x = append(x, t[98:]...)
	return append(x, measures(&b.Opp, &b.Me)...)
}

func refSafe(own, other *bg.Side) float32 {
	if own.Off() > 0 {
		return 1
	}
	back := 0
	for i, n := range own {
		if n > 0 {
			back = i
		}
	}
	return is(back < 18 && own.Back()+other.Back() <= 22)
}

// refHitRolls plays every roll in every order. Several sets ask for the same sides
// one after the other.
func refHitRolls(own, other *bg.Side) float32 {
	key := [2]bg.Side{*own, *other}
	if x, ok := refHits[key]; ok {
		return x
	}
	if len(refHits) > 100 {
		clear(refHits)
	}
	refHits[key] = refHitRollsOf(own, other)
	return refHits[key]
}

var refHits = map[[2]bg.Side]float32{}

func refHitRollsOf(own, other *bg.Side) float32 {
	hits := 0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= 6; d2++ {
			switch {
			case d1 == d2 && canHit(*own, other, []int{d1, d1, d1, d1}),
				d1 != d2 && (canHit(*own, other, []int{d1, d2}) || canHit(*own, other, []int{d2, d1})):
				hits++
			}
		}
	}
	return over(hits, 36)
}

func canHit(own bg.Side, other *bg.Side, dice []int) bool {
	if len(dice) == 0 {
		return false
	}
	for i := bg.Bar; i >= 0; i-- {
		to := i - dice[0]
		if own[i] == 0 || to < 0 || other[23-to] > 1 {
			if i == bg.Bar && own[i] > 0 {
				return false
			}
			continue
		}
		if other[23-to] == 1 {
			return true
		}
		next := own
		next[i]--
		next[to]++
		if canHit(next, other, dice[1:]) {
			return true
		}
		if i == bg.Bar {
			return false // the others may not move
		}
	}
	return false
}

func refPrime(own *bg.Side) int {
	longest, n := 0, 0
	for i := range 12 {
		if n++; own[i] < 2 {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

func refFewest(own, other *bg.Side, from, to int) float32 {
	least := 36
	for i := from; i <= to; i++ {
		if own[i] > 0 {
			least = min(least, refEscapes(other, i, false))
		}
	}
	return over(least, 36)
}

func refBarEscapes(own, other *bg.Side) float32 {
	n := 0
	for i := 18; i < 24; i++ {
		if other[23-i] < 2 {
			n += refEscapes(other, i, false)
		}
	}
	return over(n, 216)
}

func init() {
	references[Hilton198] = func(b *bg.Board) []float32 { return refHilton(b, 4) }
	references[Hilton326] = func(b *bg.Board) []float32 { return refHilton(b, 6) }
	two := func(own, other *bg.Side) []float32 { return []float32{refSafe(own, other)} }
	one := func(own, other *bg.Side) []float32 { return append(two(own, other), refHitRolls(own, other)) }
	four := func(own, other *bg.Side) []float32 {
		return append(one(own, other), refFewest(own, other, 15, 23), refFewest(own, other, 1, 15))
	}
	for s, measures := range map[*Set]func(own, other *bg.Side) []float32{
		Blog2:  two,
		Blog21: one,
		Blog22: func(own, other *bg.Side) []float32 {
			return append(one(own, other), over(min(6, refPrime(own)), 6))
		},
		Blog23: func(own, other *bg.Side) []float32 {
			n := refPrime(own)
			return append(one(own, other), over(min(3, n), 3), is(n >= 4), is(n >= 5), max(0, float32(n-5)))
		},
		Blog24: four,
		Blog35: func(own, other *bg.Side) []float32 { return append(four(own, other), refBarEscapes(own, other)) },
	} {
		references[s] = func(b *bg.Board) []float32 { return refBlog(b, measures) }
	}
}

// TestHitsAgreeWithPlays holds the shots to what legal plays hit: never fewer rolls
// (a legal play that hits is a way to hit), and seldom more (the rules may demand
// both dice another way).
func TestHitsAgreeWithPlays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var plays bg.Plays
	boards, more := 0, 0
	randomGames(7, 20, func(b *bg.Board) {
		if rng.IntN(4) > 0 {
			return
		}
		var side blogSide
		side.read(&b.Me, &b.Opp)
		legal := 0
		for d1 := 1; d1 <= 6; d1++ {
			for d2 := 1; d2 <= 6; d2++ {
				for _, r := range plays.Generate(b, d1, d2) {
					if r.Me[bg.Bar] > b.Opp[bg.Bar] {
						legal++
						break
					}
				}
			}
		}
		boards++
		switch n := side.hitRolls(); {
		case n < legal:
			t.Fatalf("%d rolls hit, legal plays with %d do\n%s", n, legal, b.Draw())
		case n > legal:
			more++
		}
	})
	if boards < 100 || more*20 > boards {
		t.Errorf("more hits than the rules allow in %d of %d positions", more, boards)
	}
}

// TestSidesChangePlaces: the sets of the sources have a block a side, and with the
// sides exchanged the blocks change places.
func TestSidesChangePlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, s := range []*Set{Tesauro, Hilton198, Hilton326, Blog2, Blog21, Blog22, Blog23, Blog24, Blog35} {
		x, y := make([]float32, s.Size), make([]float32, s.Size)
		for range 500 {
			b := randomBoard(rng)
			s.Encode(&b, x)
			b.Me, b.Opp = b.Opp, b.Me
			s.Encode(&b, y)
			for i := range x {
				if j := (i + s.Size/2) % s.Size; x[i] != y[j] {
					t.Fatalf("%s: input %d (%s) is %v, exchanged %v", s.Name, i, s.InputName(i), x[i], y[j])
				}
				if math.IsNaN(float64(x[i])) || x[i] < 0 || x[i] > 10 {
					t.Fatalf("%s: input %d (%s) is %v", s.Name, i, s.InputName(i), x[i])
				}
			}
		}
	}
}

// Of sets of two halves, the halves change places where the sides do; those of the sources are such sets.
func TestTwoHalves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	two := map[string]bool{}
	for _, s := range sets {
		if two[s.Name] = s.TwoHalves(); !two[s.Name] {
			continue
		}
		seen, other := make([]float32, s.Size), make([]float32, s.Size)
		for range 200 {
			b := randomBoard(rng)
			s.Encode(&b, seen)
			swapped := b.Swapped()
			s.Encode(&swapped, other)
			for i := range seen {
				if j := (i + s.Size/2) % s.Size; seen[i] != other[j] {
					t.Fatalf("%s: %s %v, %s of the other side %v\n%s", s.Name, s.InputName(i), seen[i], s.InputName(j),
						other[j], b.Draw())
				}
			}
		}
	}
	for _, name := range []string{"tesauro", "blog-2", "blog-2.4", "blog-3.5", "hilton-198", "hilton-326", "gnubg-race"} {
		if !two[name] {
			t.Errorf("%s has no two halves", name)
		}
	}
	if two["gnubg-contact"] {
		t.Error("the halves of gnubg-contact do not lie half of the inputs apart")
	}
}
