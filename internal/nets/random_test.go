package nets

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// randomNet returns a net of random weights, odd values among them.
func randomNet(rng *rand.Rand, set *features.Set, act nn.Activation, hidden ...int) *Entry {
	n := &nn.Net{}
	in := set.Size
	for k := range len(hidden) + 1 {
		l := nn.Layer{In: in, Out: bg.NumOutputs, Activation: nn.Sigmoid, Beta: 0.1 + rng.Float32()}
		if act == nn.SigmoidGNUbg {
			l.Activation = act
		}
		if k < len(hidden) {
			l.Out, l.Activation = hidden[k], act
		}
		l.Weights, l.Bias = randomNumbers(rng, l.In*l.Out), randomNumbers(rng, l.Out)
		n.Layers = append(n.Layers, l)
		in = l.Out
	}
	return &Entry{Net: n, Inputs: set.Name, InputsVersion: set.Version}
}

func randomNumbers(rng *rand.Rand, n int) []float32 {
	odd := []float32{0, float32(math.Copysign(0, -1)), math.MaxFloat32, -math.SmallestNonzeroFloat32, 1e-20, 0.1,
		16777217}
	v := make([]float32, n)
	for i := range v {
		if v[i] = float32(rng.NormFloat64()); rng.IntN(50) == 0 {
			v[i] = odd[rng.IntN(len(odd))]
		}
	}
	return v
}

// gnubgPlayer returns a random player that GNU Backgammon's files can hold.
func gnubgPlayer(seed uint64, hidden ...int) *Set {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := &Set{Nets: map[Role]*Entry{}, Provenance: map[string]string{}}
	for i, o := range gnubgOrder {
		f.Nets[o.role] = randomNet(rng, o.inputs, nn.SigmoidGNUbg, hidden[i%len(hidden)])
	}
	return f
}

// tesauroPlayer returns a small random player without pruning nets.
func tesauroPlayer(seed uint64, act nn.Activation, hidden ...int) *Set {
	rng := rand.New(rand.NewPCG(seed, 2))
	f := &Set{Nets: map[Role]*Entry{}, Provenance: map[string]string{}}
	for _, r := range []Role{Contact, Crashed, Race} {
		f.Nets[r] = randomNet(rng, features.Tesauro, act, hidden...)
	}
	return f
}

// sameNets compares the nets of two players, zeros with their signs.
func sameNets(t *testing.T, got, want *Set) {
	t.Helper()
	if got.Fingerprint() != want.Fingerprint() {
		t.Errorf("fingerprint %s, want %s", got.Fingerprint(), want.Fingerprint())
	}
	if len(got.Nets) != len(want.Nets) {
		t.Fatalf("%d nets, want %d", len(got.Nets), len(want.Nets))
	}
	for r, w := range want.Nets {
		g := got.Nets[r]
		if g == nil || g.Inputs != w.Inputs || g.InputsVersion != w.InputsVersion ||
			len(g.Net.Layers) != len(w.Net.Layers) {
			t.Fatalf("%s: %+v, want %+v", r, g, w)
		}
		for k := range w.Net.Layers {
			a, b := g.Net.Layers[k], w.Net.Layers[k]
			if !reflect.DeepEqual(bitsOf(a.Weights), bitsOf(b.Weights)) ||
				!reflect.DeepEqual(bitsOf(a.Bias), bitsOf(b.Bias)) {
				t.Errorf("%s: other weights in layer %d", r, k)
			}
			a.Weights, a.Bias, b.Weights, b.Bias = nil, nil, nil, nil
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: layer %d is %+v, want %+v", r, k, a, b)
			}
		}
	}
}

func bitsOf(v []float32) []uint32 {
	b := make([]uint32, len(v))
	for i := range v {
		b[i] = math.Float32bits(v[i])
	}
	return b
}
