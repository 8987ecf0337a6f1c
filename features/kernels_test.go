package features

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
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

// TestRollsEqualGo holds writeRolls of each tier to Go, in games and on boards with
// some on the bar.
func TestRollsEqualGo(t *testing.T) {
	check := func(b *bg.Board) {
		var m, o facts
		m.read(&b.Me)
		o.read(&b.Opp)
		var n [2]nextRoll
		n[0].read(&m, &o)
		n[1].read(&o, &m)
		var want [2 * bcSide]float32
		writeRollsGo(&n, &want)
		for _, tier := range cpu.Tiers() {
			var got [2*bcSide + 1]float32
			const guard = 99
			got[2*bcSide] = guard
			writeRolls(tier, &n, (*[2 * bcSide]float32)(got[:]))
			for k := range n {
				side := got[k*bcSide:]
				for i := range 2 * bg.Bar {
					if w := want[k*bcSide+i]; math.Float32bits(side[i]) != math.Float32bits(w) {
						t.Fatalf("%v, side %d, input %d: got %v, want %v\n%s", tier, k, i, side[i], w, b.Draw())
					}
				}
			}
			if got[2*bcSide] != guard {
				t.Fatalf("%v writes beyond the inputs", tier)
			}
		}
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range 5_000 {
		b := randomBoard(rng)
		check(&b)
		// Any number of checkers on either bar, those that game positions have most often.
		for _, s := range []*bg.Side{&b.Me, &b.Opp} {
			n := rng.IntN(5)
			for i := bg.Bar - 1; i >= 0 && n > 0; i-- {
				took := min(n, int(s[i]))
				s[i] -= uint8(took)
				s[bg.Bar] += uint8(took)
				n -= took
			}
		}
		check(&b)
	}
	randomGames(11, 3, check)
}

func BenchmarkWriteRolls(b *testing.B) {
	var sides [][2]nextRoll
	for _, board := range candidates(b, bg.Contact)[:1000] {
		var m, o facts
		m.read(&board.Me)
		o.read(&board.Opp)
		var n [2]nextRoll
		n[0].read(&m, &o)
		n[1].read(&o, &m)
		sides = append(sides, n)
	}
	for _, tier := range []cpu.Tier{cpu.Go, cpu.AVX2, cpu.AVX512} {
		if tier > cpu.Level() {
			continue
		}
		b.Run(tier.String(), func(b *testing.B) {
			b.ReportAllocs()
			var d [2 * bcSide]float32
			i := 0
			for b.Loop() {
				writeRolls(tier, &sides[i], &d)
				if i++; i == len(sides) {
					i = 0
				}
			}
		})
	}
}
