package nn

import (
	"math"
	"math/bits"
)

// halves returns the two integers of a word.
func halves(w uint32) (int32, int32) { return int32(int16(w)), int32(int16(w >> 16)) }

// packed are integers of neighboring units, two a word: one and 2^32 times the next. So a
// product with a word is that with both, and sums of words are both sums, as long as these
// fit in 32 bits in the end.
type packed [packedUnits / 2]uint64

const packedUnits = 8

// terms are inputs, not zero, and where the rows of their weights are.
type terms struct {
	n   int
	x   [128]uint64
	row [128]int
}

// full says that there may be no room for two more.
func (t *terms) full() bool { return t.n > len(t.x)-2 }

func (t *terms) add(x int32, row int) {
	if x != 0 {
		t.x[t.n], t.row[t.n] = uint64(x), row
		t.n++
	}
}

// to adds the products of the terms with their weights to sums, and leaves no terms. The
// sums of a few units stay in registers, all terms long.
func (t *terms) to(sums, w []packed) {
	xs, rows := t.x[:t.n], t.row[:t.n]
	for at := range sums {
		s := &sums[at]
		s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
		for i, x := range xs {
			w := &w[rows[i]+at]
			s0 += x * w[0]
			s1 += x * w[1]
			s2 += x * w[2]
			s3 += x * w[3]
		}
		*s = packed{s0, s1, s2, s3}
	}
	t.n = 0
}

// unscale turns sums of integers into those of the layer.
func (b *fixedBlock) unscale(sums []packed, one float32, to []float32) {
	for i := range sums {
		for k, p := range sums[i] {
			low := int32(p)
			for half, sum := range [2]int32{low, int32((p - uint64(low)) >> 32)} {
				u := i*packedUnits + 2*k + half
				to[u] = mulAdd(float32(float32(sum)*one), b.scale[u], b.bias[u])
			}
		}
	}
}

func chainGo(f *fixed, b int, c *Compiled, s *Scratch, n int, sums []float32, stride int) {
	const row = chainUnits / packedUnits
	bl := &f.blocks[b]
	var integers [row]packed
	var t terms
	units := integers[:bl.width/packedUnits]
	for v := range n {
		step := &s.steps[v]
		if step.keep == 0 {
			clear(units)
		}
		for _, at := range s.lists[v*c.listRoom:][:step.listed] {
			pair := int(at / 4)
			x0, x1 := halves(s.x[v*f.words+pair])
			t.add(x0, 2*pair*row)
			t.add(x1, (2*pair+1)*row)
			if t.full() {
				t.to(units, bl.packed)
			}
		}
		t.to(units, bl.packed)
		bl.unscale(units, step.one, sums[v*stride:])
	}
}

func fixedGo(f *fixed, b int, x []uint32, t *tile, ones, sums []float32, stride int) {
	bl := &f.blocks[b]
	var integers [blockUnits / packedUnits]packed
	var terms terms
	units := integers[:bl.width/packedUnits]
	for v := range t.n {
		clear(units)
		for i := range (t.listed + 1) / 2 {
			x0, x1 := halves(x[v*f.words+i])
			terms.add(x0, int(t.rows[2*i]/(2*packedUnits)))
			terms.add(x1, int(t.rows[2*i+1]/(2*packedUnits)))
			if terms.full() {
				terms.to(units, bl.packed)
			}
		}
		terms.to(units, bl.packed)
		bl.unscale(units, ones[v], sums[v*stride:])
	}
}

func activeGo(x []float32, width, n, first, rowBytes int, rows []uint32, masks []uint8) (listed int) {
	for at := range masks[:width/8] {
		var mask uint8
		for v := range n {
			for i, x := range (*[8]float32)(x[v*width+8*at:]) {
				if math.Float32bits(x) != 0 {
					mask |= 1 << i
				}
			}
		}
		masks[at] = mask
		for ; mask != 0; mask &= mask - 1 {
			rows[listed] = uint32(first + (8*at+bits.TrailingZeros8(mask))*rowBytes)
			listed++
		}
	}
	return listed
}

// quantizeGo returns e of exponentGo.
func quantizeGo(x []float32, blocks, stride, width, most int, out []uint32) int {
	e := exponentGo(x, blocks, stride, width, most)
	scale := power(e)
	for b := range blocks {
		x, out := x[b*stride:][:width], out[b*width/2:]
		for i := range width / 2 {
			out[i] = word(round16(x[2*i]*scale), round16(x[2*i+1]*scale))
		}
	}
	return e
}

func quantizeActiveGo(x []float32, blocks, stride, width, most int, masks []uint8, out []uint32) int {
	e := exponentGo(x, blocks, stride, width, most)
	scale := power(e)
	n := 0
	for b := range blocks {
		for i, mask := range masks[b*width/8:][:width/8] {
			x := (*[8]float32)(x[b*stride+8*i:])
			for ; mask != 0; mask &= mask - 1 {
				w := uint32(uint16(round16(x[bits.TrailingZeros8(mask)] * scale)))
				if n%2 == 0 {
					out[n/2] = w
				} else {
					out[n/2] |= w << 16
				}
				n++
			}
		}
	}
	return e
}

// exponentGo returns the greatest exponent e, at most most, for which the norm of
// x·2^e is sure to be below 2^15, by the exponent of the sum of the squares.
func exponentGo(x []float32, blocks, stride, width, most int) int {
	const partial = 4 * Lanes
	var s [partial]float32
	for b := range blocks {
		for i, v := range x[b*stride:][:width] {
			to := i % partial
			if i >= width/partial*partial {
				to %= Lanes
			}
			s[to] = mulAdd(v, v, s[to])
		}
	}
	for i := range Lanes {
		s[i] = (s[i] + s[Lanes+i]) + (s[2*Lanes+i] + s[3*Lanes+i])
	}
	for half := Lanes / 2; half >= 4; half /= 2 {
		for i := range half {
			s[i] += s[i+half]
		}
	}
	square := (s[0] + s[1]) + (s[2] + s[3])
	return min(most, (156-int(math.Float32bits(square)>>23))>>1)
}

// mulAdd is x·y + z, rounded once but in rare cases: the sum is, then, in its last
// digit in double precision.
func mulAdd(x, y, z float32) float32 { return float32(float64(x)*float64(y) + float64(z)) }

// word packs two integers.
func word(a, b int16) uint32 { return uint32(uint16(a)) | uint32(uint16(b))<<16 }

// round16 rounds to an integer of 16 bits, as the processor does where x is beyond.
func round16(x float32) int16 {
	// Floats of that size are integers: the sum is rounded to one, a half to even.
	const integers = 3 << 22
	if -1<<15 < x && x < 1<<15-1 {
		return int16(float32(x+integers) - integers)
	}
	y := math.RoundToEven(float64(x))
	if !(y >= math.MinInt32 && y <= math.MaxInt32) {
		return math.MinInt16
	}
	return int16(min(max(y, math.MinInt16), math.MaxInt16))
}

func differGo(x, y, out []uint32) (overflow bool) {
	for i := range x {
		a0, a1 := halves(x[i])
		b0, b1 := halves(y[i])
		d0, d1 := a0-b0, a1-b1
		overflow = overflow || d0 != int32(int16(d0)) || d1 != int32(int16(d1))
		out[i] = word(int16(d0), int16(d1))
	}
	return overflow
}
