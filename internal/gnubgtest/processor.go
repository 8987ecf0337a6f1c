package gnubgtest

import (
	"os"
	"strings"
)

// Tolerance returns how far an output of the installed GNU Backgammon may be from
// ours where both compute the same net with its sigmoid. On Intel's processors that
// is 1e-4. Others approximate reciprocals (RCPPS) otherwise, by up to 4e-4 of a
// hidden unit, and where a sum is next to a tenth they may take the next tangent:
// 2e-3 there.
func Tolerance() float64 {
	// Where there is no such file, the processor is taken for another.
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil && strings.Contains(string(info), "GenuineIntel") {
		return 1e-4
	}
	return 2e-3
}
