package simd

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

var tables = map[string]Mem{}

// Table returns the read-only data of a name, which fill writes the first time.
func Table(name string, fill func()) Mem {
	m, ok := tables[name]
	if !ok {
		m = GLOBL(name+T.Suffix, NOPTR|RODATA)
		fill()
		tables[name] = m
	}
	return m
}

// PackTable holds, for each mask of 8 inputs, the byte offsets of those set, in
// ascending order, one byte each.
func PackTable() Mem {
	return Table("pack", func() {
		for mask := range 256 {
			var v uint64
			for k, rest := 0, uint8(mask); rest != 0; k, rest = k+1, rest&(rest-1) {
				v |= uint64(4*bits.TrailingZeros8(rest)) << (8 * k)
			}
			DATA(8*mask, U64(v))
		}
	})
}
