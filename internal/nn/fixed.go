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
	words  int   // that a vector takes: pairs of inputs, with room for Lanes more but in a first layer
	units  int   // not padded
	list   layer // of a first layer: what index needs of vectors of words
	blocks []fixedBlock

	// Of layers after the first, in a block's weights:
	rowBytes int      // bytes of an input's row
	rows     []uint32 // byte offsets of all inputs' rows; nil where many are zero, as of rectified units
}

// fixedBlock is neighboring units of a layer in fixed point.
type fixedBlock struct {
	width int // units, a multiple of Lanes

	// w are the weights, in a first layer a row for each pair of inputs, with two weights
	// a unit, in others one for each input, see place.
	w []int16

	// packed are the weights for the portable kernels instead, a row for each input.
	packed []packed

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

// layOutFixed lays out layer k of a net in fixed point, whose vectors of inputs are in apart.
func layOutFixed(n *Net, k, in int, portable bool) layer {
	l, first := &n.Layers[k], k == 0
	c := layer{in: in, width: padded(l.Out), activation: l.Activation, beta: l.steepness()}
	size := min(blockUnits, c.width)
	f := &fixed{units: l.Out}
	if first {
		size = chainUnits
		c.width = (l.Out + size - 1) / size * size
		f.words = padded(in / 2)
		f.list = layer{in: f.words, rowSize: size}
	} else {
		f.words, f.rowBytes = in/2+Lanes, 2*size
		if !n.Layers[k-1].Activation.IsRectified() {
			for i := range in {
				f.rows = append(f.rows, uint32(i*f.rowBytes))
			}
		}
	}
	for at := 0; at < c.width; at += size {
		b := fixedBlock{width: min(size, c.width-at)}
		if portable {
			b.packed = make([]packed, in*size/packedUnits)
		} else {
			b.w = alignedWords(2 * padded(in/2) * size)
		}
		b.layOut(l, at, size, first)
		f.blocks = append(f.blocks, b)
	}
	c.fixed = f
	return c
}

// layOut lays out the units from number at on.
func (b *fixedBlock) layOut(l *Layer, at, rowSize int, first bool) {
	b.scale, b.bias = aligned(b.width), aligned(b.width)
	copy(b.bias, l.Bias[at:min(at+b.width, l.Out)])
	for u := range min(b.width, l.Out-at) {
		scale := fixedScale(l, at+u)
		b.scale[u] = float32(1 / scale)
		for i := range l.In {
			w := int16(math.RoundToEven(float64(l.Weights[i*l.Out+at+u]) * scale))
			switch {
			case b.packed != nil:
				to := i*rowSize + u
				b.packed[to/packedUnits][to%packedUnits/2] += uint64(w) << (to % 2 * 32)
			case first:
				b.w[(i/2*rowSize+u)*2+i%2] = w
			default:
				b.w[i*rowSize+place(u)] = w
			}
		}
	}
}

// place returns where the weight of unit u is in a row of weights of a layer after the
// first. Kernels bring those of two inputs side by side, by instructions that take the first
// or last four of each eight: so these are units 0 to 3 and 8 to 11, 4 to 7 and 12 to 15.
func place(u int) int { return u&^12 | u&4<<1 | u&8>>1 }

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
