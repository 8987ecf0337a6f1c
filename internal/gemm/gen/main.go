// Command gen writes the assembly of package gemm, one instruction set a run:
//
//	go run . -tier avx512 -out ../avx512_amd64.s -stubs ../avx512_amd64.go -pkg gemm
//
// The kernels are the same for both tiers but for the width of a register and
// the number of rows that fit the register file.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// panel is the number of columns of a panel, see package gemm.
const panel = 32

// tier is what differs between instruction sets.
type tier struct {
	suffix  string
	bytes   int // bytes of a vector register
	rows    int // rows of the largest multiplication tile
	columns int // vector registers across a multiplication tile
	avx512  bool
}

var tiers = map[string]tier{
	"avx512": {suffix: "AVX512", bytes: 64, rows: 14, columns: 2, avx512: true},
	"avx2":   {suffix: "AVX2", bytes: 32, rows: 6, columns: 2},
}

// lanes is the number of float32 in a register.
func (t *tier) lanes() int { return t.bytes / 4 }

// vec allocates a vector register.
func (t *tier) vec() reg.VecVirtual {
	if t.avx512 {
		return ZMM()
	}
	return YMM()
}

// vecs allocates n vector registers.
func (t *tier) vecs(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = t.vec()
	}
	return v
}

// zero clears a register.
func (t *tier) zero(v reg.VecVirtual) {
	if t.avx512 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
}

// function starts a kernel.
func (t *tier) function(name, signature string, doc ...string) {
	TEXT(name+t.suffix, NOSPLIT, signature)
	Pragma("noescape")
	if len(doc) > 0 {
		doc[0] = name + t.suffix + " " + doc[0]
	}
	Doc(doc...)
}

// finish ends a kernel that used wide registers.
func (t *tier) finish() {
	VZEROUPPER()
	RET()
}

func main() {
	name := flag.String("tier", "avx512", "avx512 or avx2")
	flag.Parse()
	t, ok := tiers[*name]
	if !ok {
		panic("unknown tier " + *name)
	}
	for r := 1; r <= t.rows; r++ {
		t.multiply(r)
	}
	t.dots()
	t.columnSums()
	t.sparseMultiply()
	t.sparseAccumulate()
	if t.avx512 {
		t.compress()
	}
	t.activations()
	t.optimisers()
	t.fmaLoop()
	Generate()
}
