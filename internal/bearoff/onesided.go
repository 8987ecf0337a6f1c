package bearoff

import "context"

// Dist says how many rolls one side needs from a position in its home board.
// The plays need the fewest rolls on average: to bear off everything in P, to
// bear off one checker in First.
type Dist struct {
	P       [32]float32 // P[n]: the probability of bearing off everything in exactly n rolls
	AtLeast [32]float32 // AtLeast[n]: in n rolls or more, the sum of P from n on

	// First[n] is the probability that the first of fifteen checkers comes off
	// with exactly the n-th roll, FirstAtLeast[n] with that or a later one.
	// Where a checker is off already, First[0] is 1.
	First, FirstAtLeast [8]float32

	Mean float32 // the mean number of rolls to bear off everything

	Min uint8 // the least n with P[n] > 0
	// Max is the largest n with a probability that 16 bits can tell from zero,
	// at least 0.5/65535: GNU Backgammon keeps no more, and takes this for the
	// largest number of rolls when it judges what is possible in a race.
	Max uint8
	end uint8 // AtLeast is below negligible from here on
}

// negligible is a probability that an evaluation leaves out.
const negligible = 1e-9

// numFirst is the number of entries of Dist.First.
const numFirst = 8

// exact is a Dist in the making.
type exact struct {
	p           [32]float64
	first       [numFirst]float64
	mean        float64 // of p
	meanFirst   float64
	coarse      [32]uint16 // p as GNU Backgammon rounds it, in units of 1/65535
	coarseMean  uint32     // of coarse, in units of 1/65535
	min, length uint8      // p is zero outside [min, min+length)
}

// buildOneSided computes the one-sided database.
func buildOneSided(ctx context.Context, workers int, done func(positions int)) ([]Dist, error) {
	all := homes(numOneSided)
	pl := makePlays(numOneSided)
	table := make([]exact, numOneSided)
	table[0] = exact{length: 1}
	table[0].p[0], table[0].first[0], table[0].coarse[0] = 1, 1, 0xffff

	// Every roll leads to fewer pips: positions of one pip count do not depend on
	// each other.
	byPips := make([][]uint16, maxCheckers*Points+1)
	for id, h := range all {
		pips := 0
		for i, c := range h {
			pips += (i + 1) * int(c)
		}
		byPips[pips] = append(byPips[pips], uint16(id))
	}
	fifteen := positions(maxCheckers - 1) // from here on all checkers are on the board
	for _, ids := range byPips[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parallel(workers, len(ids), 64, func(from, to int) {
			for _, id := range ids[from:to] {
				table[id].bearOff(table, pl, int(id))
				if int(id) >= fifteen {
					table[id].saveGammon(table, pl, int(id), fifteen)
				} else {
					table[id].first[0] = 1
				}
			}
		})
		done(len(ids))
	}

	dists := make([]Dist, numOneSided)
	parallel(workers, numOneSided, 1024, func(from, to int) {
		for id := from; id < to; id++ {
			dists[id] = table[id].dist()
		}
	})
	return dists, nil
}

// bearOff computes the rolls to bear off everything from those of the positions
// after the next roll.
func (e *exact) bearOff(table []exact, pl *plays, id int) {
	var coarse [32]uint32
	minRolls, end := uint8(31), uint8(0)
	for r, w := range weights {
		results := pl.of(id, r)
		best, rough := &table[results[0]], &table[results[0]]
		for _, to := range results[1:] {
			if t := &table[to]; t.mean < best.mean {
				best = t
			}
			if t := &table[to]; t.coarseMean < rough.coarseMean {
				rough = t
			}
		}
		for n := best.min; n < best.min+best.length; n++ {
			e.p[n+1] += float64(w) * best.p[n]
		}
		minRolls, end = min(minRolls, best.min+1), max(end, best.min+best.length+1)
		for n := rough.min; n < rough.min+rough.length; n++ {
			coarse[n+1] += w * uint32(rough.coarse[n])
		}
	}
	e.min, e.length = minRolls, end-minRolls
	for n := range e.p {
		e.p[n] /= 36
		e.mean += float64(n) * e.p[n]
	}
	e.coarse = roundCoarse(&coarse)
	for n, c := range e.coarse {
		e.coarseMean += uint32(n) * uint32(c)
	}
}

// roundCoarse divides by 36 and gives the rounding error of the sum to the most
// probable entry, as GNU Backgammon does.
func roundCoarse(sums *[32]uint32) (c [32]uint16) {
	left, mode := 0xffff, 0
	for n, s := range sums {
		c[n] = uint16((s + 18) / 36)
		left -= int(c[n])
		if c[n] > c[mode] {
			mode = n
		}
	}
	c[mode] = uint16(int(c[mode]) + left)
	return c
}

// saveGammon computes the rolls to the first checker off for a position with all
// checkers on the board; fifteen is the first such position.
func (e *exact) saveGammon(table []exact, pl *plays, id, fifteen int) {
	for r, w := range weights {
		results := pl.of(id, r)
		best := &table[results[0]]
		if int(results[0]) >= fifteen { // otherwise a checker comes off
			for _, to := range results[1:] {
				if t := &table[to]; t.meanFirst < best.meanFirst {
					best = t
				}
			}
		}
		for n := range numFirst - 1 {
			e.first[n+1] += float64(w) / 36 * best.first[n]
		}
	}
	for n, p := range e.first {
		e.meanFirst += float64(n) * p
	}
}

// dist rounds to float32 and adds up the tails.
func (e *exact) dist() Dist {
	d := Dist{Min: e.min}
	for n, p := range e.p {
		d.P[n] = float32(p)
	}
	for n, p := range e.first {
		d.First[n] = float32(p)
	}
	for n, c := range e.coarse {
		if c > 0 {
			d.Max = uint8(n)
		}
	}
	d.derive()
	return d
}

// derive computes AtLeast, FirstAtLeast, Mean and end from P and First.
func (d *Dist) derive() {
	sum, mean := 0.0, 0.0
	for n := len(d.P) - 1; n >= 0; n-- {
		mean += float64(n) * float64(d.P[n])
		sum += float64(d.P[n])
		d.AtLeast[n] = min(float32(sum), 1)
		if sum < negligible {
			d.end = uint8(n)
		}
	}
	d.Mean = float32(mean)
	sum = 0
	for n := numFirst - 1; n >= 0; n-- {
		sum += float64(d.First[n])
		d.FirstAtLeast[n] = min(float32(sum), 1)
	}
}
