package nn

import "unsafe"

// layer is a layer laid out for the kernels, in one of two ways. A layer with
// blocks walks its inputs, one row of weights after the other, and leaves out
// those that are zero in all vectors; its sums are
//
//	sum = bias; for i in order { sum = fma(x[i], w[i], sum) }
//
// The narrow last layer of a net takes dot products with w, an output a row.
//
// In a layer with rounded set, GNU Backgammon's arithmetic to the bit, every
// product is rounded before it is added, and a dot product has four partial sums.
type layer struct {
	in         int // inputs, padded
	width      int // units, padded in a layer with blocks
	rowSize    int // weights of an input in a block
	blocks     []block
	w          []float32 // width rows of in weights
	quads      []float32 // of five outputs the first four, four inputs at a time; if rounded
	fifth      []float32 // of five outputs the last; if rounded
	bias       []float32 // four copies, for four vectors at a time
	activation Activation
	beta       float32
	rounded    bool
	fixed      *fixed // instead of what is above, from rowSize on
}

// block is at most blockUnits neighboring units of a layer.
type block struct {
	width int       // units, a multiple of Lanes
	w     []float32 // rowSize weights for each input, the first width of use
	bias  []float32 // width
}

// biasCopies is the number of vectors that the widest dot kernel takes.
const biasCopies = 4

// layOut lays out a layer whose vectors of inputs are in apart.
func layOut(l *Layer, in int, last bool) layer {
	c := layer{in: in, width: l.Out, activation: l.Activation, beta: l.steepness()}
	if l.Activation == SigmoidGNUbg {
		c.rounded = true
		if !last {
			c.activation = hiddenGNUbg
		}
	}
	if last && l.Out < Lanes {
		c.w = aligned(l.Out * c.in)
		for i := range l.In {
			for o := range l.Out {
				c.w[o*c.in+i] = l.Weights[i*l.Out+o]
			}
		}
		for range biasCopies {
			c.bias = append(c.bias, l.Bias...)
		}
		if c.rounded && l.Out == 5 {
			c.layOutQuads()
		}
		return c
	}
	c.width = padded(l.Out)
	c.rowSize = min(blockUnits, c.width)
	for first := 0; first < l.Out; first += blockUnits {
		c.blocks = append(c.blocks, layOutBlock(l, in, first, min(blockUnits, c.width-first), c.rowSize))
	}
	return c
}

// layOutQuads copies the weights of five outputs for the kernels that round.
func (c *layer) layOutQuads() {
	c.quads, c.fifth = aligned(4*c.in), aligned(c.in)
	copy(c.fifth, c.w[4*c.in:])
	for o := range 4 {
		for i := range c.in {
			c.quads[i/4*16+o*4+i%4] = c.w[o*c.in+i]
		}
	}
}

func layOutBlock(l *Layer, in, first, width, rowSize int) block {
	b := block{width: width, w: aligned(in * rowSize), bias: aligned(width)}
	last := min(first+width, l.Out)
	for i := range l.In {
		copy(b.w[i*rowSize:], l.Weights[i*l.Out+first:i*l.Out+last])
	}
	copy(b.bias, l.Bias[first:last])
	return b
}

// padded rounds up to a multiple of Lanes.
func padded(n int) int { return (n + Lanes - 1) / Lanes * Lanes }

// aligned returns n zeros that begin on a cache line, so that no 16 of them lie
// across two.
func aligned(n int) []float32 {
	const line = 64
	s := make([]float32, n+line/4-1)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(s))) % line / 4
	return s[skip:][:n:n]
}
