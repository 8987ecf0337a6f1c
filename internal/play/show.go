package play

import (
	"fmt"
	"strings"

	"bgtrain/benchmark/analyze"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// style is the number of an ANSI color.
type style int

// The colors: of the person's checkers and the best play, of the net's, of warnings.
const (
	green  style = 32
	cyan   style = 36
	yellow style = 33
)

// paint colors a text where colors are shown.
func (t *table) paint(s style, text string) string {
	if !t.s.Color {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", s, text)
}

// plain is a text from elsewhere without what would control a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, text)
}

// sayKept says what becomes of the match when the person leaves.
func (t *table) sayKept() {
	if t.s.File == "" {
		t.say("The match is not kept; 'save FILE' in the game or --match FILE keeps it.")
		return
	}
	file := plain(t.s.File)
	if t.rec.Winner() != matchfile.None {
		t.say("The match is in %s; 'bgtrain analyze %s' shows the errors.", file, file)
		return
	}
	t.say("The match is in %s: the same command goes on with it.", file)
}

// Lines of a drawn board beside which something stands, and the width of the board.
const (
	netScoreLine  = 2
	cubeLine      = 6
	yourScoreLine = 10
	boardWidth    = 43
)

// draw shows the board as the person sees it, with cube, score and pips beside it.
func (t *table) draw() {
	b, turn, c := t.rec.Position()
	if turn == net {
		b = b.Swapped()
	}
	lines := strings.Split(strings.TrimSuffix(b.DrawNamed("X "+t.s.Name, "O "+t.s.Net), "\n"), "\n")
	score := t.rec.Score()
	lines[netScoreLine] += "    " + t.points(score[net])
	lines[yourScoreLine] += "    " + t.points(score[you])
	switch {
	case t.rec.Game().Crawford:
		lines[cubeLine] += "  the Crawford game: no cube"
	case c.Owner == you:
		lines[cubeLine] += fmt.Sprintf("  cube %d, yours", c.Value)
	case c.Owner == net:
		lines[cubeLine] += fmt.Sprintf("  cube %d, %s's", c.Value, t.s.Net)
	default:
		lines[cubeLine] += fmt.Sprintf("  cube %d, in the middle", c.Value)
	}
	for _, line := range lines {
		board, beside := line[:boardWidth], line[boardWidth:]
		if t.s.Color {
			board = strings.NewReplacer(" X ", t.paint(green, " X "), " O ", t.paint(cyan, " O ")).Replace(board)
		}
		t.say("%s%s", board, beside)
	}
}

// points is a score beside the board.
func (t *table) points(n int) string {
	if t.s.Length == 0 {
		return stats.Count(n, "point", "points")
	}
	return fmt.Sprintf("%d of %s", n, stats.Count(t.s.Length, "point", "points"))
}

// sayLegal lists the legal plays.
func (t *table) sayLegal(r *roll) {
	const most = 12
	legal := t.plays.Generate(&r.board, r.d1, r.d2)
	line := "  legal: "
	for i := range legal[:min(most, len(legal))] {
		word := bg.Notation(&r.board, &legal[i], r.d1, r.d2)
		if i > 0 {
			line += "; "
		}
		if len(line)+len(word) > 76 {
			t.say("%s", line)
			line = "    "
		}
		line += word
	}
	more := ""
	if len(legal) > most {
		more = fmt.Sprintf("; and %d more", len(legal)-most)
	}
	t.say("%s%s", line, more)
}

// sayResult prints how a game ended, and the match, and how the person did.
func (t *table) sayResult() {
	g := t.rec.Game()
	names := [2]string{t.s.Name, t.s.Net}
	score := t.rec.Score()
	t.say("%s wins %s. Score: %s %d, %s %d.", names[g.Winner], stats.Count(g.Points, "point", "points"), names[you],
		score[you], names[net], score[net])
	if w := t.rec.Winner(); w != matchfile.None {
		t.say("%s wins the match.", names[w])
	}
	if s, ok := t.sumOf(len(t.rec.Match().Games) - 1); ok {
		t.saySum("your game", &s)
	}
}

// mostPly is the most look-ahead that judges a whole game, which is waited for.
const mostPly = 2

// sumOf judges a game that has ended, once. There is none when the session is interrupted.
func (t *table) sumOf(game int) (analyze.Sum, bool) {
	if s, ok := t.sums[game]; ok {
		return s, true
	}
	m := *t.rec.Match()
	m.Games = m.Games[game : game+1]
	a, err := analyze.Match(t.ctx, t.brain.Evaluator.Player(), &m, *t.judge(min(t.brain.Ply, mostPly)))
	if err != nil {
		return analyze.Sum{}, false
	}
	t.sums[game] = a.Games[0][you]
	return t.sums[game], true
}

// sayTotal prints how the person did in all games of a match that is over, or of those of
// this session, where they are several.
func (t *table) sayTotal() {
	var all analyze.Sum
	games := t.rec.Match().Games
	n := 0
	for i := range games {
		if _, judged := t.sums[i]; !judged && t.rec.Winner() == matchfile.None {
			continue
		}
		s, ok := t.sumOf(i)
		if !ok {
			return
		}
		all.Merge(&s)
		n++
	}
	if n > 1 {
		t.saySum(fmt.Sprintf("your %d games", n), &all)
	}
}

// saySum prints how the person did.
func (t *table) saySum(what string, s *analyze.Sum) {
	if s.Counted() == 0 {
		t.say("  %s: no decision that counts, luck %+.3f", what, s.Luck)
		return
	}
	er := "–"
	if s.Plays > 0 {
		er = fmt.Sprintf("%.2f", s.ER())
	}
	t.say("  %s: ER %s in %s, PR %.2f (%s)\n  %s, %s, luck %+.3f", what, er, stats.Count(s.Plays, "play", "plays"),
		s.PR(), analyze.Level(s.PR()), stats.Count(s.Errors, "error", "errors"),
		stats.Count(s.Blunders, "of them a blunder", "of them blunders"), s.Luck)
	if !t.explained {
		t.explained = true
		t.say("  (ER: equity lost per play × 1000; PR: as eXtreme Gammon counts it, with the\n  cube; at %d-ply)",
			min(t.brain.Ply, mostPly))
	}
}
