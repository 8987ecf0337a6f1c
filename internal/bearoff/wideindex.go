package bearoff

import "bgtrain/internal/bg"

// MaxPoints is the largest number of points that a one-sided database can cover.
const MaxPoints = 10

// spread holds the checkers of one side on its 1-point to its 10-point.
type spread = [MaxPoints]uint8

// numbering numbers the positions of up to fifteen checkers on so many points as Index does those of the home
// board, and with the same properties: the position without checkers is 0, every position with fewer checkers
// comes before every one with more, and every move leads to a smaller number. GNU Backgammon has the same numbers.
type numbering struct {
	points int
	// choose[j][t] is the number of ways to choose j+1 of t+j things.
	choose [MaxPoints][maxCheckers + 1]uint32
}

func newNumbering(points int) *numbering {
	n := &numbering{points: points}
	for j := range n.choose {
		for t := 1; t <= maxCheckers; t++ {
			below := uint32(1) // C(t+j, j+1) = C(t+j-1, j+1) + C(t+j-1, j)
			if j > 0 {
				below = n.choose[j-1][t]
			}
			n.choose[j][t] = n.choose[j][t-1] + below
		}
	}
	return n
}

// positions returns the number of positions with up to so many checkers.
func (n *numbering) positions(checkers int) int {
	count := 1
	for i := 1; i <= n.points; i++ {
		count = count * (checkers + i) / i
	}
	return count
}

// index returns the number of a position and its checkers; there must be none behind the points that are numbered.
func (n *numbering) index(s *spread) (id uint32, checkers int) {
	t := uint8(0)
	for j, point := 0, n.points-1; point >= 0; j, point = j+1, point-1 {
		t = (t + s[point]) & 15
		id += n.choose[j%MaxPoints][t]
	}
	return id, int(t)
}

// side returns the number of one side of a board; there must be no checker behind the points that are numbered.
func (n *numbering) side(s *bg.Side) (id uint32, checkers int) {
	return n.index((*spread)(s[:MaxPoints]))
}

// position is the inverse of index.
func (n *numbering) position(id uint32) (s spread) {
	// t(j) for the largest j first: the number of checkers, then without the 1-point.
	last := uint8(0)
	for j := n.points - 1; j >= 0; j-- {
		t := uint8(0)
		for t < maxCheckers && n.choose[j][t+1] <= id {
			t++
		}
		id -= n.choose[j][t]
		if j < n.points-1 {
			// The difference to the sum with one point more is that point's.
			s[n.points-2-j] = last - t
		}
		last = t
	}
	s[n.points-1] = last
	return s
}

// pips returns the pip count of a position.
func pips(s *spread) (sum int) {
	for i, c := range s {
		sum += (i + 1) * int(c)
	}
	return sum
}
