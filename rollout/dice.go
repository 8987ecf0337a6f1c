package rollout

import (
	"encoding/binary"
	"math/bits"

	"bgtrain/internal/bg"
	"bgtrain/internal/splitmix"
)

// rng is Steele, Lea and Flood's SplitMix64.
type rng uint64

func (r *rng) next() uint64 {
	*r += splitmix.Gamma
	return splitmix.Mix(uint64(*r))
}

// below returns a number from 0 to n-1; the bias for small n is some 2^-60.
func (r *rng) below(n uint64) int {
	hi, _ := bits.Mul64(r.next(), n)
	return int(hi)
}

// dice are the rolls of a position's trials. They depend on the seed, the
// position and the number of the trial, and on nothing else.
//
// The first two rolls are stratified. In every 36 trials each of the 36 ordered
// rolls comes once as the first roll and once as the second; in every 1,296 each
// pair of rolls comes once. So their luck leaves the mean by itself.
type dice struct {
	base uint64 // hash of seed and position

	cycle         int // the 1,296 trials that the permutations are for
	first, second [36]uint8
}

func newDice(seed uint64, key bg.Key) dice {
	h := splitmix.Mix(seed ^ 0x6a09e667f3bcc908)
	h = splitmix.Mix(h ^ binary.LittleEndian.Uint64(key[:8]))
	h = splitmix.Mix(h ^ uint64(binary.LittleEndian.Uint16(key[8:])))
	return dice{base: h, cycle: -1}
}

// trialDice are the rolls of one trial.
type trialDice struct {
	first, second uint8 // ordered rolls, 0 to 35
	later         rng
}

// trial returns the rolls of trial i.
func (d *dice) trial(i int) trialDice {
	const square = 36 * 36
	if c := i / square; c != d.cycle {
		d.cycle = c
		r := rng(splitmix.Mix(d.base ^ uint64(c)<<32 ^ 1))
		permute(&r, &d.first)
		permute(&r, &d.second)
	}
	row, col := i%square/36, i%36
	return trialDice{d.first[col], d.second[(row+col)%36], rng(splitmix.Mix(d.base + uint64(i)*2 + 1))}
}

func permute(r *rng, p *[36]uint8) {
	for i := range p {
		j := r.below(uint64(i + 1))
		p[i] = p[j]
		p[j] = uint8(i)
	}
}

// roll returns the index in bg.Rolls of the roll of a ply. From the third ply on
// they are asked for in their order, each once.
func (t *trialDice) roll(ply int) int {
	switch ply {
	case 0:
		return rollIndex[t.first]
	case 1:
		return rollIndex[t.second]
	}
	return rollIndex[t.later.below(36)]
}

// rollIndex maps the 36 ordered rolls to bg.Rolls.
var rollIndex = func() (index [36]int) {
	for i, r := range bg.Rolls {
		a, b := r.Hi-1, r.Lo-1
		index[6*a+b], index[6*b+a] = i, i
	}
	return index
}()
