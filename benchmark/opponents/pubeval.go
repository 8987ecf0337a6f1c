package opponents

import "bgtrain/internal/bg"

// PubEval is Gerald Tesauro's linear evaluator for benchmark comparisons, which
// he gave to the public domain in 1993: a weighted sum of what stands on each
// point, with one set of weights for races and one for all else. Which set
// judges a play is decided by the position BEFORE it.
type PubEval struct{}

// Name returns "pubeval".
func (PubEval) Name() string { return "pubeval" }

// NewMover returns a mover.
func (PubEval) NewMover() (Mover, error) { return &pubEvalMover{}, nil }

type pubEvalMover struct{ plays bg.Plays }

// Play returns the play of the highest score, the first of equal ones.
func (m *pubEvalMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	race := bg.Classify(b) == bg.Race
	plays := m.plays.Generate(b, d1, d2)
	best, bestScore := 0, float32(0)
	for i := range plays {
		if s := pubEvalScore(&plays[i], race); i == 0 || s > bestScore {
			best, bestScore = i, s
		}
	}
	return plays[best], nil
}

// pubEvalScore is PubEval's value of a position after a play, to the player who
// made it (not on roll now). race reports whether there was no contact before it.
func pubEvalScore(b *bg.Board, race bool) float32 {
	if b.Opp.Back() < 0 {
		return 99999999 // all borne off: nothing is better
	}
	w := &pubEvalContact
	if race {
		w = &pubEvalRace
	}
	var score float32
	for i := range 24 {
		// The weights run from the mover's 24-point down, five for each point:
		// a blot of the opponent, exactly 1, at least 2, exactly 3 of the mover's
		// checkers, and half of those beyond 3.
		p := w[5*(23-i) : 5*(23-i)+5]
		switch n := b.Opp[i]; {
		case n == 0:
			if b.Me[23-i] == 1 {
				score += p[0]
			}
		case n == 1:
			score += p[1]
		case n == 2:
			score += p[2]
		case n == 3:
			score += p[2] + p[3]
		default:
			score += p[2] + p[4]*float32(n-3)/2
		}
	}
	score += w[120] * float32(b.Me[bg.Bar]) / 2
	return score + w[121]*float32(b.Opp.Off())/bg.Checkers
}
