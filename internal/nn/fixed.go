package nn

import (
	"math"
	"slices"
	"unsafe"
)

const (
	// fixedUnits is the least width of a layer that is computed in fixed point, as is
	// the layer after it: less than a block is not worth it.
	fixedUnits = chainUnits
	// chainUnits is the number of units of a block of a first layer in fixed point.
	chainUnits = 8 * Lanes
	// mostBits is the greatest exponent of the scale of a vector. The inputs of nearly
	// all positions have it, so that those of siblings can be compared.
	mostBits = 12
)

// fixed is what a layer in fixed point has besides. Its inputs x, the net's own or
// the values of the layer before, are integers of 16 bits, x·2^e rounded, with the
// greatest exponent e up to mostBits for which their Euclidean norm is below 2^15; so
// are the weights, those of each unit with a scale of their own and a norm of up to
// 2^16, less what rounding may add. By Cauchy's inequality, then, no sum of products
// overflows 32 bits, however far out a value of a ReLU is, as long as the sum of the
// vector's squares is a finite float32 (values beyond 1e19 are not inputs of a position);
// and what sums pass through on the way does not matter, since integers wrap around.
// So sums are exact, and the order of additions is free.
type fixed struct {
	words  int   // pairs of inputs, padded to Lanes
	units  int   // not padded
	list   layer // what index needs of vectors of words
	blocks []fixedBlock
}

// fixedBlock is neighboring units of a layer in fixed point.
type fixedBlock struct {
	width int       // units, a multiple of Lanes
	w     []int16   // of each pair of inputs two weights a unit, list.rowSize units
	scale []float32 // what one of the units' sums is
	bias  []float32
}

// inFixed reports whether layer k is computed in fixed point if layers of so many
// units are: those and the next, but not a narrow last one, and nothing in a net that
// does GNU Backgammon's arithmetic anywhere.
func (n *Net) inFixed(k, units int) bool {
	l := &n.Layers[k]
	rounded := func(l Layer) bool { return l.Activation == SigmoidGNUbg }
	if k == len(n.Layers)-1 && l.Out < Lanes || slices.ContainsFunc(n.Layers, rounded) {
		return false
	}
	return l.Out >= units || k > 0 && l.In >= units && n.inFixed(k-1, units)
}

// layOutFixed lays out a layer in fixed point, whose vectors of inputs are in apart;
// first: it is the net's first.
func layOutFixed(l *Layer, in int, first bool) layer {
	c := layer{in: in, width: padded(l.Out), activation: l.Activation, beta: l.steepness()}
	size := min(blockUnits, c.width)
	if first {
		size = chainUnits
		c.width = (l.Out + size - 1) / size * size
	}
	f := &fixed{words: padded(c.in / 2), units: l.Out}
	f.list = layer{in: f.words, rowSize: size}
	for at := 0; at < c.width; at += size {
		f.blocks = append(f.blocks, layOutFixedBlock(l, at, min(size, c.width-at), size, f.words))
	}
	c.fixed = f
	return c
}

func layOutFixedBlock(l *Layer, first, width, rowSize, words int) fixedBlock {
	b := fixedBlock{
		width: width, w: alignedWords(words * rowSize * 2),
		scale: aligned(width), bias: aligned(width),
	}
	copy(b.bias, l.Bias[first:min(first+width, l.Out)])
	for u := range min(width, l.Out-first) {
		scale := fixedScale(l, first+u)
		b.scale[u] = float32(1 / scale)
		for i := range l.In {
			w := math.RoundToEven(float64(l.Weights[i*l.Out+first+u]) * scale)
			b.w[(i/2*rowSize+u)*2+i%2] = int16(w)
		}
	}
	return b
}

// fixedScale returns the scale of a unit's weights.
func fixedScale(l *Layer, u int) float64 {
	most, square := 0.0, 0.0
	for i := range l.In {
		w := math.Abs(float64(l.Weights[i*l.Out+u]))
		most = max(most, w)
		square += w * w
	}
	if most == 0 {
		return 1
	}
	// Rounding moves a vector by the root of a quarter of its length at most.
	rounding := math.Sqrt(float64(l.In))/2 + 2
	norm := (1<<31-1)/(1<<15+rounding) - rounding
	return min(norm/math.Sqrt(square), math.MaxInt16/most, 1<<100)
}

// alignedWords returns n zeros that begin on a cache line; n is even.
func alignedWords(n int) []int16 {
	return unsafe.Slice((*int16)(unsafe.Pointer(unsafe.SliceData(aligned(n/2)))), n)
}

// asFloats returns words as what index takes.
func asFloats(w []uint32) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(w))), len(w))
}

// power returns 2^e, e being that of a normal number.
func power(e int) float32 { return math.Float32frombits(uint32(e+127) << 23) }
