package features

import (
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// randomShots returns masks such as a position may have, but for the classes
// being mixed: any of the two sides may be on the bar.
func randomShots(rng *rand.Rand) shots {
	held := rng.Uint32() & rng.Uint32() & (1<<24 - 1)
	blots := rng.Uint32() & rng.Uint32() & (1<<24 - 1) &^ held
	own := rng.Uint32() & (1<<24 - 1) &^ held &^ blots
	s := shots{targets: blots, blots: blots, open: ^held, hitters: own, single: own & rng.Uint32()}
	if rng.IntN(2) == 0 {
		s.targets &^= 3
	}
	return s
}

func TestKernelsEqualGo(t *testing.T) {
	if cpu.Detected() < cpu.AVX2 {
		t.Skip("no AVX2")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100_000 {
		s := randomShots(rng)
		if got, want := unpack(freeAVX2(s.targets, s.blots, s.open, s.hitters, s.single)), s.tallyFreeGo(); got != want {
			t.Fatalf("%+v: nobody on the bar: got %+v, want %+v", s, got, want)
		}
		s.hitters |= barBit
		s.single |= barBit
		if got, want := unpack(oneOnBarAVX2(s.targets, s.blots, s.open, s.hitters, s.single)), s.tallyOneOnBarGo(); got != want {
			t.Fatalf("%+v: one on the bar: got %+v, want %+v", s, got, want)
		}
	}
}
