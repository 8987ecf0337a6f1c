package bearoff

import (
	"slices"

	"bgtrain/internal/bg"
)

const numRolls = len(bg.Rolls)

// weights are how many of the 36 ordered rolls each of bg.Rolls stands for.
var weights = func() (w [numRolls]uint32) {
	for i, r := range bg.Rolls {
		w[i] = uint32(r.Weight)
	}
	return w
}()

// singles lists, for each position and each die, the positions that one move leads to; at 0, where there is
// nothing left to move, 0 itself. In the bearoff every die can be played as long as there is a checker.
type singles []struct {
	n  [6]uint8
	to [6][Points]uint16
}

func (s singles) of(id uint16, die int) []uint16 {
	at := &s[id]
	return at.to[die-1][:at.n[die-1]]
}

// makeSingles lists the moves of the first n positions. If running, a checker may leave by a number larger than
// its point wherever the others are, as when running out of the opponent's home board; otherwise that is for the
// rearmost alone.
func makeSingles(n int, running bool) singles {
	s := make(singles, n)
	for id, h := range Homes(n) {
		rear := Points - 1
		for rear >= 0 && h[rear] == 0 {
			rear--
		}
		for die := 1; die <= 6; die++ {
			at := &s[id]
			add := func(from int) {
				next := h
				next[from]--
				if from >= die {
					next[from-die]++
				}
				to, _ := Index(&next)
				at.to[die-1][at.n[die-1]] = uint16(to)
				at.n[die-1]++
			}
			for from, c := range h {
				if c > 0 && (from >= die-1 || from == rear || running) {
					add(from)
				}
			}
			if rear < 0 {
				at.n[die-1] = 1
			}
		}
	}
	return s
}

// plays lists what one side can do with every roll in each of the first
// positions. A play uses the whole roll or ends the game.
type plays struct {
	start []uint32 // of the results of roll r in position id: start[id*numRolls+r]
	to    []uint16 // positions after the play, without repetition
}

// of returns the positions that roll r, an index into bg.Rolls, leads to.
func (p *plays) of(id, r int) []uint16 {
	i := id*numRolls + r
	return p.to[p.start[i]:p.start[i+1]]
}

// makePlays lists the plays of the first n positions.
func makePlays(n int) *plays {
	s := makeSingles(n, false)
	p := &plays{start: make([]uint32, 1, n*numRolls+1), to: make([]uint16, 0, n*numRolls*6)}
	var now, after []uint16 // positions after some of the moves
	for id := range uint16(n) {
		for _, r := range bg.Rolls {
			now = append(now[:0], id)
			if r.Hi == r.Lo {
				for range 4 {
					after = after[:0]
					for _, mid := range now {
						after = append(after, s.of(mid, r.Hi)...)
					}
					slices.Sort(after)
					now, after = slices.Compact(after), now
				}
			} else {
				now = now[:0]
				for _, mid := range s.of(id, r.Hi) {
					now = append(now, s.of(mid, r.Lo)...)
				}
				for _, mid := range s.of(id, r.Lo) {
					now = append(now, s.of(mid, r.Hi)...)
				}
				slices.Sort(now)
				now = slices.Compact(now)
			}
			p.to = append(p.to, now...)
			p.start = append(p.start, uint32(len(p.to)))
		}
	}
	return p
}
