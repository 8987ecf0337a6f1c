package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// guarded returns n values between guard words, and a check that nobody wrote
// to these.
func guarded(t *testing.T, n int) ([]float32, func(what string, args ...any)) {
	const words, guard = 32, -12345.5
	all := make([]float32, n+2*words)
	for i := range all {
		all[i] = guard
	}
	return all[words : words+n : words+n], func(what string, args ...any) {
		t.Helper()
		for i, v := range all {
			if (i < words || i >= words+n) && v != guard {
				t.Fatalf("write at %d of %d: "+what, append([]any{i - words, n}, args...)...)
			}
		}
	}
}

// TestKernelsStayInRange runs every kernel of every tier with guard words around
// what it writes, and holds sums and dot products to the model.
func TestKernelsStayInRange(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		k := tiers.At(tier)
		for width := 1; width <= 10*Lanes; width++ {
			rng := rand.New(rand.NewPCG(uint64(width), 1))
			act := [...]Activation{ReLU, SigmoidGNUbg}[width%2]
			net := randomNet(rng, act, 1+rng.IntN(60), (width+1)/2)
			width := (width + 1) / 2
			wide, narrow := layOut(&net.Layers[0], padded(net.Inputs()), false), layOut(&net.Layers[0], padded(net.Inputs()), true)
			for n := 1; n <= k.tile; n++ {
				x := sparse(rng, n, net.Inputs(), wide.in)
				for i := range rng.IntN(len(x)) {
					if x[i] != 0 {
						x[i] = float32(math.Ldexp(1, rng.IntN(5)-2)) // a power of two
					}
				}
				testTile(t, k, &wide, &net.Layers[0], x, n)
				if narrow.blocks != nil {
					continue
				}
				out, check := guarded(t, n*width)
				k.dot(&narrow, x, n, out)
				check("%v dot, %d vectors, %d outputs", tier, n, width)
				for i, got := range out {
					in := x[i/width*wide.in:][:net.Inputs()]
					want := modelDot(&net.Layers[0], in, i%width)
					if off := math.Abs(float64(got - want)); off > 1e-5 || (tier > cpu.Go || act == SigmoidGNUbg) &&
						off != 0 {
						t.Fatalf("%v dot, output %d of %d: %x, want %x", tier, i, len(out), got, want)
					}
				}
			}
		}
	}
}

// testTile runs index and sums on one tile.
func testTile(t *testing.T, k *kernels, l *layer, src *Layer, x []float32, n int) {
	t.Helper()
	words := make([]uint32, 2*(l.in+Lanes)+2)
	end := l.in + Lanes
	tl := tile{n: n, inputList: inputList{words[:end], words[end+1:][:end]}}
	const guard = 0xdeadbeef
	words[end], words[2*end+1] = guard, guard
	tl.listed, tl.powers = k.index(l, x, n, &tl.inputList)
	if words[end] != guard || words[2*end+1] != guard {
		t.Fatalf("index: write past the list, %d inputs", l.in)
	}
	for _, off := range tl.inputs[:tl.powers] {
		for v := range n {
			if f, _ := math.Frexp(math.Abs(float64(x[v*l.in+int(off/4)]))); f != 0 && f != 0.5 {
				t.Fatalf("index: %v taken for a power of two", x[v*l.in+int(off/4)])
			}
		}
	}
	if tl.powers > tl.listed {
		t.Fatalf("index: %d powers of two of %d", tl.powers, tl.listed)
	}
	listed := make(map[uint32]bool)
	for i, off := range tl.inputs[:tl.listed] {
		if i > 0 && off <= tl.inputs[i-1] || tl.rows[i] != off*uint32(l.rowSize) {
			t.Fatalf("index: entry %d of %v, rows %v", i, tl.inputs[:tl.listed], tl.rows[:tl.listed])
		}
		listed[off/4] = true
	}
	for i, v := range x {
		if v != 0 && !listed[uint32(i%l.in)] {
			t.Fatalf("index: input %d of vector %d is %v, but not listed", i%l.in, i/l.in, v)
		}
	}
	sums, check := guarded(t, n*l.width)
	for b := range l.blocks {
		k.sums(l, b, x, &tl, sums[b*blockUnits:], l.width)
	}
	check("sums, %d vectors of %d units", n, l.width)
	for i, got := range sums {
		want, u := float32(0), i%l.width
		if u < src.Out {
			want = modelSum(src, x[i/l.width*l.in:][:src.In], u)
		}
		if off := math.Abs(float64(got - want)); off > 1e-5 || (k != &goKernels || l.rounded) && off != 0 {
			t.Fatalf("sums, vector %d unit %d of %d: %x, want %x", i/l.width, u, src.Out, got, want)
		}
	}
}

// TestActivations holds the activations of every tier to double precision and,
// in assembly, to the model, and checks that nothing else is written.
func TestActivations(t *testing.T) {
	var values []float32
	for x := -100.0; x < 100; x += 0.00173 {
		values = append(values, float32(x))
	}
	for x := 1e-45; x < 1e38; x *= 1.9 {
		values = append(values, float32(x), float32(-x))
	}
	inf := float32(math.Inf(1))
	values = append(values, 0, float32(math.Copysign(0, -1)), inf, -inf, float32(math.NaN()), 10, -10, 9.999999, 87,
		-87)
	values = append(values, make([]float32, padded(len(values))-len(values))...)
	for _, tier := range cpu.Tiers() {
		for a, f := range tiers.At(tier).activations {
			act := Activation(a)
			beta := float32(1)
			if act == Sigmoid || act == SigmoidGNUbg || act == hiddenGNUbg || act == coarseSigmoid {
				beta = 0.75
			}
			got, check := guarded(t, len(values))
			copy(got, values)
			f(got, beta)
			check("%v %v", tier, act)
			l := Layer{Activation: act, Beta: beta}
			for i, x := range values {
				checkActivation(t, tier, &l, x, got[i])
			}
		}
		for groups := 1; groups <= 9; groups++ { // every tail
			for _, f := range tiers.At(tier).activations {
				got, check := guarded(t, groups*Lanes)
				copy(got, values)
				f(got, 1)
				check("%v, %d groups", tier, groups)
				want := append([]float32{}, values[:8*Lanes]...)
				f(want, 1)
				if groups < 8 && math.Float32bits(got[groups*Lanes-1]) != math.Float32bits(want[groups*Lanes-1]) {
					t.Errorf("%v, %d groups: last value differs", tier, groups)
				}
			}
		}
	}
}

func checkActivation(t *testing.T, tier cpu.Tier, l *Layer, x, got float32) {
	t.Helper()
	if tier > cpu.Go || l.Activation == SigmoidGNUbg {
		want := modelActivation(l.Activation, l.Beta, x)
		if got != want && (got == got || want == want) {
			t.Fatalf("%v %v(%v·%v) = %x, model %x", tier, l.Activation, l.Beta, x, got, want)
		}
	}
	if x != x {
		if got == got && l.Activation < numActivations && l.Activation != SigmoidGNUbg {
			t.Fatalf("%v %v(NaN) = %v", tier, l.Activation, got)
		}
		return
	}
	if l.Activation == hiddenGNUbg {
		if want := hiddenSigmoidGNUbg(l.Beta * x); got != want {
			t.Fatalf("%v hiddenGNUbg(%v·%v) = %x, want %x", tier, l.Beta, x, got, want)
		}
		return
	}
	if l.Activation == coarseSigmoid {
		want := 1 / (1 + math.Exp(-float64(l.Beta)*float64(x)))
		if off := math.Abs(float64(got) - want); !(off <= 3.5e-5) {
			t.Fatalf("%v coarse sigmoid(%v·%v) = %v, want %v", tier, l.Beta, x, got, want)
		}
		return
	}
	if l.Activation == coarseSquaredReLU {
		if want := modelActivation(l.Activation, 1, x); got != want {
			t.Fatalf("%v coarse square(%v) = %v, want %v", tier, x, got, want)
		}
		return
	}
	want := l.apply(x)
	if off := math.Abs(float64(got) - float64(want)); got != want && !(off <= 1.2e-7) {
		t.Fatalf("%v %v(%v·%v) = %v, want %v", tier, l.Activation, l.Beta, x, got, want)
	}
	if l.Activation != Sigmoid || l.Beta*x < -87 {
		return
	}
	// Small values of a sigmoid keep their relative precision too, apart from the
	// rounding of beta·x.
	exact := 1 / (1 + math.Exp(-float64(l.Beta*x)))
	if off := math.Abs(float64(got) - exact); off > 4e-7*exact {
		t.Fatalf("%v sigmoid(%v·%v) = %v, want %v", tier, l.Beta, x, got, exact)
	}
}
