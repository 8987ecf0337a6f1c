package bearoff

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
)

// CubeEquities are the exact equities for money of the player on roll with the doubling cube in play, in points
// per cube, before the cube decision and without doubling now: with the cube in the middle, with one's own, and
// with the opponent's. Cubeless is the equity without a cube.
type CubeEquities struct {
	Cubeless, Centered, Owned, OpponentOwned float64
}

// Cubeful is an exact database of positions without gammons with the doubling cube
// in play, for money, both sides handling cube and checkers best.
type Cubeful struct {
	checkers, n int
	// Before the roll, without doubling now; [x*n+y], x on roll.
	centered, owned, opponent []float32
	cubeless                  []float32
}

// BuildCubeful computes the database for so many checkers a side, up to
// DefaultTwoSided. It takes a second or two, and 32 bytes a pair of positions, of which it keeps 16.
//
// With the side at x on roll against y, each value is the mean over the rolls of the best of what the plays leave
// the opponent, who then decides about the cube first. A play takes x to a smaller number, so that pairs with a
// side at m and none above follow from those below m: first with m on roll, then against it.
func BuildCubeful(ctx context.Context, checkers int) (*Cubeful, error) {
	if checkers < 1 || checkers > DefaultTwoSided {
		return nil, fmt.Errorf("cubeful bearoff database for %d checkers: 1 to %d expected", checkers, DefaultTwoSided)
	}
	n := Positions(checkers)
	b := &cubefulBuilder{
		Cubeful: &Cubeful{checkers: checkers, n: n, centered: make([]float32, n*n), owned: make([]float32, n*n),
			opponent: make([]float32, n*n), cubeless: make([]float32, n*n)},
		plays: makePlays(n),
		left:  make([][4]float32, n*n),
	}
	for y := range n {
		b.left[y*n] = [4]float32{1, 1, 1, 1}
	}
	workers := runtime.GOMAXPROCS(0)
	for m := 1; m < n; m++ {
		if m%32 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		parallel.Ranges(workers, m-1, 64, func(from, to int) {
			for y := 1 + from; y < 1+to; y++ {
				b.compute(m, y)
			}
		})
		parallel.Ranges(workers, m, 64, func(from, to int) {
			for x := 1 + from; x < 1+to; x++ {
				b.compute(x, m)
			}
		})
	}
	return b.Cubeful, nil
}

// cubefulBuilder computes a Cubeful.
type cubefulBuilder struct {
	*Cubeful
	plays *plays
	// left is what a play that leads to x is worth to the player who made it, with the opponent at y on roll, at
	// [y*n+x]: without a cube, with a centered one, with one's own, with the opponent's.
	left [][4]float32
}

// compute sets the values of a pair.
func (b *cubefulBuilder) compute(x, y int) {
	row := b.left[y*b.n:][:b.n]
	var sums [4]float32
	for r, w := range weights {
		best0, best1, best2, best3 := float32(-4), float32(-4), float32(-4), float32(-4)
		for _, to := range b.plays.of(x, r) {
			v := &row[to]
			best0 = max(best0, v[0])
			best1 = max(best1, v[1])
			best2 = max(best2, v[2])
			best3 = max(best3, v[3])
		}
		sums[0] += float32(w) * best0
		sums[1] += float32(w) * best1
		sums[2] += float32(w) * best2
		sums[3] += float32(w) * best3
	}
	at := x*b.n + y
	cubeless, centered, owned, opponent := sums[0]/36, sums[1]/36, sums[2]/36, sums[3]/36
	b.cubeless[at], b.centered[at], b.owned[at], b.opponent[at] = cubeless, centered, owned, opponent
	doubled := min(2*opponent, 1) // if the side on roll doubles
	b.left[at] = [4]float32{-cubeless, -max(centered, doubled), -opponent, -max(owned, doubled)}
}

// At returns the equities of a pair of positions by their numbers.
func (c *Cubeful) At(me, opp int) CubeEquities {
	at := me*c.n + opp
	return CubeEquities{float64(c.cubeless[at]), float64(c.centered[at]), float64(c.owned[at]), float64(c.opponent[at])}
}

// Of returns the equities of a position with a checker on each side, and whether the database has it.
func (c *Cubeful) Of(b *bg.Board) (CubeEquities, bool) {
	if max(b.Me.Back(), b.Opp.Back()) >= Points {
		return CubeEquities{}, false
	}
	me, mine := Index((*home)(b.Me[:Points]))
	opp, theirs := Index((*home)(b.Opp[:Points]))
	if max(mine, theirs) > c.checkers || min(mine, theirs) == 0 {
		return CubeEquities{}, false
	}
	return c.At(me, opp), true
}

// Positions returns the number of positions of a side, the empty one included.
func (c *Cubeful) Positions() int { return c.n }

// cubeful is the database of a DB, computed when first asked for.
type cubeful struct {
	once sync.Once
	db   *Cubeful
}

// Cubeful returns the exact equities with the cube of a position that passes Check, and whether it is one of those
// that they are known of: no more checkers a side than the two-sided database and DefaultTwoSided have, all in the
// home boards. The first call computes them all, which takes seconds.
func (db *DB) Cubeful(b *bg.Board) (CubeEquities, bool) {
	if db.two == nil || !db.Covers(b) {
		return CubeEquities{}, false
	}
	me, mine := Index((*home)(b.Me[:Points]))
	opp, theirs := Index((*home)(b.Opp[:Points]))
	checkers := min(db.two.checkers, DefaultTwoSided)
	if max(mine, theirs) > checkers {
		return CubeEquities{}, false
	}
	db.cube.once.Do(func() { db.cube.db, _ = BuildCubeful(context.Background(), checkers) })
	if db.cube.db == nil {
		return CubeEquities{}, false
	}
	return db.cube.db.At(me, opp), true
}
