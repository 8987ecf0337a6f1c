package bearoff

import "bgtrain/internal/bg"

// objective finds the best plays for one side alone: those that lead to the positions of least value.
//
// The best play of a roll is the best over its first move of the best second one, so the best continuations of
// every position with each die are kept, and no list of plays is needed.
type objective struct {
	value []float64 // of a position, the less the better
	// after[id][k][die-1] is the best position reached from id by k+1 moves of one die.
	after [][3][6]uint16
}

func newObjective(n int) *objective {
	return &objective{value: make([]float64, n), after: make([][3][6]uint16, n)}
}

// prepare readies position id for best, once the values of all positions that a move leads to are there.
func (o *objective) prepare(s singles, id uint16) {
	at := &o.after[id]
	for die := 1; die <= 6; die++ {
		moves := s.of(id, die)
		at[0][die-1] = moves[0]
		at[1][die-1] = o.after[moves[0]][0][die-1]
		at[2][die-1] = o.after[moves[0]][1][die-1]
		for _, to := range moves[1:] {
			better(o.value, &at[0][die-1], to)
			better(o.value, &at[1][die-1], o.after[to][0][die-1])
			better(o.value, &at[2][die-1], o.after[to][1][die-1])
		}
	}
}

// best returns the best position that a roll, an index into bg.Rolls, leads to.
func (o *objective) best(s singles, id uint16, roll int) uint16 {
	hi, lo := bg.Rolls[roll].Hi, bg.Rolls[roll].Lo
	moves := s.of(id, hi)
	if hi == lo {
		best := o.after[moves[0]][2][hi-1]
		for _, to := range moves[1:] {
			better(o.value, &best, o.after[to][2][hi-1])
		}
		return best
	}
	best := o.after[moves[0]][0][lo-1]
	for _, to := range moves[1:] {
		better(o.value, &best, o.after[to][0][lo-1])
	}
	for _, to := range s.of(id, lo) {
		better(o.value, &best, o.after[to][0][hi-1])
	}
	return best
}

// better sets best to id if that has a smaller value. Values within rounding error are equal; of equals the smaller
// number is better, on every processor.
func better[ID uint16 | uint32](value []float64, best *ID, id ID) {
	const same = 1e-11
	d := value[id] - value[*best]
	if d < -same || d < same && id < *best {
		*best = id
	}
}
