package bg

import "testing"

func TestDraw(t *testing.T) {
	b := Board{
		Opp: Side{1: 2, 5: 7, 7: 3, Bar: 1},
		Me:  Side{5: 5, 7: 1, 12: 5, 23: 1, Bar: 2},
	}
	const want = `+13-14-15-16-17-18------19-20-21-22-23-24-+
| X           O    | X | O           O  X |  O: 95 pips, 2 off
| X           O    | X | O           O    |
| X           O    |   | O                |
| X                |   | O                |
| X                |   | 7                |
|                  |BAR|                  |
|                  |   | X                |
|                  |   | X                |
|                  |   | X                |
|                  |   | X                |
|             X    | O | X                |  X (on roll): 177 pips, 1 off
+12-11-10--9--8--7-------6--5--4--3--2--1-+
`
	if got := b.Draw(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
