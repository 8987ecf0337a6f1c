package report

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// Drawing describes what is drawn on a board beside the checkers.
type Drawing struct {
	Dice  [2]int      // as rolled; zeros: not yet
	Plays []Arrow     // drawn in order, the later above the earlier
	Cube  int         // its value; 0: none is drawn
	Owner cube.Holder // of the cube
}

// Arrow is a play shown by arrows.
type Arrow struct {
	Play   string // as bg.Notation writes it; text that is no play draws nothing
	Color  string // of CSS
	Dashed bool
	Bend   float64 // how far the arrows swing out, in SVG units; plays that may share moves need different ones
}

// Sizes of the board in SVG units: a checker is as wide as a point.
const (
	pointWidth  = 20.0
	checkerR    = 9.4
	boardWidth  = 298.0
	boardHeight = 260.0
	fieldTop    = 18.0
	fieldBottom = 242.0
	middle      = (fieldTop + fieldBottom) / 2
	leftField   = 6.0
	barLeft     = leftField + 6*pointWidth
	rightField  = barLeft + pointWidth
	trayLeft    = rightField + 6*pointWidth + 4
	trayRight   = boardWidth - 6
	tallest     = 5 // checkers drawn in a stack; a number states where there are more
)

// checkerStyle is what differs between the players' checkers.
type checkerStyle struct{ fill, stroke, text string }

var (
	ownStyle      = checkerStyle{"#fffdf6", "#3a332b", "#222"} // player on roll
	opponentStyle = checkerStyle{"#33343d", "#0e0e12", "#fff"}
)

// Board draws a position as an SVG picture. The player on roll has the light
// checkers, sits at the bottom and bears off to the right; points are numbered as
// that player counts them. Checkers on the bar stand in the half where they will
// enter. The picture describes itself in words for those who cannot see it.
func Board(b *bg.Board, d Drawing) string {
	var s svg
	words := html.EscapeString(describe(b, d))
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" role="img" aria-label="%s" `+
		`font-family="system-ui, sans-serif" class="board">`,
		boardWidth, boardHeight, words)
	s.add(`<title>%s</title>`, words)
	s.frame()
	opponent := [26]int{}
	for i, n := range b.Opp {
		if i == bg.Bar {
			opponent[25] = int(n)
		} else {
			opponent[24-i] = int(n)
		}
	}
	own := ownStacks(b)
	s.checkers(opponentStyle, &opponent, true, b.Opp.Off())
	s.checkers(ownStyle, &own, false, b.Me.Off())
	if d.Dice[0] > 0 {
		s.die(rightField+34, d.Dice[0])
		s.die(rightField+66, d.Dice[1])
	}
	s.cube(&d)
	for _, a := range d.Plays {
		s.play(b, a)
	}
	s.add(`</svg>`)
	return s.String()
}

// ownStacks counts the checkers of the player on roll by point; 25 is the bar.
func ownStacks(b *bg.Board) (n [26]int) {
	for i := range b.Me {
		n[i+1] = int(b.Me[i])
	}
	return n
}

// describe says in words what is on the board.
func describe(b *bg.Board, d Drawing) string {
	side := func(s *bg.Side) string {
		var t []string
		if s[bg.Bar] > 0 {
			t = append(t, fmt.Sprintf("bar %d", s[bg.Bar]))
		}
		for i := bg.Bar - 1; i >= 0; i-- {
			if s[i] > 0 {
				t = append(t, fmt.Sprintf("%d-point %d", i+1, s[i]))
			}
		}
		if n := s.Off(); n > 0 {
			t = append(t, fmt.Sprintf("off %d", n))
		}
		return strings.Join(t, ", ")
	}
	t := "Light, on roll: " + side(&b.Me) + ". Dark, by its own count: " + side(&b.Opp) + "."
	if d.Dice[0] > 0 {
		t += fmt.Sprintf(" Roll %d-%d.", d.Dice[0], d.Dice[1])
	}
	if d.Cube > 0 {
		t += fmt.Sprintf(" Cube %d, %s.", d.Cube, [...]string{"in the middle", "owned by light", "owned by dark"}[d.Owner])
	}
	return t
}

// cube draws the doubling cube: in the middle of the bar, or in its owner's half of the
// tray, where the fewest checkers lie.
func (s *svg) cube(d *Drawing) {
	if d.Cube < 1 {
		return
	}
	const size = 14.0
	x, y := barLeft+pointWidth/2, middle
	switch d.Owner {
	case cube.Owned:
		x, y = (trayLeft+trayRight)/2, middle+10
	case cube.OpponentOwned:
		x, y = (trayLeft+trayRight)/2, middle-10
	}
	value := d.Cube
	if d.Owner == cube.Centered && value == 1 {
		value = 64 // as the cube lies before it is turned
	}
	font := 9.5
	if value > 99 {
		font = 6.5
	}
	s.add(`<rect class="cube" x="%s" y="%s" width="%v" height="%v" rx="2.5" fill="#fffdf6" stroke="#3a332b"/>`,
		num(x-size/2), num(y-size/2), size, size)
	s.add(`<text x="%s" y="%s" font-size="%v" font-weight="bold" text-anchor="middle" fill="#222">%d</text>`,
		num(x), num(y+font*0.36), font, value)
}

// svg gathers the text of a picture.
type svg struct{ strings.Builder }

func (s *svg) add(format string, args ...any) {
	fmt.Fprintf(&s.Builder, format, args...)
	s.WriteByte('\n')
}

// num writes a coordinate without needless digits.
func num(x float64) string {
	return strconv.FormatFloat(float64(int64(x*10+0.5*sign(x)))/10, 'f', -1, 64)
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// pointX is the middle of a point, 1 to 24.
func pointX(p int) float64 {
	column := float64((p - 1) % 6)
	switch {
	case p <= 6:
		return rightField + 6*pointWidth - pointWidth*(column+0.5)
	case p <= 12:
		return barLeft - pointWidth*(column+0.5)
	case p <= 18:
		return leftField + pointWidth*(column+0.5)
	}
	return rightField + pointWidth*(column+0.5)
}

// frame draws the empty board with its numbers.
func (s *svg) frame() {
	s.add(`<rect y="12" width="%v" height="%v" rx="4" fill="#6b5443"/>`, boardWidth, boardHeight-24)
	for _, x := range []float64{leftField, rightField} {
		s.add(`<rect x="%v" y="%v" width="%v" height="%v" fill="#f0e7d6"/>`, x, fieldTop, 6*pointWidth,
			fieldBottom-fieldTop)
	}
	s.add(`<rect x="%v" y="%v" width="%v" height="%v" fill="#584436"/>`, trayLeft, fieldTop, trayRight-trayLeft,
		fieldBottom-fieldTop)
	var paths [2]strings.Builder
	for p := 1; p <= 24; p++ {
		base, tip := fieldBottom, fieldBottom-98
		if p > 12 {
			base, tip = fieldTop, fieldTop+98
		}
		fmt.Fprintf(&paths[p%2], "M%s %sh%sL%s %sz", num(pointX(p)-pointWidth/2), num(base), num(pointWidth),
			num(pointX(p)), num(tip))
	}
	s.add(`<path fill="#c08f66" d="%s"/>`, paths[0].String())
	s.add(`<path fill="#d9c3a0" d="%s"/>`, paths[1].String())
	s.add(`<g font-size="9" text-anchor="middle" fill="currentColor">`)
	for p := 1; p <= 24; p++ {
		y := boardHeight - 2.5
		if p > 12 {
			y = 9
		}
		s.add(`<text x="%s" y="%s">%d</text>`, num(pointX(p)), num(y), p)
	}
	s.add(`</g>`)
}

// onBar is how far from the middle the first checker on the bar is: clear of the cube.
const onBar = 18.5

// checkerAt is where checker k of a stack stands, k from 0. Point 25 is the bar.
func checkerAt(p, k int, opponent bool) (x, y float64) {
	k = min(k, tallest-1)
	switch {
	case p == 25 && opponent:
		return barLeft + pointWidth/2, middle + onBar + pointWidth*float64(min(k, 3))
	case p == 25:
		return barLeft + pointWidth/2, middle - onBar - pointWidth*float64(min(k, 3))
	case p <= 12:
		return pointX(p), fieldBottom - pointWidth*(float64(k)+0.5)
	}
	return pointX(p), fieldTop + pointWidth*(float64(k)+0.5)
}

// checkers draws a player's checkers, stacks[25] on the bar.
func (s *svg) checkers(c checkerStyle, stacks *[26]int, opponent bool, off int) {
	s.add(`<g fill="%s" stroke="%s">`, c.fill, c.stroke)
	for p, n := range stacks {
		shown := tallest
		if p == 25 {
			shown--
		}
		for k := range min(n, shown) {
			x, y := checkerAt(p, k, opponent)
			s.add(`<circle cx="%s" cy="%s" r="%v"/>`, num(x), num(y), checkerR)
		}
	}
	// Checkers borne off lie on their sides.
	for k := range off {
		y := fieldBottom - 2 - 6.4*float64(k+1)
		if opponent {
			y = fieldTop + 2 + 6.4*float64(k)
		}
		s.add(`<rect x="%s" y="%s" width="%s" height="5.8" rx="1.5"/>`, num(trayLeft+1.5), num(y),
			num(trayRight-trayLeft-3))
	}
	s.add(`</g>`)
	for p, n := range stacks {
		if n <= tallest && (p != 25 || n < tallest) {
			continue
		}
		x, y := checkerAt(p, tallest-1, opponent)
		s.add(`<text x="%s" y="%s" font-size="12" font-weight="bold" text-anchor="middle" fill="%s">%d</text>`,
			num(x), num(y+4.2), c.text, n)
	}
	if off > 0 {
		y := fieldBottom - 8 - 6.4*float64(off)
		if opponent {
			y = fieldTop + 14 + 6.4*float64(off)
		}
		s.add(`<text x="%s" y="%s" font-size="11" text-anchor="middle" fill="#fff">%d</text>`,
			num((trayLeft+trayRight)/2), num(y), off)
	}
}

// spots are the places of a die's spots on a 3×3 grid, as bits of row-major order.
var spots = [7]uint{0, 1 << 4, 1<<0 | 1<<8, 1<<0 | 1<<4 | 1<<8, 1<<0 | 1<<2 | 1<<6 | 1<<8,
	1<<0 | 1<<2 | 1<<4 | 1<<6 | 1<<8, 1<<0 | 1<<2 | 1<<3 | 1<<5 | 1<<6 | 1<<8}

// die draws a die, its left edge at x.
func (s *svg) die(x float64, n int) {
	if n < 1 || n > 6 {
		return
	}
	const size = 20.0
	s.add(`<rect x="%s" y="%s" width="%v" height="%v" rx="3.5" fill="#fffdf6" stroke="#3a332b"/>`, num(x),
		num(middle-size/2), size, size)
	var d strings.Builder
	for i := range 9 {
		if spots[n]>>i&1 == 1 {
			fmt.Fprintf(&d, "M%s %sh0", num(x+size/2+5.6*float64(i%3-1)), num(middle+5.6*float64(i/3-1)))
		}
	}
	s.add(`<path d="%s" stroke="#222" stroke-width="3.8" stroke-linecap="round"/>`, d.String())
}
