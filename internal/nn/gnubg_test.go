package nn

import (
	"math"
	"testing"

	"bgtrain/internal/cpu"
)

// TestRcpps holds rcpps to what Intel's processors give: the reciprocal of the
// middle of a segment of 2^-11, rounded to 2^-13 and scaled.
func TestRcpps(t *testing.T) {
	for segment := range 2048 {
		middle := 1 + (float64(segment)+0.5)/2048
		want := math.Floor(8192/middle+0.5) / 8192
		for _, offset := range []uint32{0, 1, 1<<11 - 1, 1 << 11, 1<<12 - 1} {
			d := math.Float32frombits(0x3f800000 | uint32(segment)<<12 | offset)
			for exponent := range 20 {
				got := rcpps(float32(math.Ldexp(float64(d), exponent)))
				if float64(got) != math.Ldexp(want, -exponent) {
					t.Fatalf("%v·2^%d: %v, %v·2^-%d expected", d, exponent, got, want, exponent)
				}
			}
		}
	}
	// Two values that the instruction gave.
	for d, want := range map[float32]float32{1: 0.999755859, 1.001953125: 0.9978027344} {
		if got := rcpps(d); got != want {
			t.Errorf("rcpps(%v) = %v, %v expected", d, got, want)
		}
	}
}

// TestHiddenGNUbg compares the tiers, to the bit, on arguments that reach every
// segment of rcpps, and checks the error that the documentation names.
func TestHiddenGNUbg(t *testing.T) {
	const step = 1.0 / (1 << 14)
	values := make([]float32, padded(2*11<<14))
	segments := map[uint32]bool{}
	for i := range values {
		values[i] = step*float32(i) - 11
		segments[math.Float32bits(onePlusExpGNUbg(values[i]))>>12&2047] = true
	}
	if len(segments) != 2048 {
		t.Errorf("%d segments of 2048 tried", len(segments))
	}
	for _, tier := range cpu.Tiers() {
		got := append([]float32(nil), values...)
		tiers.At(tier).activations[hiddenGNUbg](got, 1)
		for i, x := range values {
			if want := hiddenSigmoidGNUbg(x); got[i] != want {
				t.Fatalf("%v: %v gives %x, %x expected", tier, x, got[i], want)
			}
			exact := sigmoidGNUbg(-abs32(x))
			if off := abs32(hiddenSigmoidGNUbg(-abs32(x)) - exact); off > 1.5/4096*exact {
				t.Fatalf("%v: %v off", x, off/exact)
			}
		}
	}
}

// GNU Backgammon's sigmoid steps up at tenths: docs/cube.md has the three steps on
// which chances to win differ from its own.
func TestSigmoidGNUbgSteps(t *testing.T) {
	for _, c := range []struct{ at, below, above float64 }{
		{0.7, 0.66715, 0.66819}, {1.3, 0.78504, 0.78584}, {1.4, 0.80144, 0.80218},
	} {
		below, above := float64(sigmoidGNUbg(float32(c.at-1e-5))), float64(sigmoidGNUbg(float32(c.at+1e-5)))
		if math.Abs(below-c.below) > 2e-5 || math.Abs(above-c.above) > 2e-5 {
			t.Errorf("about %v: %v and %v; %v and %v expected", c.at, below, above, c.below, c.above)
		}
	}
}
