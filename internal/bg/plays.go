package bg

import "math/bits"

// Plays generates the legal plays of a roll. It owns the memory of the results, so that generating allocates only
// while the longest list so far grows. The zero value is ready; a Plays serves one goroutine.
type Plays struct {
	results []Board
	start   int // where those of the roll begin
	n       int // results in use

	open  uint32 // points the player on roll may land on
	blots uint32 // those where a checker is hit

	// Doubles.
	die   int      // the number rolled
	best  int      // most moves made by a play found so far
	level [4]Board // the play in the making, after 0 to 3 moves
}

// Sets of points are bit masks here: bit i is point i of the player on roll, bit 24 the bar.
const (
	barBit   = 1 << Bar // the bar
	homeSet  = 1<<6 - 1
	pointSet = 1<<Bar - 1
)

// Generate returns the distinct positions that the roll d1, d2 (1 to 6) can lead to, with the sides swapped: the
// opponent is on roll. When no checker can move it is the unchanged position alone, swapped. The board must pass
// Check. The results are valid until the next call. Their order is deterministic.
//
// The rules: both dice are played where that is possible; where only one can
// be, the larger if possible; of doubles as many moves as possible.
func (p *Plays) Generate(b *Board, d1, d2 int) []Board {
	p.n = 0
	after := p.look(b)
	p.add(&after, d1, d2)
	return p.results[:p.n]
}

// GenerateAll is Generate for all of Rolls: the results of roll r are those from first[r] up to first[r+1].
func (p *Plays) GenerateAll(b *Board, first *[len(Rolls) + 1]int) []Board {
	p.n = 0
	after := p.look(b)
	for r := range Rolls {
		first[r] = p.n
		p.add(&after, Rolls[r].Hi, Rolls[r].Lo)
	}
	first[len(Rolls)] = p.n
	return p.results[:p.n]
}

// look sets what depends on the position alone, and returns it with the sides swapped.
func (p *Plays) look(b *Board) Board {
	made := madeBy(&b.Opp)
	p.open, p.blots = made^pointSet, heldBy(&b.Opp)&^made
	return b.Swapped()
}

// add adds the results of a roll.
func (p *Plays) add(after *Board, d1, d2 int) {
	p.start = p.n
	switch {
	case d1 == d2:
		p.best, p.die = 0, d1
		p.level[0] = *after
		occ := after.Opp.occupied()
		p.double(0, occ, sources(occ, p.open, d1))
	case d1 > d2:
		p.mixed(after, d1, d2)
	default:
		p.mixed(after, d2, d1)
	}
	if p.n == p.start {
		p.reserve(1)
		p.results[p.n] = *after
		p.n++
	}
}

// sources returns the points from which a checker can move by die d, with checkers on the points of occ.
func sources(occ, open uint32, d int) uint32 {
	src := occ & (open << (d & 31))
	if occ >= barBit {
		return src & barBit
	}
	if occ <= homeSet {
		// Bearing off: by the exact number, or by a larger one from the rearmost point.
		src |= occ & (1 << ((d - 1) & 31))
		if back := bits.Len32(occ); back < d {
			src |= 1 << (back & 31) >> 1
		}
	}
	return src
}

// vacate returns occ after one checker has gone from x, where there were n, to x-d or off.
func vacate(occ uint32, x int, n uint8, d int) uint32 {
	if n == 1 {
		occ &^= 1 << (x & 31)
	}
	if x >= d {
		occ |= 1 << ((x - d) & 31)
	}
	return occ
}

// move takes a checker of the player who rolled, after.Opp, from x to x-d, or off, and hits what stands there. It
// only adds and subtracts, so the order of the moves of a play does not matter, nor that a count may wrap below
// zero in between.
func move(after *Board, x, d int) {
	after.Opp[x]--
	to := x - d
	if to < 0 {
		return
	}
	after.Opp[to]++
	hit := &after.Me[23-to] // 0 or 1: the point is open
	after.Me[Bar] += *hit
	*hit = 0
}

// reserve makes room for n more results.
func (p *Plays) reserve(n int) {
	if need := p.n + n; need > len(p.results) {
		grown := make([]Board, max(64, need, 2*len(p.results)))
		copy(grown, p.results[:p.n])
		p.results = grown
	}
}

// row adds the results of moving a checker from each point of ys by die d.
func (p *Plays) row(after *Board, ys uint32, d int) {
	p.reserve(bits.OnesCount32(ys))
	for ; ys != 0; ys &= ys - 1 {
		r := &p.results[p.n]
		p.n++
		*r = *after
		move(r, bits.TrailingZeros32(ys), d)
	}
}

// mixed generates the plays of a roll of two different dice a > b.
//
// A play of both dice is a pair (x by a, y by b), in whichever order is legal: the checkers moved and what they
// hit depend on the pair alone. Two pairs leave my checkers alike only where
//   - one checker makes both moves, (x, x-a) and (x-b, x): the results differ
//     only when a blot is hit on the way, on x-a or x-b, or
//   - both checkers are borne off, (x, y) and (y, x).
//
// Why: a play takes a checker from x and from y and adds one to x-a and to y-b. Where nothing is both left and
// reached, x and y can be read off the change, and in exchanged roles they reach the same points only when all of
// these are off. Where something is, one checker has moved on: the first case.
func (p *Plays) mixed(after *Board, a, b int) {
	me := &after.Opp
	occ, open := me.occupied(), p.open
	if outside := occ &^ homeSet; occ < barBit && outside&(outside-1) != 0 {
		if p.free(after, occ, a, b) {
			return
		}
	}
	var pairs [32]uint32 // pairs[x] is the set of y
	var xs uint32
	for s := sources(occ, open, a); s != 0; s &= s - 1 {
		x := bits.TrailingZeros32(s)
		if ys := sources(vacate(occ, x, me[x], a), open, b); ys != 0 {
			pairs[x] = ys
			xs |= 1 << x
		}
	}
	for s := sources(occ, open, b); s != 0; s &= s - 1 {
		y := bits.TrailingZeros32(s)
		for t := sources(vacate(occ, y, me[y], b), open, a); t != 0; t &= t - 1 {
			x := bits.TrailingZeros32(t)
			pairs[x] |= 1 << y
			xs |= 1 << x
		}
	}
	if xs == 0 {
		// One die at most.
		if s := sources(occ, open, a); s != 0 {
			p.row(after, s, a)
		} else {
			p.row(after, sources(occ, open, b), b)
		}
		return
	}
	for s := xs; s != 0; s &= s - 1 {
		x := bits.TrailingZeros32(s)
		ys := pairs[x]
		if x < b {
			// Both off: (y, x) stands for (x, y), y > x.
			for t := ys & (1<<b - 2<<x); t != 0; t &= t - 1 {
				y := bits.TrailingZeros32(t)
				ys &^= pairs[y] >> x & 1 << y
			}
		}
		// One checker, b first: the same as a first when neither hits.
		if c := x + b; c <= Bar && c >= a && ys>>c&1 != 0 && pairs[c]>>(c-a)&1 != 0 &&
			after.Me[23-x] == 0 && after.Me[23-(c-a)] == 0 {
			ys &^= 1 << c
		}
		if ys == 0 {
			continue
		}
		row := *after
		move(&row, x, a)
		p.row(&row, ys, b)
	}
}

// free is mixed for a player with nothing on the bar and too many checkers outside the home board to bear off in
// this roll, which most are. Moves depend on the opponent's points alone then, and the pairs follow from bit
// masks. It reports false, and adds nothing, when both dice cannot be played.
func (p *Plays) free(after *Board, occ uint32, a, b int) bool {
	ua, ub := a&31, b&31
	open := p.open
	xs, ys := occ&(open<<ua), occ&(open<<ub)
	// Points without a checker of mine that one reaches by b and goes on from by a.
	via := ys >> ub & (open << ua) &^ occ
	single := occ &^ after.Opp.made()
	// From here a checker can make both moves in either order and hits nothing on
	// the way: only a first is counted.
	quiet := p.open &^ p.blots
	twice := occ & (quiet << ua) & (quiet << ub) & (open << ua << ub)
	start := p.n
	for s := xs | via; s != 0; s &= s - 1 {
		bit := s & -s
		x := bits.TrailingZeros32(bit)
		then := bit << ub & ys &^ twice // only via b: bit not in xs
		if bit&xs != 0 {
			then = ys&^(bit&single) | bit>>ua&(open<<ub)
			then &^= twice & (bit << ub)
		}
		if then == 0 {
			continue
		}
		row := *after
		move(&row, x, a)
		p.row(&row, then, b)
	}
	return p.n > start
}

// double generates the plays of doubles that continue the play of made moves which led to p.level[made], by one
// from each of the points src and then others not behind it.
//
// A play of doubles is a multiset of points moved from, and legal in some order exactly when it is from the
// rearmost to the foremost. Each multiset leaves my checkers differently, so every result is made once.
func (p *Plays) double(made int, occ, src uint32) {
	at, next := &p.level[made], &p.level[made+1]
	for src != 0 {
		x := bits.Len32(src) - 1
		src &^= 1 << x
		left := vacate(occ, x, at.Opp[x], p.die)
		then := sources(left, p.open, p.die) & (2<<x - 1)
		if then == 0 && made+1 < p.best {
			continue
		}
		*next = *at
		move(next, x, p.die)
		switch {
		case then == 0:
			p.longest(made + 1)
			p.reserve(1)
			p.results[p.n] = *next
			p.n++
		case made == 2:
			p.longest(4)
			p.row(next, then, p.die)
		default:
			p.double(made+1, left, then)
		}
	}
}

// longest drops the roll's results of plays of fewer moves.
func (p *Plays) longest(moves int) {
	if moves > p.best {
		p.n, p.best = p.start, moves
	}
}
