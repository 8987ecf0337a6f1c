package matchfile

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"bgtrain/internal/bg"
)

// WriteMat writes a match as .mat text, in the dialect that GNU Backgammon and eXtreme Gammon write and read. Read
// gives the same match back, but for what the format has no place for: games that begin elsewhere than at the
// opening position, with a cube turned before, or Look.
func WriteMat(w io.Writer, m *Match) error {
	bw := bufio.NewWriter(w)
	for _, c := range []struct{ key, value string }{
		{"Site", m.Place}, {"Event", m.Event}, {"Round", m.Round}, {"EventDate", m.Date},
	} {
		if c.value != "" {
			fmt.Fprintf(bw, "; [%s \"%s\"]\n", c.key, oneLine(c.value))
		}
	}
	fmt.Fprintf(bw, " %d point match\n", m.Length)
	for i := range m.Games {
		writeMatGame(bw, m, &m.Games[i])
	}
	return bw.Flush()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// columns are the widths of a row's number and of its left half.
const (
	numberWidth = 5
	leftWidth   = 28
)

func writeMatGame(w *bufio.Writer, m *Match, g *Game) {
	var score [2]string
	for i, name := range m.Players {
		// After a colon the score is expected.
		if name = oneLine(strings.ReplaceAll(name, ":", " ")); name == "" {
			name = fmt.Sprintf("Player %d", i+1)
		}
		score[i] = fmt.Sprintf("%s : %d", name, g.Score[i])
	}
	fmt.Fprintf(w, "\n Game %d\n %-*s %s\n", g.Number, numberWidth+leftWidth-1, score[0], score[1])
	row := 0
	open := false // the row has its left half, and no right one yet
	for i := range g.Actions {
		a := &g.Actions[i]
		text := matAction(a)
		if text == "" {
			continue
		}
		if a.Player == 0 || !open {
			if open {
				w.WriteByte('\n')
			}
			row++
			fmt.Fprintf(w, "%3d) ", row)
		}
		if a.Player == 0 {
			fmt.Fprintf(w, "%-*s", leftWidth, text)
			open = true
			continue
		}
		if !open {
			fmt.Fprintf(w, "%*s", leftWidth, "")
		}
		fmt.Fprintf(w, " %s\n", text)
		open = false
	}
	if open {
		w.WriteByte('\n')
	}
	if g.Winner == None {
		return
	}
	indent := 6
	if g.Winner == 1 {
		indent = numberWidth + leftWidth + 1
	}
	last := ""
	if m.Length > 0 && g.Score[g.Winner]+g.Points >= m.Length {
		last = " and the match"
	}
	fmt.Fprintf(w, "%*sWins %s%s\n", indent, "", points(g.Points), last)
}

// matAction returns the text of an action, "" for one that has none.
func matAction(a *Action) string {
	switch a.Kind {
	case Play:
		return strings.TrimRight(fmt.Sprintf("%d%d: %s", a.Dice[0], a.Dice[1], matPlay(a)), " ")
	case Roll:
		return fmt.Sprintf("%d%d: ????", a.Dice[0], a.Dice[1])
	case Double:
		return fmt.Sprintf(" Doubles => %d", 2*a.Cube.Value)
	case Take:
		return " Takes"
	case Drop:
		return " Drops"
	case Beaver:
		return " Beavers"
	}
	return ""
}

// matPlay writes a play die by die, with a star where it hits.
func matPlay(a *Action) string {
	steps, _ := bg.Steps(&a.Board, &a.After, a.Dice[0], a.Dice[1])
	words := make([]string, len(steps))
	for i, s := range steps {
		star := ""
		if s.Hit {
			star = "*"
		}
		words[i] = fmt.Sprintf("%d/%d%s", s.From, s.To, star)
	}
	return strings.Join(words, " ")
}
