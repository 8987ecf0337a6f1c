package bearoff

// Points is the number of points the databases cover: the home board.
const Points = 6

// maxCheckers is the number of checkers the one-sided database covers.
const maxCheckers = 15

// NumOneSided is the number of positions of the one-sided database.
const NumOneSided = 54264

// home holds the checkers of one side on its 1-point to its 6-point.
type home = [Points]uint8

// choose[j][t] is the number of ways to choose j+1 of t+j things.
var choose = func() (c [Points][maxCheckers + 1]uint16) {
	for j := range c {
		for t := 1; t <= maxCheckers; t++ {
			// C(t+j, j+1) = C(t+j-1, j+1) + C(t+j-1, j)
			below := 1
			if j > 0 {
				below = int(c[j-1][t])
			}
			c[j][t] = c[j][t-1] + uint16(below)
		}
	}
	return c
}()

// Index numbers the positions of one side by the combinatorial number system:
// with t(j) the checkers on the j rearmost points, the number is the sum over j
// of C(t(j)+j-1, j). Hence the position without checkers is 0, every position
// with fewer checkers comes before every one with more, and every move leads to
// a smaller number. There must be at most fifteen checkers; total is their
// number.
func Index(h *[Points]uint8) (id, total int) {
	t := h[5] & 15
	id = int(choose[0][t])
	t = (t + h[4]) & 15
	id += int(choose[1][t])
	t = (t + h[3]) & 15
	id += int(choose[2][t])
	t = (t + h[2]) & 15
	id += int(choose[3][t])
	t = (t + h[1]) & 15
	id += int(choose[4][t])
	t = (t + h[0]) & 15
	id += int(choose[5][t])
	return id, int(t)
}

// Positions returns the number of positions with up to n checkers.
func Positions(n int) int {
	count := 1
	for i := 1; i <= Points; i++ {
		count = count * (n + i) / i
	}
	return count
}

// Homes lists the first n positions in the order of their numbers.
func Homes(n int) [][Points]uint8 {
	list := make([]home, n)
	var h home
	var fill func(point, left int)
	fill = func(point, left int) {
		if point == Points {
			if id, _ := Index(&h); id < n {
				list[id] = h
			}
			return
		}
		for c := 0; c <= left; c++ {
			h[point] = uint8(c)
			fill(point+1, left-c)
		}
		h[point] = 0
	}
	fill(0, maxCheckers)
	return list
}
