package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fmaChains is the number of independent sums that keep the multipliers busy:
// more than the four cycles of one times two a cycle.
const fmaChains = 12

// peak generates the loop that measures what the multipliers can do at most.
func peak() {
	TEXT("fmaPeak"+isa.suffix, NOSPLIT, "func(n int)")
	Doc("fmaPeak" + isa.suffix + " does n times 12 multiplications and additions of a whole register.")
	n := Load(Param("n"), GP64())
	var sums [fmaChains]reg.VecVirtual
	for i := range sums {
		sums[i] = broadcast(constant(0))
	}
	x := broadcast(constant(1))
	Label("loop")
	for _, s := range sums {
		VFMADD231PS(x, x, s)
	}
	DECQ(n)
	JNE(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
