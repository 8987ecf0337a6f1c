package matchfile

import (
	"bufio"
	"fmt"
	"io"

	"bgtrain/internal/bg"
)

// WriteBoards writes a match for people: every action in words, and the board after every play, always seen by
// player 0, who is X at the bottom.
func WriteBoards(w io.Writer, m *Match) error {
	t := &boards{w: bufio.NewWriter(w), names: [2]string{"X " + m.Players[0], "O " + m.Players[1]}}
	for i := range m.Games {
		g := &m.Games[i]
		fmt.Fprintf(t.w, "%s against %s", t.names[0], t.names[1])
		if m.Round != "" {
			fmt.Fprintf(t.w, ", %s", oneLine(m.Round))
		}
		if m.Length > 0 {
			fmt.Fprintf(t.w, ", game %d of a match to %d, %d-%d", g.Number, m.Length, g.Score[0], g.Score[1])
		}
		if g.Crawford {
			fmt.Fprint(t.w, ", Crawford")
		}
		fmt.Fprintln(t.w)
		for k := range g.Actions {
			t.action(&g.Actions[k])
		}
		if g.Winner != None {
			fmt.Fprintf(t.w, "%s wins %s\n\n", t.names[g.Winner], points(g.Points))
		}
	}
	return t.w.Flush()
}

// boards writes the games of two players.
type boards struct {
	w     *bufio.Writer
	names [2]string
}

func (t *boards) action(a *Action) {
	who := "position"
	if a.Player != None {
		who = t.names[a.Player]
	}
	fmt.Fprintf(t.w, "%3d. %s", a.Move, who)
	switch a.Kind {
	case Play:
		fmt.Fprintf(t.w, " %d%d: %s\n", a.Dice[0], a.Dice[1], bg.Notation(&a.Board, &a.After, a.Dice[0], a.Dice[1]))
		b := a.After // the opponent on roll
		if a.Player == 0 {
			b = b.Swapped()
		}
		fmt.Fprint(t.w, b.DrawNamed(t.names[0], t.names[1]))
	case Roll:
		fmt.Fprintf(t.w, " %d%d, not played\n", a.Dice[0], a.Dice[1])
	case Double:
		fmt.Fprintf(t.w, " doubles to %d\n", 2*a.Cube.Value)
	case Take, Drop, Beaver:
		fmt.Fprintf(t.w, " %ss\n", a.Kind)
	default:
		fmt.Fprintln(t.w, " to act")
	}
}

// points is a number of points in words.
func points(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}
