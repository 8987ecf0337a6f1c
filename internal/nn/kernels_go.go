package nn

import "math"

// goKernels is the portable tier and the pattern of the others. It always rounds
// products before it adds them, where the others do so for SigmoidGNUbg only: the
// results of other nets differ from theirs in the last digits.
var goKernels = kernels{
	tile:   1,
	packed: true,
	index:  indexGo,
	sums:   sumsGo,
	more:   moreGo,
	dot:    dotGo,
	chain:  chainGo, fixed: fixedGo, active: activeGo,
	quantize: quantizeGo, quantizeActive: quantizeActiveGo, differ: differGo,
	activations: [numFunctions]func([]float32, float32){
		Sigmoid: func(x []float32, beta float32) {
			for i, v := range x {
				x[i] = 1 / (1 + exp32(-beta*v))
			}
		},
		SigmoidGNUbg: func(x []float32, beta float32) {
			for i, v := range x {
				x[i] = sigmoidGNUbg(beta * v)
			}
		},
		hiddenGNUbg: func(x []float32, beta float32) {
			for i, v := range x {
				x[i] = hiddenSigmoidGNUbg(beta * v)
			}
		},
		coarseSigmoid: func(x []float32, beta float32) {
			for i, v := range x {
				x[i] = coarseSigmoid32(beta * v)
			}
		},
		ReLU: func(x []float32, _ float32) {
			for i, v := range x {
				x[i] = max(0, v)
			}
		},
		SquaredReLU: func(x []float32, _ float32) {
			for i, v := range x {
				v = max(0, v)
				x[i] = v * v
			}
		},
		coarseSquaredReLU: func(x []float32, _ float32) {
			for i, v := range x {
				x[i] = coarseSquaredReLU32(v)
			}
		},
		Tanh: func(x []float32, _ float32) {
			for i, v := range x {
				x[i] = tanh32(v)
			}
		},
	},
	nearSums: nearSumsGo, nearOutputs: nearOutputsGo,
}

func indexGo(l *layer, x []float32, n int, list *inputList) (count, powers int) {
	for i := range l.in {
		for v := range n {
			if math.Float32bits(x[v*l.in+i]) != 0 {
				list.inputs[count] = uint32(4 * i)
				list.rows[count] = uint32(4 * i * l.rowSize)
				count++
				break
			}
		}
	}
	return count, 0 // of no use where all products are rounded
}

func sumsGo(l *layer, b int, x []float32, t *tile, sums []float32, stride int) {
	for v := range t.n {
		l.blocks[b].sumsGo(x[v*l.in:][:l.in], t, sums[v*stride:])
	}
}

func moreGo(l *layer, b, first, inputs int, x []float32, n int, sums []float32) {
	bl := &l.blocks[b]
	for v := range n {
		sums := sums[v*l.width:][:bl.width]
		for i, in := range x[v*inputs:][:inputs] {
			row := bl.w[(first+i)*l.rowSize:][:len(sums)]
			for u := range sums {
				sums[u] += float32(in * row[u])
			}
		}
	}
}

// sumsGo computes the sums of a block for one vector, four inputs a turn.
func (b *block) sumsGo(x []float32, t *tile, sums []float32) {
	sums = sums[:b.width]
	copy(sums, b.bias)
	in, rows := t.inputs[:t.listed], t.rows[:t.listed]
	for ; len(in) >= 4 && len(rows) >= 4; in, rows = in[4:], rows[4:] {
		x0, x1, x2, x3 := x[in[0]/4], x[in[1]/4], x[in[2]/4], x[in[3]/4]
		w0, w1 := b.row(rows[0])[:len(sums)], b.row(rows[1])[:len(sums)]
		w2, w3 := b.row(rows[2])[:len(sums)], b.row(rows[3])[:len(sums)]
		for u := range sums {
			// The conversions forbid to fuse products with sums.
			sums[u] = sums[u] + float32(x0*w0[u]) + float32(x1*w1[u]) + float32(x2*w2[u]) + float32(x3*w3[u])
		}
	}
	for i := range in {
		x0, w0 := x[in[i]/4], b.row(rows[i])[:len(sums)]
		for u := range sums {
			sums[u] += float32(x0 * w0[u])
		}
	}
}

// row returns the weights at a byte offset.
func (b *block) row(offset uint32) []float32 { return b.w[offset/4:][:b.width] }

func dotGo(l *layer, x []float32, n int, sums []float32) {
	for v := range n {
		x := x[v*l.in:][:l.in]
		for o := range l.width {
			var s0, s1, s2, s3 float32
			w := l.w[o*l.in:][:len(x)]
			for i := 0; i+4 <= len(x); i += 4 {
				s0 += float32(x[i] * w[i])
				s1 += float32(x[i+1] * w[i+1])
				s2 += float32(x[i+2] * w[i+2])
				s3 += float32(x[i+3] * w[i+3])
			}
			sums[v*l.width+o] = (s0 + s1) + (s2 + s3) + l.bias[o]
		}
	}
}
