package jumpsim

import (
	"math"
	"math/rand/v2"
)

// Result is the mean of games played.
type Result struct {
	Mean, SE float64
	Jumps    float64 // a game, on average
	Cube     float64 // at the end, on average
}

// Play plays games of the process from a chance to win with a centered cube,
// both sides handling it as the solution says, and returns what the side whose
// chance it is wins.
func (a *Solution) Play(from float64, games int, seed uint64) Result {
	rng := rand.New(rand.NewPCG(seed, 0x6a756d70))
	var sum, squares, jumps, cubes float64
	for range games {
		points, cube, n := a.game(rng, from)
		sum += points
		squares += points * points
		jumps += float64(n)
		cubes += cube
	}
	n := float64(games)
	mean := sum / n
	return Result{mean, math.Sqrt((squares/n - mean*mean) / n), jumps / n, cubes / n}
}

func (a *Solution) game(rng *rand.Rand, p float64) (points, cube float64, jumps int) {
	cube = 1
	owner := 0 // 1 the side whose chance p is, -1 the other, 0 both
	for {
		p = a.jump(rng, p)
		jumps++
		if p <= 0 {
			return -a.s.L * cube, cube, jumps
		}
		if p >= 1 {
			return a.s.W * cube, cube, jumps
		}
		wait := a.At(a.values(owner), p)
		mine, theirs := 2*a.At(a.OpponentOwned, p), 2*a.At(a.Owned, p)
		switch {
		case owner >= 0 && min(mine, 1) > wait && (owner > 0 || p >= 0.5 || max(theirs, -1) >= wait):
			if mine >= 1 {
				return cube, cube, jumps
			}
			cube, owner = 2*cube, -1
		case owner <= 0 && max(theirs, -1) < wait:
			if theirs <= -1 {
				return -cube, cube, jumps
			}
			cube, owner = 2*cube, 1
		}
	}
}

func (a *Solution) values(owner int) []float64 {
	switch owner {
	case 1:
		return a.Owned
	case -1:
		return a.OpponentOwned
	}
	return a.Centered
}

// jump draws where a jump from p ends, 0 and 1 included, by the inverse of its
// distribution function, which below p is sinh((1-p)/v) cosh(y/v) / sinh(1/v),
// and above it the mirror image of that.
func (a *Solution) jump(rng *rand.Rand, p float64) float64 {
	v := a.s.Volatility
	u := rng.Float64()
	below := math.Sinh((1-p)/v) / math.Sinh(1/v)
	if u <= below*math.Cosh(p/v) {
		return v * math.Acosh(max(u/below, 1))
	}
	above := math.Sinh(p/v) / math.Sinh(1/v)
	return 1 - v*math.Acosh(max((1-u)/above, 1))
}
