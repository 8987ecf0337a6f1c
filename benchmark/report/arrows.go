package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
)

// leg is a way between two points without a stop that Notation names, of one
// checker. Points as players count them, 25 the bar, 0 off.
type leg struct{ from, to int }

// parsePlay reads what bg.Notation writes; nil for what is no play.
func parsePlay(text string) []leg {
	var legs []leg
	for _, field := range strings.Fields(text) {
		times := 1
		if head, count, ok := strings.Cut(strings.TrimSuffix(field, ")"), "("); ok {
			n, err := strconv.Atoi(count)
			if err != nil || n < 1 || n > 4 {
				return nil
			}
			field, times = head, n
		}
		var points []int
		for _, p := range strings.Split(field, "/") {
			n, ok := parsePoint(strings.TrimSuffix(p, "*"))
			if !ok {
				return nil
			}
			points = append(points, n)
		}
		if len(points) < 2 {
			return nil
		}
		for range times {
			for i := 1; i < len(points); i++ {
				legs = append(legs, leg{points[i-1], points[i]})
			}
		}
	}
	return legs
}

func parsePoint(t string) (int, bool) {
	switch t {
	case "bar":
		return 25, true
	case "off":
		return 0, true
	}
	n, err := strconv.Atoi(t)
	return n, err == nil && n >= 1 && n <= 24
}

// play draws the arrows of a play from the board before it.
func (s *svg) play(b *bg.Board, a Arrow) {
	legs := parsePlay(a.Play)
	if len(legs) == 0 {
		return
	}
	dash := ""
	if a.Dashed {
		dash = ` stroke-dasharray="5 3"`
	}
	s.add(`<g class="play">`)
	own, off := ownStacks(b), b.Me.Off()
	for _, l := range legs {
		x1, y1 := checkerAt(l.from, max(0, own[l.from]-1), false)
		own[l.from]--
		x2, y2 := (trayLeft+trayRight)/2, fieldBottom-6-6.4*float64(off)
		if l.to > 0 {
			x2, y2 = checkerAt(l.to, own[l.to], false)
			own[l.to]++
		} else {
			off++
		}
		s.arrow(x1, y1, x2, y2, a.Bend, a.Color, dash)
	}
	s.add(`</g>`)
}

// arrow draws a bent arrow with a light edge, so that it shows on any ground.
func (s *svg) arrow(x1, y1, x2, y2, bend float64, color, dash string) {
	length := math.Hypot(x2-x1, y2-y1)
	if length < 1 {
		return
	}
	// The control point lies beside the middle, square to the direction.
	cx, cy := (x1+x2)/2-bend*(y2-y1)/length, (y1+y2)/2+bend*(x2-x1)/length
	dx, dy := x2-cx, y2-cy
	d := math.Hypot(dx, dy)
	dx, dy = dx/d, dy/d
	bx, by := x2-8*dx, y2-8*dy // where shaft and head meet
	shaft := fmt.Sprintf("M%s %sQ%s %s %s %s", num(x1), num(y1), num(cx), num(cy), num(bx), num(by))
	head := fmt.Sprintf("M%s %sL%s %sL%s %sz", num(x2), num(y2), num(bx-4.4*dy), num(by+4.4*dx), num(bx+4.4*dy),
		num(by-4.4*dx))
	s.add(`<path d="%s" fill="none" stroke="#fff" stroke-width="4.6" stroke-opacity=".75"/>`, shaft)
	s.add(`<path d="%s" fill="none" stroke="%s" stroke-width="2.6"%s/>`, shaft, color, dash)
	s.add(`<circle cx="%s" cy="%s" r="2.8" fill="%s"/>`, num(x1), num(y1), color)
	s.add(`<path d="%s" fill="%s" stroke="#fff" stroke-width=".8"/>`, head, color)
}
