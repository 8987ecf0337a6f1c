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
// DefaultTwoSided. It takes seconds and 16 bytes a pair of positions.
//
// With the side at x on roll against y, each value is the mean over the rolls of the best of what the plays leave
// the opponent, who then decides about the cube first. A play takes x to a smaller number, so that all pairs of
// one sum follow from those of smaller sums.
func BuildCubeful(ctx context.Context, checkers int) (*Cubeful, error) {
	if checkers < 1 || checkers > DefaultTwoSided {
		return nil, fmt.Errorf("cubeful bearoff database for %d checkers: 1 to %d expected", checkers, DefaultTwoSided)
	}
	n := Positions(checkers)
	c := &Cubeful{checkers: checkers, n: n,
		centered: make([]float32, n*n), owned: make([]float32, n*n), opponent: make([]float32,
			n*n), cubeless: make([]float32, n*n)}
	pl := makePlays(n)
	for sum := 2; sum <= 2*(n-1); sum++ {
		if sum%64 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		first, last := max(1, sum-n+1), min(n-1, sum-1)
		parallel.Ranges(runtime.GOMAXPROCS(0), last-first+1, 64, func(from, to int) {
			for x := first + from; x < first+to; x++ {
				c.compute(pl, x, sum-x)
			}
		})
	}
	return c, nil
}

// compute sets the values of a pair.
func (c *Cubeful) compute(pl *plays, x, y int) {
	var sums [4]float32
	for r, w := range weights {
		best := [4]float32{-4, -4, -4, -4}
		for _, to := range pl.of(x, r) {
			v := c.left(y, int(to))
			for k := range best {
				best[k] = max(best[k], v[k])
			}
		}
		for k := range sums {
			sums[k] += float32(w) * best[k]
		}
	}
	at := x*c.n + y
	c.cubeless[at], c.centered[at], c.owned[at], c.opponent[at] = sums[0]/36, sums[1]/36, sums[2]/36, sums[3]/36
}

// left returns what a play that leads to x is worth to the player who made it, with the opponent at y on roll:
// without a cube, with a centered one, with one's own, with the opponent's.
func (c *Cubeful) left(y, x int) [4]float32 {
	if x == 0 {
		return [4]float32{1, 1, 1, 1}
	}
	at := y*c.n + x
	doubled := min(2*c.opponent[at], 1) // the opponent doubles
	return [4]float32{-c.cubeless[at], -max(c.centered[at], doubled), -c.opponent[at], -max(c.owned[at], doubled)}
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
