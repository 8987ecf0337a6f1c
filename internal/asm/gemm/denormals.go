package gemm

import (
	. "github.com/mmcloughlin/avo/build"

	. "bgtrain/internal/asm/simd"
)

// The register that describes how floating-point instructions work: as Go has it everywhere, and
// with numbers below the normal ones read and written as zeros.
const (
	normal = Word(0x1f80)
	flush  = normal | 1<<15 | 1<<6
)

// begin begins a kernel of floating-point arithmetic. It flushes numbers below the normal ones,
// as the moments of idle units become: processors take up to a hundred times as long for them.
func begin(name, signature string, doc ...string) {
	Kernel(name, signature, doc...)
	LDMXCSR(flush.At())
}

// finish ends a kernel that begin began.
func finish() {
	LDMXCSR(normal.At())
	Finish()
}
