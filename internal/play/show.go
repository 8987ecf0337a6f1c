package play

import (
	"fmt"
	"strings"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
)

// sayKept says what becomes of a match that the person leaves.
func (t *table) sayKept() {
	if t.s.File == "" {
		t.say("The match is not kept; with --match FILE it is.")
		return
	}
	t.say("The match is in %s: the same command goes on with it.", t.s.File)
}

// draw shows the board as the person sees it.
func (t *table) draw() {
	b, turn, c := t.rec.Position()
	if turn == net {
		b = b.Swapped()
	}
	text := strings.NewReplacer("X (on roll)", "X "+t.s.Name, "  O:", "  O "+t.s.Net+":").Replace(b.Draw())
	owner := "in the middle"
	switch c.Owner {
	case you:
		owner = "yours"
	case net:
		owner = t.s.Net + "'s"
	}
	t.say("%scube %d, %s", text, c.Value, owner)
}

// sayLegal lists the legal plays.
func (t *table) sayLegal(b *bg.Board, d1, d2 int) {
	const most = 12
	legal := t.plays.Generate(b, d1, d2)
	words := make([]string, 0, most)
	for i := range legal[:min(most, len(legal))] {
		words = append(words, bg.Notation(b, &legal[i], d1, d2))
	}
	more := ""
	if len(legal) > most {
		more = fmt.Sprintf("; and %d more", len(legal)-most)
	}
	t.say("  legal: %s%s", strings.Join(words, "; "), more)
}

// hintPlay lists the best plays.
func (t *table) hintPlay(b *bg.Board, d1, d2 int) {
	plays := t.brain.Evaluator.Plays(b, d1, d2, t.brain.Ply)
	for i := range plays[:min(5, len(plays))] {
		t.say("  %-24s %+.3f", bg.Notation(b, &plays[i].Result, d1, d2), plays[i].Equity)
	}
}

// sayResult prints how a game ended, and the match.
func (t *table) sayResult() {
	g := t.rec.Game()
	names := [2]string{t.s.Name, t.s.Net}
	plural := "s"
	if g.Points == 1 {
		plural = ""
	}
	score := t.rec.Score()
	t.say("%s wins %d point%s. Score: %s %d, %s %d.", names[g.Winner], g.Points, plural, names[you], score[you],
		names[net], score[net])
	if w := t.rec.Winner(); w != matchfile.None {
		t.say("%s wins the match.", names[w])
	}
}
