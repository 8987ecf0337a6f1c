package gnubgtest

import (
	"os"
	"strings"
)

// Intel reports whether this processor is one of Intel's, whose approximate
// reciprocals (RCPPS) our sigmoid-gnubg has to the bit.
func Intel() bool {
	// Where there is no such file, the processor is taken for another.
	info, err := os.ReadFile("/proc/cpuinfo")
	return err == nil && strings.Contains(string(info), "GenuineIntel")
}

// Tolerance returns how far an output of the installed GNU Backgammon may be from
// ours where both compute the same net with its sigmoid: 1e-4. Processors that are
// not Intel's may be 4e-4 off in a hidden unit, and where a sum is next to a tenth
// take the next tangent: 2e-3 there.
func Tolerance() float64 {
	if Intel() {
		return 1e-4
	}
	return 2e-3
}
