package simd

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Word is a 32-bit constant in memory, as often as a register of the tier needs
// it: AVX-512 broadcasts one, AVX2 reads eight.
type Word uint32

// Float returns the word that holds x.
func Float(x float32) Word { return Word(math.Float32bits(x)) }

var words = map[Word]Mem{}

// At returns the address of the word.
func (w Word) At() Mem {
	m, ok := words[w]
	if !ok {
		m = GLOBL(fmt.Sprintf("word%s_%08x", T.Suffix, uint32(w)), NOPTR|RODATA)
		copies := 1
		if !T.AVX512 {
			copies = T.Width()
		}
		for i := range copies {
			DATA(4*i, U32(uint32(w)))
		}
		words[w] = m
	}
	return m
}

// Set sets every lane to a constant.
func (v Lanes) Set(w Word) Lanes {
	for i := range v {
		v[i] = Broadcast(w)
	}
	return v
}

// Broadcast returns a register with a constant in every lane.
func Broadcast(w Word) reg.VecVirtual {
	r := Vector()
	VBROADCASTSS(w.At(), r)
	return r
}
