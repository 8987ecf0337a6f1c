package bearoff

// Points is the number of points the databases cover: the home board.
const Points = 6

// maxCheckers is the number of checkers the one-sided database covers.
const maxCheckers = 15

// NumOneSided is the number of positions of the one-sided database.
const NumOneSided = 54264

// home holds the checkers of one side on its 1-point to its 6-point.
type home = [Points]uint8

// homes numbers the positions of the home board.
var homes = newNumbering(Points)

// choose is that of numbering, at hand for Index.
var choose = homes.choose

// Index numbers the positions of one side by the combinatorial number system: with t(j) the checkers on the j
// rearmost points, the number is the sum over j of C(t(j)+j-1, j). Hence the position without checkers is 0, every
// position with fewer checkers comes before every one with more, and every move leads to a smaller number. There
// must be at most fifteen checkers; total is their number.
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
func Positions(n int) int { return homes.positions(n) }

// Homes lists the first n positions in the order of their numbers.
func Homes(n int) [][Points]uint8 {
	list := make([]home, n)
	for id := range list {
		s := homes.position(uint32(id))
		list[id] = home(s[:Points])
	}
	return list
}
