package nn

import "math"

// halves returns the two integers of a word.
func halves(w uint32) (int32, int32) { return int32(int16(w)), int32(int16(w >> 16)) }

// addPair adds to sums, a multiple of Lanes, the products of a pair of inputs with its
// weights. Arrays spare the checks of indices.
func addPair(x uint32, w []int16, sums []int32) {
	x0, x1 := halves(x)
	for ; len(sums) > 0; sums, w = sums[Lanes:], w[2*Lanes:] {
		s, w := (*[Lanes]int32)(sums), (*[2 * Lanes]int16)(w)
		switch {
		case x1 == 0:
			for u := range s {
				s[u] += x0 * int32(w[2*u])
			}
		case x0 == 0:
			for u := range s {
				s[u] += x1 * int32(w[2*u+1])
			}
		default:
			for u := range s {
				s[u] += x0*int32(w[2*u]) + x1*int32(w[2*u+1])
			}
		}
	}
}

// unscale turns sums of integers into those of the layer.
func (b *fixedBlock) unscale(sums []int32, one float32, to []float32) {
	for u := range sums {
		to[u] = mulAdd(float32(float32(sums[u])*one), b.scale[u], b.bias[u])
	}
}

func chainGo(f *fixed, b int, c *Compiled, s *Scratch, n int, sums []float32, stride int) {
	bl := &f.blocks[b]
	var integers [chainUnits]int32
	units := integers[:bl.width]
	for v := range n {
		step := &s.steps[v]
		if step.keep == 0 {
			clear(units)
		}
		list := s.lists[v*c.listRoom:][:step.listed]
		for _, at := range list {
			addPair(s.x[v*f.words+int(at/4)], bl.w[at/4*chainUnits*2:], units)
		}
		bl.unscale(units, step.one, sums[v*stride:])
	}
}

func fixedGo(f *fixed, b int, x []uint32, t *tile, ones, sums []float32, stride int) {
	bl := &f.blocks[b]
	var integers, inOrder [blockUnits]int32
	units := integers[:bl.width]
	for v := range t.n {
		clear(units)
		for i := range (t.listed + 1) / 2 {
			x0, x1 := halves(x[v*f.words+i])
			addRow(x0, bl.w[t.rows[2*i]/2:], units)
			addRow(x1, bl.w[t.rows[2*i+1]/2:], units)
		}
		for u := range units {
			inOrder[u] = units[place(u)]
		}
		bl.unscale(inOrder[:bl.width], ones[v], sums[v*stride:])
	}
}

// addRow adds to sums, a multiple of Lanes, the products of an input with its weights.
func addRow(x int32, w []int16, sums []int32) {
	if x == 0 {
		return
	}
	for ; len(sums) > 0; sums, w = sums[Lanes:], w[Lanes:] {
		s, w := (*[Lanes]int32)(sums), (*[Lanes]int16)(w)
		for u := range s {
			s[u] += x * int32(w[u])
		}
	}
}

func activeGo(x []float32, width, n, first, rowBytes int, rows []uint32, masks []uint8) (listed int) {
	clear(masks[:width/8])
	for i := range width {
		for v := range n {
			if math.Float32bits(x[v*width+i]) != 0 {
				masks[i/8] |= 1 << (i % 8)
				rows[listed] = uint32(first + i*rowBytes)
				listed++
				break
			}
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
		for i, v := range x[b*stride:][:width] {
			if at := b*width + i; masks[at/8]>>(at%8)&1 == 0 {
				continue
			}
			if w := round16(v * scale); n%2 == 0 {
				out[n/2] = word(w, 0)
			} else {
				out[n/2] |= word(0, w)
			}
			n++
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
