package bearoff

import (
	"slices"

	"bgtrain/internal/bg"
)

const numRolls = len(bg.Rolls)

// weights says how many of the 36 ordered rolls each of bg.Rolls stands for.
var weights = func() (w [numRolls]uint32) {
	for i, r := range bg.Rolls {
		w[i] = uint32(r.Weight)
	}
	return w
}()

// plays lists what one side can do with every roll in each of the first
// positions. In the bearoff every die can be played as long as there is a
// checker, so a play always uses the whole roll or ends the game.
type plays struct {
	start []uint32 // of the results of roll r in position id: start[id*numRolls+r]
	to    []uint16 // positions after the play, without repetition
}

// of returns the positions that roll r (an index into bg.Rolls) leads to.
func (p *plays) of(id, r int) []uint16 {
	i := id*numRolls + r
	return p.to[p.start[i]:p.start[i+1]]
}

// makePlays lists the plays of the first n positions.
func makePlays(n int) *plays {
	single := makeSingles(n)
	p := &plays{start: make([]uint32, 1, n*numRolls+1), to: make([]uint16, 0, n*numRolls*5)}
	var g generator
	for id := range n {
		for _, r := range bg.Rolls {
			g.to = g.to[:0]
			if r.Hi == r.Lo {
				g.double(single, uint16(id), r.Hi)
			} else {
				g.pair(single, uint16(id), r.Hi, r.Lo)
				g.pair(single, uint16(id), r.Lo, r.Hi)
			}
			slices.Sort(g.to)
			p.to = append(p.to, slices.Compact(g.to)...)
			p.start = append(p.start, uint32(len(p.to)))
		}
	}
	return p
}

// singles lists, for each die 1 to 6, the positions that one checker moved by it
// leads to.
type singles []struct {
	n  [6]uint8
	to [6][Points]uint16
}

func (s singles) of(id uint16, die int) []uint16 {
	at := &s[id]
	return at.to[die-1][:at.n[die-1]]
}

func makeSingles(n int) singles {
	s := make(singles, n)
	for id, h := range homes(n) {
		for die := 1; die <= 6; die++ {
			add := func(h home) {
				to, _ := index(&h)
				s[id].to[die-1][s[id].n[die-1]] = uint16(to)
				s[id].n[die-1]++
			}
			high := -1 // the rearmost checker
			for from, c := range h {
				if c == 0 {
					continue
				}
				high = from
				if from >= die-1 {
					next := h
					next[from]--
					if from >= die {
						next[from-die]++
					}
					add(next)
				}
			}
			switch {
			case high < 0:
				add(h) // nothing left to move
			case high < die-1:
				next := h // too large a number bears off the rearmost
				next[high]--
				add(next)
			}
		}
	}
	return s
}

// generator collects the results of one roll, possibly several times over.
type generator struct {
	to         []uint16
	now, after []uint16 // between the moves of doubles
}

func (g *generator) pair(s singles, id uint16, first, second int) {
	for _, mid := range s.of(id, first) {
		g.to = append(g.to, s.of(mid, second)...)
	}
}

func (g *generator) double(s singles, id uint16, die int) {
	g.now = append(g.now[:0], id)
	for range 4 {
		g.after = g.after[:0]
		for _, mid := range g.now {
			g.after = append(g.after, s.of(mid, die)...)
		}
		slices.Sort(g.after)
		g.now, g.after = slices.Compact(g.after), g.now
	}
	g.to = append(g.to, g.now...)
}
