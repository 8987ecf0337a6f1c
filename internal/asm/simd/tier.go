// Package simd is what the generators of kernels share: the instruction set of a
// run, registers and constants of its width, and groups of 16 lanes that do the
// same arithmetic on every tier.
package simd

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// Tier is what differs between the instruction sets.
type Tier struct {
	Suffix string // of the names of kernels
	Bytes  int    // of a vector register
	AVX512 bool
	VNNI   bool // AVX-512 VNNI besides, or AVX-VNNI
	BF16   bool // bfloat16 besides, by AMX or AVX-512 BF16
}

// The tiers by the names that package cpu gives them, and what is beside them.
var tiers = map[string]*Tier{
	"avx512":  {Suffix: "AVX512", Bytes: 64, AVX512: true},
	"avx2":    {Suffix: "AVX2", Bytes: 32},
	"vnni":    {Suffix: "VNNI", Bytes: 64, AVX512: true, VNNI: true},
	"avxvnni": {Suffix: "AVXVNNI", Bytes: 32, VNNI: true},
	"bf16":    {Suffix: "BF16", Bytes: 64, AVX512: true, VNNI: true, BF16: true},
}

// T is the tier that this run generates.
var T *Tier

// Choose sets the tier by its name, and reports whether there is such a one.
func Choose(name string) bool {
	T = tiers[name]
	return T != nil
}

// Width is the number of float32 in a register.
func (t *Tier) Width() int { return t.Bytes / 4 }

// Vector allocates a vector register.
func Vector() reg.VecVirtual {
	if T.AVX512 {
		return ZMM()
	}
	return YMM()
}

// Vectors allocates n vector registers.
func Vectors(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = Vector()
	}
	return v
}

// Clear sets a register to zeros.
func Clear(v reg.VecVirtual) {
	if T.AVX512 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
}

// Kernel begins a kernel, whose name gets the tier's suffix; doc goes on from it.
func Kernel(name, signature string, doc ...string) {
	TEXT(name+T.Suffix, NOSPLIT, signature)
	Pragma("noescape")
	if len(doc) > 0 {
		doc[0] = name + T.Suffix + " " + doc[0]
	}
	Doc(doc...)
}

// Arg loads a parameter of 64 bits, by its name.
func Arg(name string) reg.Register { return Load(Param(name), GP64()) }

// Zero allocates a register of 64 bits and clears it.
func Zero() reg.GPVirtual {
	r := GP64()
	XORQ(r, r)
	return r
}

// Finish ends a kernel that used wide registers.
func Finish() {
	VZEROUPPER()
	RET()
}
