package bg

import (
	"fmt"
	"strings"
)

// Rows of a drawn half: five checkers, the sixth and later as a number.
const drawRows = 5

// Draw returns a drawing of the board of 13 lines, X the player on roll at the bottom with the home board on the
// right, O the opponent. Checkers on the bar stand in the half where they will enter.
func (b *Board) Draw() string { return b.DrawNamed("X (on roll)", "O") }

// DrawNamed is Draw with other words for the two sides beside their pip counts.
func (b *Board) DrawNamed(me, opponent string) string {
	var t strings.Builder
	t.WriteString("+13-14-15-16-17-18------19-20-21-22-23-24-+\n")
	for row := range drawRows {
		b.drawRow(&t, row, 13)
		if row == 0 {
			drawSide(&t, opponent, &b.Opp)
		}
		t.WriteByte('\n')
	}
	t.WriteString("|                  |BAR|                  |\n")
	for row := drawRows - 1; row >= 0; row-- {
		b.drawRow(&t, row, 12)
		if row == 0 {
			drawSide(&t, me, &b.Me)
		}
		t.WriteByte('\n')
	}
	t.WriteString("+12-11-10--9--8--7-------6--5--4--3--2--1-+\n")
	return t.String()
}

// drawRow draws a row of the upper half, whose first point is 13, or of the
// lower half, whose first is 12; row 0 is at the edge of the board.
func (b *Board) drawRow(t *strings.Builder, row, first int) {
	upper := first == 13
	t.WriteByte('|')
	for i := range 12 {
		pt := first - i
		if upper {
			pt = first + i
		}
		if i == 6 {
			if upper {
				t.WriteString("|" + drawCell(int(b.Me[Bar]), "X", row) + "|")
			} else {
				t.WriteString("|" + drawCell(int(b.Opp[Bar]), "O", row) + "|")
			}
		}
		if n := int(b.Me[pt-1]); n > 0 {
			t.WriteString(drawCell(n, "X", row))
		} else {
			t.WriteString(drawCell(int(b.Opp[24-pt]), "O", row))
		}
	}
	t.WriteByte('|')
}

// drawCell draws, three characters wide, what a stack of n checkers shows in a row.
func drawCell(n int, mark string, row int) string {
	switch {
	case row == drawRows-1 && n > drawRows:
		return fmt.Sprintf("%2d ", n)
	case row < n:
		return " " + mark + " "
	}
	return "   "
}

func drawSide(t *strings.Builder, name string, s *Side) {
	fmt.Fprintf(t, "  %s: %d pips, %d off", name, s.Pips(), s.Off())
}
