package bearoff

import (
	"context"
	"errors"
	"math"
	"runtime"

	"bgtrain/internal/parallel"
)

// Stats describes how the one-sided database differs from the exact two-sided one:
// one-sided minus exact equity of the player on roll, in points per game.
type Stats struct {
	Checkers int // a side at most
	Pairs    int // positions compared
	Mean, SD float64
	Min, Max float64
	MinAt    [2][6]uint8 // the position of Min: player on roll, opponent; 1-point to 6-point
	MaxAt    [2][6]uint8 // likewise of Max
}

// Compare evaluates every position of the two-sided database with the one-sided
// one too. It is an error if there is no two-sided database or ctx ends.
func (db *DB) Compare(ctx context.Context) (Stats, error) {
	if db.two == nil {
		return Stats{}, errors.New("compare bearoff databases: no two-sided database")
	}
	n := db.two.n
	rows := make([]differences, n) // by the player on roll
	parallel.Ranges(runtime.GOMAXPROCS(0), n, 1, func(from, to int) {
		for me := max(from, 1); me < to && ctx.Err() == nil; me++ {
			rows[me] = db.compareRow(me)
		}
	})
	if err := ctx.Err(); err != nil {
		return Stats{}, err
	}

	total := differences{min: math.Inf(1), max: math.Inf(-1)}
	minMe, maxMe := 0, 0
	for me, r := range rows[1:] {
		total.sum += r.sum
		total.squares += r.squares
		if r.min < total.min {
			total.min, total.minOpp, minMe = r.min, r.minOpp, me+1
		}
		if r.max > total.max {
			total.max, total.maxOpp, maxMe = r.max, r.maxOpp, me+1
		}
	}
	all := Homes(n)
	s := Stats{
		Checkers: db.two.checkers,
		Pairs:    (n - 1) * (n - 1),
		Min:      total.min,
		Max:      total.max,
		MinAt:    [2][6]uint8{all[minMe], all[total.minOpp]},
		MaxAt:    [2][6]uint8{all[maxMe], all[total.maxOpp]},
	}
	s.Mean = total.sum / float64(s.Pairs)
	s.SD = math.Sqrt(total.squares/float64(s.Pairs) - s.Mean*s.Mean)
	return s, nil
}

// differences adds up those of one position of the player on roll.
type differences struct {
	sum, squares, min, max float64
	minOpp, maxOpp         int
}

func (db *DB) compareRow(me int) differences {
	d := differences{min: math.Inf(1), max: math.Inf(-1)}
	for opp := 1; opp < db.two.n; opp++ {
		win := db.one[me].dot(&db.one[opp].AtLeast)
		x := 2 * (float64(win) - float64(db.two.win(me, opp)))
		d.sum += x
		d.squares += x * x
		if x < d.min {
			d.min, d.minOpp = x, opp
		}
		if x > d.max {
			d.max, d.maxOpp = x, opp
		}
	}
	return d
}
