package opponents

import "bgtrain/internal/bg"

// PipCount is the pip-count-ratio bot of jacobhilton/backgammon: a position's
// value is the opponent's share of all pips, and a play's value the mean over
// the opponent's 21 rolls of the lowest value that a reply leaves ("one-ply
// look-ahead"). Won games count 1 and lost ones 0, gammons no more. Where plays
// tie, it draws.
type PipCount struct {
	// Static is without that look-ahead: a play's value is the mover's own share.
	Static bool
}

// Name returns "pipcount", or "pipcount:0" without the look-ahead.
func (p PipCount) Name() string {
	if p.Static {
		return "pipcount:0"
	}
	return "pipcount"
}

// NewMover returns a mover.
func (p PipCount) NewMover() (Mover, error) {
	return &pipCountMover{static: p.Static, chance: newChance()}, nil
}

type pipCountMover struct {
	static         bool
	plays, replies bg.Plays
	tied           []bg.Board
	chance         // between plays that tie
}

// Play returns the play of the highest value.
func (m *pipCountMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	best := -1.0
	for _, p := range m.plays.Generate(b, d1, d2) {
		var v float64
		if m.static {
			v = 1 - pipShare(&p)
		} else {
			v = m.lookAhead(&p)
		}
		switch {
		case v > best:
			best = v
			m.tied = append(m.tied[:0], p)
		case v == best:
			m.tied = append(m.tied, p)
		}
	}
	return m.tied[m.rand.IntN(len(m.tied))], nil
}

// lookAhead is the value of a position to the player who is NOT on roll.
func (m *pipCountMover) lookAhead(b *bg.Board) float64 {
	if b.Opp.Back() < 0 {
		return 1
	}
	sum := 0.0
	for _, r := range bg.Rolls {
		least := 1.0
		for _, reply := range m.replies.Generate(b, r.Hi, r.Lo) {
			least = min(least, pipShare(&reply))
		}
		sum += float64(r.Weight) * least
	}
	return sum / 36
}

// pipShare is the static value of a position to the player on roll.
func pipShare(b *bg.Board) float64 {
	me, opp := b.Me.Pips(), b.Opp.Pips()
	return float64(opp) / float64(me+opp)
}
