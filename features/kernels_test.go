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
	for _, tier := range cpu.Tiers() {
		k := tiers.At(tier)
		rng := rand.New(rand.NewPCG(7, 8))
		for range 50_000 {
			s := randomShots(rng)
			if got, want := k.free(s), s.tallyFreeGo(); got != want {
				t.Fatalf("%v %+v: nobody on the bar: got %+v, want %+v", tier, s, got, want)
			}
			s.hitters |= barBit
			s.single |= barBit
			if got, want := k.oneOnBar(s), s.tallyOneOnBarGo(); got != want {
				t.Fatalf("%v %+v: one on the bar: got %+v, want %+v", tier, s, got, want)
			}
		}
	}
}
