package match

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
)

// luckMeter measures the luck of rolls: how much the best play of the roll is
// worth more than the mean over all rolls, by 0-ply values. Its mean over the
// rolls is zero whatever the values, so that points less luck keep their mean
// and lose most of their variance ("look-ahead variance reduction").
type luckMeter struct {
	e *player.Evaluator

	// handling is how the look-ahead takes the cube to be handled: the value of a play is
	// that after the opponent's decision about the cube. Without a model it is cubeless.
	handling cube.Handling

	plays bg.Plays
	first [len(bg.Rolls) + 1]int
	outs  []bg.Outputs
}

func newLuckMeter(p *player.Player, models *[2]cube.Model) *luckMeter {
	l := &luckMeter{e: p.NewEvaluator()}
	if models != nil {
		l.handling.Model = models[0]
	}
	return l
}

// measure returns the luck of a roll to the player on roll, in points, or in a match in
// match-winning chance. opening means that doubles are not possible.
func (l *luckMeter) measure(b *bg.Board, d1, d2 int, opening bool, s *cube.State) float64 {
	roll := bg.Roll{Hi: max(d1, d2), Lo: min(d1, d2)}
	actual, mean := l.look(b, &roll, opening, s)
	return actual - mean
}

// look returns what a roll is worth to the player on roll, and the mean over all rolls.
func (l *luckMeter) look(b *bg.Board, roll *bg.Roll, opening bool, s *cube.State) (actual, mean float64) {
	if l.handling.Model == nil {
		return l.lookCubeless(b, roll, opening)
	}
	plays := l.plays.GenerateAll(b, &l.first)
	if cap(l.outs) < len(plays) {
		l.outs = make([]bg.Outputs, 2*len(plays))
	}
	outs := l.outs[:len(plays)]
	l.e.EvaluateBatch(plays, outs)
	db, after := l.e.Player().Bearoff(), s.Swapped()
	var weight float64
	for i := range bg.Rolls {
		r := &bg.Rolls[i]
		if opening && r.Hi == r.Lo {
			continue
		}
		least := 0.0
		for k := l.first[i]; k < l.first[i+1]; k++ {
			if v := l.handling.Leaves(db, &plays[k], &outs[k], &after); k == l.first[i] || v < least {
				least = v
			}
		}
		v := s.Value(-least)
		mean += float64(r.Weight) * v
		weight += float64(r.Weight)
		if r.Hi == roll.Hi && r.Lo == roll.Lo {
			actual = v
		}
	}
	return actual, mean / weight
}

func (l *luckMeter) lookCubeless(b *bg.Board, roll *bg.Roll, opening bool) (actual, mean float64) {
	var weight float64
	for _, r := range bg.Rolls {
		if opening && r.Hi == r.Lo {
			continue
		}
		_, o := l.e.BestPlay(b, r.Hi, r.Lo, 0)
		v := float64(o.Equity())
		mean += float64(r.Weight) * v
		weight += float64(r.Weight)
		if r.Hi == roll.Hi && r.Lo == roll.Lo {
			actual = v
		}
	}
	return actual, mean / weight
}

// beginning returns the luck of player A that a game at a score is begun by first, 0 for A,
// where either side might have: in match-winning chance. s is the state as A sees it.
func (l *luckMeter) beginning(first int, s *cube.State) float64 {
	_, mine := l.look(&bg.Start, &bg.Roll{}, true, s)
	swapped := s.Swapped()
	_, theirs := l.look(&bg.Start, &bg.Roll{}, true, &swapped)
	half := (mine - (1 - theirs)) / 2
	if first == 1 {
		return -half
	}
	return half
}
