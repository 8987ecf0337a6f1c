package main

import (
	"encoding/binary"
	"math"
	"slices"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
)

// What within.bin has, see features.withinData.
const (
	horizon    = 8
	exactOff   = 10
	maxOutside = 4

	numTwoOutside = 190 // ways to have up to two checkers outside
)

// encodeWithin returns within.bin.
func encodeWithin(db *bearoff.DB) []byte {
	s := newSaves(maxOutside)
	return append(encodeOff(newFew(db), s.outside[:numTwoOutside]), encodeSafe(s)...)
}

// encodeOff returns the chances to be off of sides of few checkers, for ways to have checkers outside.
func encodeOff(f *few, outside [][]uint8) (data []byte) {
	for _, o := range outside {
		most := exactOff
		if len(o) > 0 {
			most = fewHome[len(o)]
		}
		for _, board := range bearoff.Homes(bearoff.Positions(most)) {
			var side bg.Side
			copy(side[:], board[:])
			for _, p := range o {
				side[bearoff.Points+p]++
			}
			sum := 0.0
			for _, p := range f.of(&side).p[1 : horizon+1] {
				sum += p
				data = binary.LittleEndian.AppendUint16(data, uint16(math.Round(65535*min(sum, 1))))
			}
		}
	}
	return data
}

// encodeSafe returns the chances of s.
func encodeSafe(s *saves) (data []byte) {
	for range horizon {
		s.next()
	}
	for i, o := range s.outside {
		least := 0
		if len(o) > 2 {
			least = boards / 2 // the 6-point is taken for occupied
		}
		for held := least; held < boards; held++ {
			for n := 1; n <= horizon; n++ {
				data = append(data, uint8(math.Round(255*float64(s.within[n][i*boards+held]))))
			}
		}
	}
	return data
}

const (
	points = bg.Bar - bearoff.Points // outside the home board
	boards = 1 << bearoff.Points     // sets of home points
)

// saves computes the chance that the first of fifteen checkers comes off within a number of rolls. A state is
// where the checkers outside the home board are, and which home points are occupied: those stay so, as if each had
// checkers to spare. Plays are the best for the number of rolls in question.
type saves struct {
	outside [][]uint8      // ways to have checkers outside, as features numbers them: ascending points, 0 the 7-point
	place   map[string]int // of each in outside
	within  [][]float32    // by number of rolls, then way and points
}

// newSaves returns those of up to most checkers outside, without a roll.
func newSaves(most int) *saves {
	s := &saves{place: map[string]int{}}
	// list adds the ways to put k checkers before those of o. In the order of the
	// combinatorial number system the last point counts most.
	var list func(o []uint8, k int)
	list = func(o []uint8, k int) {
		if k == 0 {
			s.place[string(o)] = len(s.outside)
			s.outside = append(s.outside, o)
			return
		}
		most := uint8(points - 1)
		if len(o) > 0 {
			most = o[0]
		}
		for p := range most + 1 {
			list(append([]uint8{p}, o...), k-1)
		}
	}
	for k := range most + 1 {
		list(nil, k)
	}
	s.within = [][]float32{make([]float32, len(s.outside)*boards)} // never without a roll
	return s
}

// next adds the chances within one roll more.
func (s *saves) next() {
	chances := make([]float32, len(s.outside)*boards)
	parallel.Ranges(0, len(s.outside), 1, func(from, to int) {
		for i := from; i < to; i++ {
			for held := range boards {
				chances[i*boards+held] = s.chance(s.outside[i], held)
			}
		}
	})
	s.within = append(s.within, chances)
}

// chance returns that of a state within one roll more than those in s.
func (s *saves) chance(o []uint8, held int) float32 {
	sum := float32(0)
	for _, r := range bg.Rolls {
		hi, lo := uint8(r.Hi), uint8(r.Lo)
		var best float32
		if hi == lo {
			best = s.best(o, held, []uint8{hi, hi, hi, hi})
		} else {
			best = max(s.best(o, held, []uint8{hi, lo}), s.best(o, held, []uint8{lo, hi}))
		}
		sum += float32(r.Weight) / 36 * best
	}
	return sum
}

// best returns the best chance after playing the dice in their order, with the rolls that were done before.
func (s *saves) best(o []uint8, held int, dice []uint8) float32 {
	if len(dice) == 0 {
		return s.within[len(s.within)-1][s.place[string(o)]*boards+held]
	}
	d, dice := int(dice[0]), dice[1:]
	best := float32(0)
	if len(o) == 0 {
		if held>>(d-1)&1 == 1 || held>>(d-1) == 0 {
			return 1 // one comes off
		}
		for p := d; p < bearoff.Points; p++ {
			if held>>p&1 == 1 {
				best = max(best, s.best(o, held|1<<(p-d), dice))
			}
		}
		return best
	}
	var moved [maxOutside]uint8
	for i, p := range o {
		if i > 0 && o[i-1] == p {
			continue
		}
		m, h := append(append(moved[:0], o[:i]...), o[i+1:]...), held
		if to := int(p) - d; to < 0 {
			h |= 1 << (to + bearoff.Points)
		} else {
			m = append(m, uint8(to))
			slices.Sort(m)
		}
		best = max(best, s.best(m, h, dice))
	}
	return best
}
