// Package cpu chooses, once at start, the vector instructions that the kernels
// of this program use.
//
// The environment variable BGTRAIN_CPU lowers the choice, to test the slower
// kernels or to compare them: "vnni", "avx512", "avxvnni", "avx2" or "go" (no assembly).
// A value above what the processor can do gives the best that it can do; any other
// value is ignored and reported by Problem.
//
// AMX and AVX-512 BF16 are apart from these tiers: only training in bfloat16 takes them.
package cpu

import (
	"fmt"
	"os"
	"runtime"
)

// Tier is a level of vector instructions. A higher one includes the lower, but for
// AVX-VNNI, which some processors with AVX-512 lack.
type Tier int

// The tiers.
const (
	Go      Tier = iota // portable Go
	AVX2                // AVX2, FMA, BMI1 and BMI2
	AVXVNNI             // AVX-VNNI besides
	AVX512              // AVX-512 F, BW, DQ and VL besides AVX2
	VNNI                // AVX-512 VNNI besides
	numTiers
)

// EnvVar is the environment variable that lowers the tier.
const EnvVar = "BGTRAIN_CPU"

var tierNames = [numTiers]string{"go", "avx2", "avxvnni", "avx512", "vnni"}

// String returns the tier's name as EnvVar spells it.
func (t Tier) String() string {
	if t >= 0 && t < numTiers {
		return tierNames[t]
	}
	return fmt.Sprintf("tier(%d)", int(t))
}

// ParseTier is the inverse of Tier.String.
func ParseTier(s string) (Tier, error) {
	for i, n := range tierNames {
		if n == s {
			return Tier(i), nil
		}
	}
	return 0, fmt.Errorf("unknown tier %q (known: %v)", s, tierNames)
}

var level, problem = choose(os.Getenv(EnvVar), Detected())

// Level returns the tier that kernels use: the processor's, or a lower one where
// EnvVar asks for it. It is the same throughout a run.
func Level() Tier { return level }

// RoundingName is the name of Rounding among the settings of runs and files.
const RoundingName = "kernels"

// Rounding names how the kernels of this run round: runs of one name compute the same
// bits, of two names not. AVX2 and those above are "vector". The portable kernels are
// "portable" where Go's compiler rounds each product, and elsewhere, where it may fuse
// products with sums, carry the name of the processor too: "portable-arm64".
func Rounding() string { return rounding(level, runtime.GOARCH) }

func rounding(t Tier, arch string) string {
	switch {
	case t > Go:
		return "vector"
	case arch == "amd64" || arch == "386":
		return "portable"
	}
	return "portable-" + arch
}

// Problem returns what is wrong with the value of EnvVar, nil if nothing is. A
// program reports it at start; the processor's tier is used then.
func Problem() error { return problem }

// Tiers returns the tiers that this run may use, lowest first: Go up to Level.
func Tiers() []Tier {
	ts := make([]Tier, 0, numTiers)
	for t := Go; t <= level; t++ {
		if t != AVXVNNI || hasAVXVNNI() {
			ts = append(ts, t)
		}
	}
	return ts
}

func choose(env string, detected Tier) (Tier, error) {
	if env == "" {
		return detected, nil
	}
	t, err := ParseTier(env)
	if err != nil {
		return detected, fmt.Errorf("environment variable %s: %w", EnvVar, err)
	}
	if t == AVXVNNI && detected > t && !hasAVXVNNI() {
		t = AVX2
	}
	return min(t, detected), nil
}
