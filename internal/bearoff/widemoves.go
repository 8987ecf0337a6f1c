package bearoff

import "bgtrain/internal/bg"

// moveList is room for the positions that one move leads to.
type moveList [MaxPoints]uint32

// of lists the positions that one move of a die leads to, as legal in a race: a checker is borne off only when all
// are in the home board, and by a larger number only from the rearmost point. There is always one, as long as
// there is a checker, because a checker behind the home board can move by any die; a play uses the whole roll or
// ends the game.
func (l *moveList) of(n *numbering, s *spread, die int) []uint32 {
	rear := MaxPoints - 1
	for rear >= 0 && s[rear] == 0 {
		rear--
	}
	count := 0
	for from := 0; from <= rear; from++ {
		if s[from] == 0 || from < die && (rear >= Points || from != die-1 && from != rear) {
			continue
		}
		next := *s
		next[from]--
		if from >= die {
			next[from-die]++
		}
		l[count], _ = n.index(&next)
		count++
	}
	return l[:count]
}

// choice is the scratch of choosing the plays of one position.
type choice struct {
	id    uint32
	count [6]int                     // of the moves of each die
	to    [6]moveList                // where they lead
	after [2][6][MaxPoints]*afterOne // of these positions, by objective
}

// nowhere stands for positions from which there is nothing left to do.
var nowhere afterOne

// of finds the moves of a position; what they lead to must be known.
func (c *choice) of(b *wideBuilder, id uint32) {
	s := b.n.position(id)
	c.id = id
	for die := 1; die <= 6; die++ {
		moves := c.to[die-1].of(b.n, &s, die)
		c.count[die-1] = len(moves)
		for i, to := range moves {
			p := b.pips[to]
			slot := b.rank[to] - b.start[p]
			c.after[0][die-1][i] = &b.after[0][p][slot]
			c.after[1][die-1][i] = &nowhere
			if to >= b.fifteen {
				c.after[1][die-1][i] = &b.after[1][p][slot]
			}
		}
	}
}

// objectives returns how many objectives a position has: the first checker of fifteen matters where all are on the
// board.
func (b *wideBuilder) objectives(id uint32) int {
	if id >= b.fifteen {
		return 2
	}
	return 1
}

// prepare makes the best moves of one die known for the position of c, the slot-th of its pip count.
func (b *wideBuilder) prepare(c *choice, slot int) {
	for o := range b.objectives(c.id) {
		at := &b.after[o][b.pips[c.id]][slot]
		value := b.value[o]
		for die := range 6 {
			for i, to := range c.to[die][:c.count[die]] {
				next := c.after[o][die][i]
				if i == 0 {
					at[0][die], at[1][die], at[2][die] = to, next[0][die], next[1][die]
					continue
				}
				better(value, &at[0][die], to)
				better(value, &at[1][die], next[0][die])
				better(value, &at[2][die], next[1][die])
			}
		}
	}
}

// best returns the best position that a roll leads to, for an objective.
func (b *wideBuilder) best(c *choice, o, roll int) uint32 {
	hi, lo := bg.Rolls[roll].Hi-1, bg.Rolls[roll].Lo-1
	value, after := b.value[o], &c.after[o]
	if hi == lo {
		best := after[hi][0][2][hi]
		for i := 1; i < c.count[hi]; i++ {
			better(value, &best, after[hi][i][2][hi])
		}
		return best
	}
	best := after[hi][0][0][lo]
	for i := 1; i < c.count[hi]; i++ {
		better(value, &best, after[hi][i][0][lo])
	}
	for i := range c.count[lo] {
		better(value, &best, after[lo][i][0][hi])
	}
	return best
}

// rolls computes the values and distributions of the position of c.
func (b *wideBuilder) rolls(c *choice, out *rollsOff) {
	if c.id == 0 {
		out.all[0], out.first[0] = 1, 1
		return
	}
	for o := range b.objectives(c.id) {
		var sum [maxRolls]float64
		mean := 0.0
		for r, w := range weights {
			to := b.best(c, o, r)
			mean += float64(float64(w) * b.value[o][to])
			from, run := b.row(to, o)
			for n := 0; n < len(run); n += 4 {
				k := min(from+n/4+1, maxRolls-1)
				sum[k] += float64(float64(w) * float64(float32At(run[n:])))
			}
		}
		b.value[o][c.id] = 1 + mean/36
		dist := &out.all
		if o == 1 {
			dist = &out.first
		}
		for n := range sum {
			dist[n] = float32(sum[n] / 36)
		}
	}
}

// row returns the kept part of a distribution of a position, as float32 in bytes,
// and how many rolls it begins with.
func (b *wideBuilder) row(id uint32, objective int) (from int, run []byte) {
	if objective == 1 && id < b.fifteen {
		return 0, certainly
	}
	p := b.pips[id]
	l := b.level[p]
	return rowRun(l.rows[l.start[b.rank[id]-b.start[p]]:], objective)
}
