package analyze

import (
	"bgtrain/benchmark/opponents"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
)

// value returns the equity of a play to who makes it at a state, by the objective; e has the
// bearoff database.
func (s *Settings) value(m *matchfile.Match, at *cube.State, e *player.Evaluator) func(*player.Candidate) float64 {
	if s.by(m) == byMoney {
		return money
	}
	after := at.Swapped()
	return func(c *player.Candidate) float64 { return -opponents.LeavesExactly(e, c, &after, s.Model) }
}

// luck measures how lucky a roll is: the value of its best play less the mean over all
// rolls, at 0-ply. The first roll of a game also decides who begins.
func (j *judge) luck(w *job, s *cube.State, value func(*player.Candidate) float64, t *Turn) {
	a := w.action
	if a.Board.Me.Back() < 0 || a.Board.Opp.Back() < 0 {
		return
	}
	mean := 0.0
	if w.number == 0 {
		other := s.Swapped()
		theirs := j.value(j.match, &other, j.e)
		mean = (j.meanRoll(&a.Board, value, false) - j.meanRoll(&a.Board, theirs, false)) / 2
	} else {
		mean = j.meanRoll(&a.Board, value, true)
	}
	t.Luck = j.bestPlay(&a.Board, a.Dice[0], a.Dice[1], value) - mean
	t.LuckCost = s.Value(t.Luck) - s.Value(0)
}

// bestPlay is the value of the best play of a roll.
func (j *judge) bestPlay(b *bg.Board, d1, d2 int, value func(*player.Candidate) float64) float64 {
	plays := j.e.Plays(b, d1, d2, 0)
	best := value(&plays[0])
	for i := range plays[1:] {
		best = max(best, value(&plays[i+1]))
	}
	return best
}

// meanRoll is the mean of bestPlay over all rolls, or over all but doubles.
func (j *judge) meanRoll(b *bg.Board, value func(*player.Candidate) float64, doubles bool) float64 {
	sum, weights := 0.0, 0.0
	for d1 := 1; d1 <= 6; d1++ {
		for d2 := 1; d2 <= d1; d2++ {
			weight := 2.0
			if d1 == d2 {
				if !doubles {
					continue
				}
				weight = 1
			}
			sum += weight * j.bestPlay(b, d1, d2, value)
			weights += weight
		}
	}
	return sum / weights
}
