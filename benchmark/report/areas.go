package report

// BarPoint is the number of the bar among the points of a board.
const BarPoint = 25

// Area is the place of a point, or of the bar, on the picture that Board draws: a
// rectangle in per cent of the picture's width and height.
type Area struct {
	Point               int // 1 to 24 as the player on roll counts, or BarPoint
	X, Y, Width, Height float64
}

// Areas lists the places of the points from 1 to 24 and of the bar.
func Areas() []Area {
	const half = (fieldBottom - fieldTop) / 2
	place := func(point int, left, top, width, height float64) Area {
		return Area{point, 100 * left / boardWidth, 100 * top / boardHeight, 100 * width / boardWidth,
			100 * height / boardHeight}
	}
	var all []Area
	for p := 1; p <= 24; p++ {
		top := fieldTop
		if p <= 12 {
			top = middle
		}
		all = append(all, place(p, pointX(p)-pointWidth/2, top, pointWidth, half))
	}
	return append(all, place(BarPoint, barLeft, fieldTop, pointWidth, fieldBottom-fieldTop))
}
