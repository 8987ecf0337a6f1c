package nn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"bgtrain/internal/cpu"
)

// modelIntegers is a vector in fixed point, and the exponent of its scale.
func modelIntegers(x []float32) ([]int64, int) {
	var s [4 * Lanes]float32
	for i, v := range x {
		to := i % len(s)
		if i >= len(x)/len(s)*len(s) {
			to %= Lanes
		}
		s[to] = fma32(v, v, s[to])
	}
	for i := range Lanes {
		s[i] = (s[i] + s[i+Lanes]) + (s[i+2*Lanes] + s[i+3*Lanes])
	}
	for half := Lanes / 2; half >= 1; half /= 2 {
		for i := range half {
			if half >= 4 {
				s[i] += s[i+half]
			} else {
				s[i] = s[2*i] + s[2*i+1]
			}
		}
	}
	e := mostBits
	for math.Ldexp(float64(s[0]), 2*e) >= 1<<30 {
		e--
	}
	q := make([]int64, len(x))
	for i, v := range x {
		q[i] = int64(min(max(math.RoundToEven(math.Ldexp(float64(v), e)), math.MinInt16), math.MaxInt16))
	}
	return q, e
}

// modelWeights are a layer's in fixed point, unit by unit, with their scales.
type modelWeights struct {
	w     [][]int64
	scale []float64
}

func newModelWeights(t testing.TB, l *Layer) *modelWeights {
	m := &modelWeights{}
	for u := range l.Out {
		scale := fixedScale(l, u)
		ws, square := make([]int64, l.In), 0.0
		for i := range ws {
			w := math.RoundToEven(float64(l.Weights[i*l.Out+u]) * scale)
			if math.Abs(w) > math.MaxInt16 {
				t.Fatalf("weight %v in fixed point", w)
			}
			ws[i] = int64(w)
			square += w * w
		}
		// A vector's norm is at most 2^15, and what rounding adds.
		if math.Sqrt(square)*(1<<15+math.Sqrt(float64(l.In))/2) > math.MaxInt32 {
			t.Fatalf("weights of unit %d: sums may overflow", u)
		}
		m.w, m.scale = append(m.w, ws), append(m.scale, scale)
	}
	return m
}

// sums is the sums of the layer; x is padded.
func (m *modelWeights) sums(t testing.TB, l *Layer, x []float32) []float32 {
	q, e := modelIntegers(x)
	sums := make([]float32, l.Out)
	for u := range sums {
		var sum int64
		for i, w := range m.w[u] {
			sum += q[i] * w
		}
		if sum != int64(int32(sum)) {
			t.Fatalf("sum %d overflows", sum)
		}
		sums[u] = fma32(float32(float32(sum)*power(-e)), float32(1/m.scale[u]), l.Bias[u])
	}
	return sums
}

// fixedModel is a net with layers in fixed point, where these have so many units.
type fixedModel struct {
	*Net
	units   int
	weights map[int]*modelWeights // by layer
}

// forward is modelForward for such a net.
func (n *fixedModel) forward(t testing.TB, x []float32) []float32 {
	units := n.units
	for k := range n.Layers {
		l := &n.Layers[k]
		if !n.inFixed(k, units) {
			if slices.ContainsFunc(n.Layers[k:], func(l Layer) bool { return l.Out >= units }) {
				x = modelForward(&Net{n.Layers[k : k+1]}, x) // of at least Lanes units, in the nets here
				continue
			}
			x = modelForward(&Net{n.Layers[k:]}, x)
			break
		}
		multiple := Lanes
		if k == 1 && n.inFixed(0, units) {
			multiple = chainUnits // where a first layer in fixed point puts values
		}
		for len(x)%multiple != 0 {
			x = append(x, 0)
		}
		beta := l.steepness()
		act := l.Activation
		if k+1 < len(n.Layers) && n.inFixed(k+1, units) {
			act = act.coarse()
		}
		if n.weights[k] == nil {
			n.weights[k] = newModelWeights(t, l)
		}
		out := n.weights[k].sums(t, l, x)
		for u, v := range out {
			out[u] = modelActivation(act, beta, v)
		}
		x = out
	}
	return x
}

// fixedShapes are nets with layers in fixed point, where these are of so many units.
var fixedShapes = []struct {
	units int
	sizes []int
}{
	{1, []int{1, 1, 1}}, {30, []int{250, 128, 5}}, {30, []int{250, 128, 64, 5}}, {30, []int{250, 129, 64, 20, 5}},
	{30, []int{271, 300, 33, 20}}, {30, []int{17, 30, 31, 32, 5}}, {30, []int{40, 20, 130, 70, 5}},
	{50, []int{33, 50, 20, 40, 60, 3}}, {20, []int{250, 250}}, {768, []int{250, 768, 64, 5}},
}

// siblings returns vectors some of which differ little, and some much, or in size.
func siblings(rng *rand.Rand, n, inputs, stride int) []float32 {
	x := sparse(rng, n, inputs, stride)
	for v := 1; v < n; v++ {
		this, last := x[v*stride:][:inputs], x[(v-1)*stride:][:inputs]
		switch rng.IntN(8) {
		case 0:
		case 1:
			for i := range this { // of another scale
				this[i] *= float32(math.Ldexp(1, rng.IntN(20)-6))
			}
		case 2:
			for i := range this { // far off: differences overflow
				this[i] = -7 * last[i]
			}
		case 3:
			copy(this, last)
		case 4:
			clear(this)
		default:
			copy(this, last)
			for range 5 {
				this[rng.IntN(inputs)] = float32(rng.IntN(3))
			}
		}
	}
	return x
}

// TestFixedModel: all tiers keep to the definition of fixed point to the bit, also
// rounds alike.
func TestFixedModel(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		for i, shape := range fixedShapes {
			for _, act := range []Activation{Sigmoid, ReLU, Tanh, SquaredReLU} {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(act)))
				n := randomNet(rng, act, shape.sizes...)
				c := compileAt(t, n, tier, shape.units)
				if c.words == 0 {
					t.Fatalf("%s: nothing in fixed point", netShape(n))
				}
				m := &fixedModel{n, shape.units, map[int]*modelWeights{}}
				const vectors = 60
				x := siblings(rng, vectors, c.Inputs(), c.Stride())
				if act == SquaredReLU { // squares of squares of what is far off are infinite
					x = sparse(rng, vectors, c.Inputs(), c.Stride())
				}
				out := eval(c, x, vectors)
				for v := 0; v < vectors; v += 1 + rng.IntN(3) {
					vector := x[v*c.Stride():][:c.Inputs()]
					for o, want := range m.forward(t, slices.Clip(vector)) {
						got := out[v*c.Outputs()+o]
						if tier == cpu.Go && math.Abs(float64(got-want)) < 2e-2*max(1, math.Abs(float64(want))) {
							continue
						}
						if math.Float32bits(got) != math.Float32bits(want) {
							t.Fatalf("%v %s vector %d output %d: %x, want %x", tier, netShape(n), v, o, got, want)
						}
					}
				}
			}
		}
	}
}

// TestFixedStaysNear: fixed point changes results little.
func TestFixedStaysNear(t *testing.T) {
	for _, act := range []Activation{Sigmoid, ReLU, Tanh, SquaredReLU} {
		rng := rand.New(rand.NewPCG(11, uint64(act)))
		n := randomNet(rng, act, 250, 768, 64, 5)
		const vectors = 200
		fixed, float := compileAt(t, n, cpu.Level(), 768), compileAt(t, n, cpu.Level(), 769)
		x := sparse(rng, vectors, fixed.Inputs(), fixed.Stride())
		got, want := eval(fixed, x, vectors), eval(float, x, vectors)
		var square, size float64
		for i := range got {
			square += math.Pow(float64(got[i]-want[i]), 2)
			size += math.Pow(float64(want[i]), 2)
		}
		// The weights of these nets magnify what rounding does to a layer.
		off := math.Sqrt(square / size)
		t.Logf("%v: %.2g of the outputs' size", act, off)
		if off > 2e-3 {
			t.Errorf("%v: results are off by %v of their size", act, off)
		}
	}
}

// TestFixedStaysInRange runs the kernels of fixed point with guard words around what
// they write.
func TestFixedStaysInRange(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		k := tiers.At(tier)
		for width := 1; width <= 200; width += 7 {
			rng := rand.New(rand.NewPCG(uint64(width), 5))
			n := randomNet(rng, ReLU, 1+width%60, width, 1+width%90, 20)
			c := compileAt(t, n, tier, 1)
			s := c.NewScratch()
			for vectors := 1; vectors <= 9; vectors++ {
				x := siblings(rng, vectors, c.Inputs(), c.Stride())
				first := &c.layers[0]
				values, check := guarded(t, vectors*first.width)
				c.chain(s, x, vectors, values)
				check("%v chain, %d vectors, %d units", tier, vectors, width)
				sums, check := guarded(t, vectors*c.layers[1].width)
				c.fixedSums(s, 1, values, vectors, sums)
				check("%v sums, %d vectors, %d units", tier, vectors, c.layers[1].width)
			}
			words, check := guarded(t, 8*Lanes)
			out := unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), len(words))
			k.quantize(sparse(rng, 1, 40*Lanes, 40*Lanes), 2, 24*Lanes, 8*Lanes, mostBits, out)
			check("%v quantize", tier)
			testActive(t, k, rng)
			k.differ(out[:4*Lanes], out[4*Lanes:], out[:4*Lanes])
			check("%v differ", tier)
		}
	}
}

// testActive runs active and quantizeActive on vectors of three blocks.
func testActive(t *testing.T, k *kernels, rng *rand.Rand) {
	t.Helper()
	const blocks, width, rowBytes = 3, 2 * Lanes, 96
	n := 1 + rng.IntN(k.tile)
	x := sparse(rng, 1, blocks*n*width, blocks*n*width)
	words, check := guarded(t, blocks*width+Lanes)
	rows := unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), len(words))
	bytes, checkMasks := guarded(t, blocks*width/32)
	masks := unsafe.Slice((*uint8)(unsafe.Pointer(&bytes[0])), 4*len(bytes))
	listed := 0
	for b := range blocks {
		listed += k.active(x[b*n*width:], width, n, b*width*rowBytes, rowBytes, rows[listed:], masks[b*width/8:])
	}
	check("active")
	checkMasks("masks")
	inputs := make([]int, listed)
	for i, row := range rows[:listed] {
		inputs[i] = int(row / rowBytes)
	}
	for i := range blocks * width {
		zero := true
		for v := range n {
			zero = zero && x[i/width*n*width+v*width+i%width] == 0
		}
		if set := masks[i/8]>>(i%8)&1 == 1; zero == slices.Contains(inputs, i) || set == zero {
			t.Fatalf("input %d is zero: %v, but mask %v and rows %v", i, zero, set, rows[:listed])
		}
	}
	words, check = guarded(t, blocks*width/2+Lanes)
	out := unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), len(words))
	whole := make([]uint32, blocks*width/2)
	for v := range n {
		e := k.quantizeActive(x[v*width:], blocks, n*width, width, mostBits, masks, out)
		if want := k.quantize(x[v*width:], blocks, n*width, width, mostBits, whole); e != want {
			t.Fatalf("exponent %d, want %d", e, want)
		}
		integer := func(words []uint32, i int) int16 { return int16(words[i/2] >> (i % 2 * 16)) }
		for i, in := range inputs {
			if got, want := integer(out, i), integer(whole, in); got != want {
				t.Fatalf("input %d is %d, want %d", in, got, want)
			}
		}
		if listed%2 == 1 && integer(out, listed) != 0 {
			t.Fatalf("%d after the last of %d", integer(out, listed), listed)
		}
	}
	check("quantizeActive")
}

func TestFixedAllocatesNothing(t *testing.T) {
	for _, tier := range cpu.Tiers() {
		rng := rand.New(rand.NewPCG(1, 1))
		c := compileAt(t, randomNet(rng, ReLU, 250, 130, 64, 5), tier, 128)
		const vectors = 60
		x, out := sparse(rng, vectors, c.Inputs(), c.Stride()), make([]float32, vectors*c.Outputs())
		s := c.NewScratch()
		if a := testing.AllocsPerRun(10, func() { c.Eval(s, x, vectors, out) }); a != 0 {
			t.Errorf("%v: %v allocations", tier, a)
		}
	}
}

// TestInFixed: which layers are in fixed point.
func TestInFixed(t *testing.T) {
	for _, c := range []struct {
		act   Activation
		sizes []int
		want  string
	}{
		{ReLU, []int{200, 16, 5}, "00"}, {Sigmoid, []int{250, 127, 64, 5}, "000"}, {Sigmoid, []int{250, 128, 5}, "10"},
		{ReLU, []int{250, 512, 32, 5}, "110"}, {ReLU, []int{250, 1024, 256, 64, 5}, "1110"},
		{ReLU, []int{250, 64, 128, 20, 5}, "0110"}, {SigmoidGNUbg, []int{250, 1024, 64, 5}, "000"},
	} {
		n := randomNet(rand.New(rand.NewPCG(1, 1)), c.act, c.sizes...)
		compiled, err := Compile(n)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for k := range compiled.layers {
			got += map[bool]string{false: "0", true: "1"}[compiled.layers[k].fixed != nil]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", netShape(n), got, c.want)
		}
	}
}
