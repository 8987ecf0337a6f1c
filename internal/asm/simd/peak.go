package simd

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// fmaChains is the number of independent sums that keep the multipliers busy:
// more than the four cycles of one times two a cycle.
const fmaChains = 12

// Peak generates the loop that measures what the multipliers can do at most.
func Peak() {
	Kernel("fmaPeak", "func(n int)", "does n times 12 multiplications and additions of a whole register.")
	n := Arg("n")
	sums := Vectors(fmaChains)
	for _, s := range sums {
		Clear(s)
	}
	x := Broadcast(Float(1))
	Label("loop")
	for _, s := range sums {
		VFMADD231PS(x, x, s)
	}
	DECQ(n)
	JNE(LabelRef("loop"))
	Finish()
}
