package nn

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/cpu"
)

// FuzzEval holds, in float32, the assembly tiers to the model, to the bit, and the portable
// one to double precision, on nets of any shape with inputs of any finite bits.
func FuzzEval(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(33), uint8(0), uint8(5), uint8(0), []byte("some input vectors"))
	f.Add(uint64(2), uint8(250), uint8(128), uint8(17), uint8(5), uint8(1),
		[]byte{0, 0, 128, 63, 0, 0, 0, 128, 1, 0, 0, 0})
	f.Add(uint64(3), uint8(0), uint8(0), uint8(0), uint8(0), uint8(2), []byte{})
	f.Add(uint64(4), uint8(7), uint8(70), uint8(40), uint8(30), uint8(3),
		[]byte{255, 255, 127, 127, 255, 255, 127, 255})
	f.Fuzz(func(t *testing.T, seed uint64, in, hidden, hidden2, out, act uint8, raw []byte) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sizes := []int{1 + int(in), 1 + int(hidden), 1 + int(out)}
		if hidden2 > 0 {
			sizes = []int{1 + int(in), 1 + int(hidden), int(hidden2), 1 + int(out)}
		}
		net := randomNet(rng, Activation(act)%numActivations, sizes...)
		stride := padded(net.Inputs())
		n := 1 + int(seed%9)
		x := sparse(rng, n, net.Inputs(), stride)
		moderate := true
		for i := range min(len(raw)/4, net.Inputs()) {
			v := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			// Sums that overflow are not promised to be the same: what is
			// infinite times a padding zero is not a number.
			if v-v == 0 && abs32(v) < 1e9 {
				x[int(seed%uint64(n))*stride+i] = v
				moderate = moderate && abs32(v) < 10
			}
		}
		for _, tier := range cpu.Tiers() {
			c := compileAt(t, net, tier, inFloat32)
			got := eval(c, x, n)
			for v := range n {
				vector := x[v*stride:][:net.Inputs()]
				for o, want := range modelForward(net, vector) {
					g := got[v*c.Outputs()+o]
					switch off := math.Abs(float64(g) - float64(want)); {
					case g == want || g != g && want != want:
					case tier > cpu.Go || net.Layers[0].Activation == SigmoidGNUbg:
						t.Fatalf("%v %s vector %d output %d: %x, want %x", tier, netShape(net), v, o, g, want)
					case moderate && net.Layers[0].Activation != SigmoidGNUbg && off > 1e-3*(1+math.Abs(float64(want))):
						t.Fatalf("%v %s vector %d output %d: %v, want %v", tier, netShape(net), v, o, g, want)
					}
				}
			}
		}
	})
}
