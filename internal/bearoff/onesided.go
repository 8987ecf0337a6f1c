package bearoff

import (
	"context"

	"bgtrain/internal/parallel"
)

// Dist is how many rolls one side needs from a position in its home board. The plays need the fewest rolls on
// average: to bear off everything in P, to bear off one checker in First.
type Dist struct {
	P       [32]float32 // P[n]: the probability of bearing off everything in exactly n rolls
	AtLeast [32]float32 // AtLeast[n]: in n rolls or more, the sum of P from n on

	// First[n] is the probability that the first of fifteen checkers comes off with exactly the n-th roll,
	// FirstAtLeast[n] with that or a later one. Where a checker is off already, First[0] is 1.
	First, FirstAtLeast [8]float32

	Mean float32 // the mean number of rolls to bear off everything

	Min uint8 // the least n with P[n] > 0
	// Max is the largest n with a probability that is not zero in 16 bits, at least 0.5/65535: GNU Backgammon
	// keeps no more, and takes this for the largest number of rolls when it judges what is possible in a race.
	Max uint8
	end uint8 // AtLeast is below negligible from here on
}

// negligible is a probability that an evaluation leaves out.
const negligible = 1e-9

// numFirst is the number of entries of Dist.First. More rolls than that without
// bearing off a checker have no chance worth keeping.
const numFirst = 8

// builder computes the one-sided database.
type builder struct {
	singles singles

	p     [][32]float64
	first [][numFirst]float64
	// coarse is p as GNU Backgammon has it: in units of 1/65535, rounded after
	// every roll, with plays chosen by these numbers. It is there for Dist.Max.
	coarse [][32]uint16

	byMean, byFirst, byCoarse *objective
}

// buildOneSided computes the one-sided database.
func buildOneSided(ctx context.Context, workers int, done func(positions int)) ([]Dist, error) {
	const n = NumOneSided
	b := &builder{
		singles:  makeSingles(n, false),
		p:        make([][32]float64, n),
		first:    make([][numFirst]float64, n),
		coarse:   make([][32]uint16, n),
		byMean:   newObjective(n),
		byFirst:  newObjective(n),
		byCoarse: newObjective(n),
	}
	b.p[0][0], b.first[0][0], b.coarse[0][0] = 1, 1, 0xffff

	// Every roll leads to fewer pips: positions of one pip count do not depend on each other.
	byPips := make([][]uint16, maxCheckers*Points+1)
	for id := range n {
		s := homes.position(uint32(id))
		byPips[pips(&s)] = append(byPips[pips(&s)], uint16(id))
	}
	fifteen := uint16(Positions(maxCheckers - 1)) // from here on all checkers are on the board
	for _, ids := range byPips[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parallel.Ranges(workers, len(ids), 64, func(from, to int) {
			for _, id := range ids[from:to] {
				b.bearOff(id)
				b.roundOff(id)
				if id >= fifteen {
					b.saveGammon(id)
				} else {
					b.first[id][0] = 1
				}
			}
		})
		done(len(ids))
	}

	dists := make([]Dist, n)
	parallel.Ranges(workers, n, 1024, func(from, to int) {
		for id := from; id < to; id++ {
			dists[id] = b.dist(id)
		}
	})
	return dists, nil
}

// bearOff computes the rolls to bear off everything from those of the positions after the next roll.
func (b *builder) bearOff(id uint16) {
	o, p := b.byMean, &b.p[id]
	o.prepare(b.singles, id)
	for r, w := range weights {
		for n, q := range b.p[o.best(b.singles, id, r)][:31] {
			p[n+1] += float64(w) * q
		}
	}
	for n := range p {
		p[n] /= 36
		o.value[id] += float64(float64(n) * p[n])
	}
}

// roundOff is bearOff in GNU Backgammon's rounded numbers. What rounding leaves
// of the sum goes to the most probable entry.
func (b *builder) roundOff(id uint16) {
	var sums [32]int
	o, c := b.byCoarse, &b.coarse[id]
	o.prepare(b.singles, id)
	for r, w := range weights {
		for n, q := range b.coarse[o.best(b.singles, id, r)][:31] {
			sums[n+1] += int(w) * int(q)
		}
	}
	left, mode := 0xffff, 0
	for n, s := range sums {
		c[n] = uint16((s + 18) / 36)
		left -= int(c[n])
		if c[n] > c[mode] {
			mode = n
		}
	}
	c[mode] = uint16(int(c[mode]) + left)
	for n, q := range c {
		o.value[id] += float64(n * int(q))
	}
}

// saveGammon computes the rolls to the first checker off for a position with all checkers on the board.
func (b *builder) saveGammon(id uint16) {
	o, first := b.byFirst, &b.first[id]
	o.prepare(b.singles, id)
	for r, w := range weights {
		for n, q := range b.first[o.best(b.singles, id, r)][:numFirst-1] {
			first[n+1] += float64(w) * q
		}
	}
	for n := range first {
		first[n] /= 36
		o.value[id] += float64(float64(n) * first[n])
	}
}

// dist rounds the results for one position to float32.
func (b *builder) dist(id int) Dist {
	var d Dist
	for n := range d.P {
		d.P[n] = float32(b.p[id][n])
		if b.coarse[id][n] > 0 {
			d.Max = uint8(n)
		}
	}
	for d.P[d.Min] == 0 {
		d.Min++
	}
	for n, p := range b.first[id] {
		d.First[n] = float32(p)
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
