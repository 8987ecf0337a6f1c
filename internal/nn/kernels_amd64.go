package nn

import "bgtrain/internal/cpu"

//go:generate go run -C ../asm . -kernels nn -tier avx512 -to ../nn
//go:generate go run -C ../asm . -kernels nn -tier avx2 -to ../nn
//go:generate go run -C ../asm . -kernels nn -tier vnni -to ../nn
//go:generate go run -C ../asm . -kernels nn -tier avxvnni -to ../nn

var tiers = cpu.Table[kernels]{
	cpu.Go:   &goKernels,
	cpu.AVX2: avx2.kernels(activationsAVX2), cpu.AVXVNNI: avxvnni.kernels(activationsAVX2),
	cpu.AVX512: avx512.kernels(activationsAVX512), cpu.VNNI: vnni.kernels(activationsAVX512),
}

var activationsAVX2 = [numFunctions]activationFunc{
	Sigmoid: sigmoidAVX2, SigmoidGNUbg: sigmoidGNUbgAVX2, hiddenGNUbg: hiddenGNUbgAVX2, ReLU: reluAVX2, Tanh: tanhAVX2,
	SquaredReLU: squaredReLUAVX2, coarseSigmoid: coarseSigmoidAVX2,
	coarseSquaredReLU: coarseSquaredReLUAVX2,
}

var activationsAVX512 = [numFunctions]activationFunc{
	Sigmoid: sigmoidAVX512, SigmoidGNUbg: sigmoidGNUbgAVX512, hiddenGNUbg: hiddenGNUbgAVX512,
	ReLU: reluAVX512, SquaredReLU: squaredReLUAVX512, Tanh: tanhAVX512, coarseSigmoid: coarseSigmoidAVX512,
	coarseSquaredReLU: coarseSquaredReLUAVX512,
}

// The assembly functions. Strides are in bytes, groups are of Lanes values.
type (
	indexFunc = func(x *float32, stride, groups int, list, rows *uint32, rowSize int) (listed, powers int)
	tileFunc  = func(x *float32, stride int, list, rows *uint32, fused, rest int, w, bias, sums *float32,
		sumStride int)
	moreFunc    = func(x *float32, stride, inputs int, w *float32, rowSize int, sums *float32, sumStride int)
	dotFunc     = func(x *float32, stride, groups int, w, bias, out *float32)
	roundedFunc = func(x *float32, stride, quads int, w, w5, bias, out *float32)
	chainFunc   = func(steps *uint32, n int, x, list *uint32, stride, listStride int, w *int16,
		scale, bias, sums *float32, sumStride int)
	fixedFunc = func(x *uint32, stride int, rows *uint32, n int, w *int16,
		ones, scale, bias, sums *float32, sumStride int)
	quantizeFunc       = func(x *float32, blocks, stride, groups, most int, out *uint32) int
	activeFunc         = func(x *float32, stride, groups, first, rowSize int, rows *uint32, masks *uint8) int
	quantizeActiveFunc = func(x *float32, blocks, stride, groups, most int, masks *uint8, out *uint32) int
	activationFunc     = func(x *float32, groups int, beta float32)
)

// assembly is the set of functions of one tier.
type assembly struct {
	index [maxTile + 1]indexFunc
	// tile[v][g] takes v vectors and g groups of units; nil where there is none.
	tile           [maxTile + 1][blockUnits/Lanes + 1]tileFunc
	more           [maxTile + 1][blockUnits/Lanes + 1]moreFunc // where tile has one
	dot4x5         dotFunc                                     // nil if there is none
	dot1x5         dotFunc
	dot1x1         dotFunc
	chain          chainFunc
	groups         int                                          // that chain takes
	fixed          [maxTile + 1][blockUnits/Lanes + 1]fixedFunc // where tile has one
	active         [maxTile + 1]activeFunc
	quantize       quantizeFunc
	quantizeActive quantizeActiveFunc
	// For layers that round.
	dotRounded4x5, dotRounded1x5 roundedFunc
}

var avx512 = &assembly{
	index: [...]indexFunc{nil, index1AVX512, index2AVX512, index3AVX512, index4AVX512, index5AVX512, index6AVX512},
	tile: [...][5]tileFunc{
		1: {1: tile1x1AVX512, 2: tile1x2AVX512, 4: tile1x4AVX512},
		2: {1: tile2x1AVX512, 2: tile2x2AVX512, 4: tile2x4AVX512},
		3: {1: tile3x1AVX512, 2: tile3x2AVX512, 4: tile3x4AVX512},
		4: {1: tile4x1AVX512, 2: tile4x2AVX512, 4: tile4x4AVX512},
		5: {1: tile5x1AVX512, 2: tile5x2AVX512, 4: tile5x4AVX512},
		6: {1: tile6x1AVX512, 2: tile6x2AVX512, 4: tile6x4AVX512},
	},
	more: [...][5]moreFunc{
		1: {1: more1x1AVX512, 2: more1x2AVX512, 4: more1x4AVX512},
		2: {1: more2x1AVX512, 2: more2x2AVX512, 4: more2x4AVX512},
		3: {1: more3x1AVX512, 2: more3x2AVX512, 4: more3x4AVX512},
		4: {1: more4x1AVX512, 2: more4x2AVX512, 4: more4x4AVX512},
		5: {1: more5x1AVX512, 2: more5x2AVX512, 4: more5x4AVX512},
		6: {1: more6x1AVX512, 2: more6x2AVX512, 4: more6x4AVX512},
	},
	dot4x5: dot4x5AVX512, dot1x5: dot1x5AVX512, dot1x1: dot1x1AVX512,
	dotRounded4x5: dotRounded4x5AVX512, dotRounded1x5: dotRounded1x5AVX512,
	chain: chain8AVX512, groups: 8,
	fixed: [...][5]fixedFunc{
		1: {1: fixed1x1AVX512, 2: fixed1x2AVX512, 4: fixed1x4AVX512},
		2: {1: fixed2x1AVX512, 2: fixed2x2AVX512, 4: fixed2x4AVX512},
		3: {1: fixed3x1AVX512, 2: fixed3x2AVX512, 4: fixed3x4AVX512},
		4: {1: fixed4x1AVX512, 2: fixed4x2AVX512, 4: fixed4x4AVX512},
		5: {1: fixed5x1AVX512, 2: fixed5x2AVX512, 4: fixed5x4AVX512},
		6: {1: fixed6x1AVX512, 2: fixed6x2AVX512, 4: fixed6x4AVX512},
	},
	active: [...]activeFunc{nil, active1AVX512, active2AVX512, active3AVX512, active4AVX512, active5AVX512,
		active6AVX512},
	quantize: quantizeAVX512, quantizeActive: quantizeActiveAVX512,
}

var avx2 = &assembly{
	index: [...]indexFunc{nil, index1AVX2, index2AVX2, index3AVX2, index4AVX2, index5AVX2, index6AVX2},
	tile: [...][5]tileFunc{
		1: {1: tile1x1AVX2, 2: tile1x2AVX2, 4: tile1x4AVX2},
		2: {1: tile2x1AVX2, 2: tile2x2AVX2},
		3: {1: tile3x1AVX2, 2: tile3x2AVX2},
		4: {1: tile4x1AVX2},
		5: {1: tile5x1AVX2},
		6: {1: tile6x1AVX2},
	},
	more: [...][5]moreFunc{
		1: {1: more1x1AVX2, 2: more1x2AVX2, 4: more1x4AVX2},
		2: {1: more2x1AVX2, 2: more2x2AVX2},
		3: {1: more3x1AVX2, 2: more3x2AVX2},
		4: {1: more4x1AVX2},
		5: {1: more5x1AVX2},
		6: {1: more6x1AVX2},
	},
	dot1x5: dot1x5AVX2, dot1x1: dot1x1AVX2,
	dotRounded4x5: dotRounded4x5AVX2, dotRounded1x5: dotRounded1x5AVX2,
	chain: chain4AVX2, groups: 4,
	fixed: [...][5]fixedFunc{
		1: {1: fixed1x1AVX2, 2: fixed1x2AVX2, 4: fixed1x4AVX2},
		2: {1: fixed2x1AVX2, 2: fixed2x2AVX2},
		3: {1: fixed3x1AVX2, 2: fixed3x2AVX2},
		4: {1: fixed4x1AVX2},
		5: {1: fixed5x1AVX2},
		6: {1: fixed6x1AVX2},
	},
	active:   [...]activeFunc{nil, active1AVX2, active2AVX2, active3AVX2, active4AVX2, active5AVX2, active6AVX2},
	quantize: quantizeAVX2, quantizeActive: quantizeActiveAVX2,
}

// avxvnni is avx2 with other kernels for layers in fixed point.
var avxvnni = func() *assembly {
	a := *avx2
	a.chain = chain4AVXVNNI
	a.fixed = [...][5]fixedFunc{
		1: {1: fixed1x1AVXVNNI, 2: fixed1x2AVXVNNI, 4: fixed1x4AVXVNNI},
		2: {1: fixed2x1AVXVNNI, 2: fixed2x2AVXVNNI},
		3: {1: fixed3x1AVXVNNI, 2: fixed3x2AVXVNNI},
		4: {1: fixed4x1AVXVNNI},
		5: {1: fixed5x1AVXVNNI},
		6: {1: fixed6x1AVXVNNI},
	}
	return &a
}()

// vnni is avx512 with other kernels for layers in fixed point.
var vnni = func() *assembly {
	a := *avx512
	a.chain = chain8VNNI
	a.fixed = [...][5]fixedFunc{
		1: {1: fixed1x1VNNI, 2: fixed1x2VNNI, 4: fixed1x4VNNI},
		2: {1: fixed2x1VNNI, 2: fixed2x2VNNI, 4: fixed2x4VNNI},
		3: {1: fixed3x1VNNI, 2: fixed3x2VNNI, 4: fixed3x4VNNI},
		4: {1: fixed4x1VNNI, 2: fixed4x2VNNI, 4: fixed4x4VNNI},
		5: {1: fixed5x1VNNI, 2: fixed5x2VNNI, 4: fixed5x4VNNI},
		6: {1: fixed6x1VNNI, 2: fixed6x2VNNI, 4: fixed6x4VNNI},
	}
	return &a
}()

func (a *assembly) kernels(activations [numFunctions]activationFunc) *kernels {
	k := &kernels{
		tile: maxTile, index: a.indexAll, sums: a.sums, more: a.addMore, dot: a.dot,
		chain: a.chainAll, fixed: a.fixedAll, active: a.activeAll,
		quantize: a.quantizeAll, quantizeActive: a.quantizeActiveAll, differ: differWords,
		nearSums: nearSumsAVX2, nearOutputs: nearOutputsOf,
	}
	for i, f := range activations {
		k.activations[i] = func(x []float32, beta float32) { f(&x[0], len(x)/Lanes, beta) }
	}
	return k
}

func (a *assembly) indexAll(l *layer, x []float32, n int, list *inputList) (listed, powers int) {
	_, _, _ = x[n*l.in-1], list.inputs[l.in+Lanes-1], list.rows[l.in+Lanes-1]
	return a.index[n](&x[0], 4*l.in, l.in/Lanes, &list.inputs[0], &list.rows[0], l.rowSize)
}

func (a *assembly) sums(l *layer, b int, x []float32, t *tile, sums []float32, stride int) {
	bl := &l.blocks[b]
	_, _ = x[t.n*l.in-1], sums[(t.n-1)*stride+bl.width-1]
	tiles := &a.tile[t.n]
	fused := t.listed
	if l.rounded {
		fused = t.powers
	}
	for at := 0; at < bl.width; {
		groups := blockUnits / Lanes
		for groups*Lanes > bl.width-at || tiles[groups] == nil {
			groups /= 2
		}
		tiles[groups](&x[0], 4*l.in, &t.inputs[0], &t.rows[0], fused, t.listed-fused,
			&bl.w[at], &bl.bias[at], &sums[at], 4*stride)
		at += groups * Lanes
	}
}

func (a *assembly) addMore(l *layer, b, first, inputs int, x []float32, n int, sums []float32) {
	bl := &l.blocks[b]
	_, _ = x[n*inputs-1], sums[(n-1)*l.width+bl.width-1]
	more := &a.more[n]
	w := bl.w[first*l.rowSize : (first+inputs)*l.rowSize]
	for at := 0; at < bl.width; {
		groups := blockUnits / Lanes
		for groups*Lanes > bl.width-at || more[groups] == nil {
			groups /= 2
		}
		more[groups](&x[0], 4*inputs, inputs, &w[at], 4*l.rowSize, &sums[at], 4*l.width)
		at += groups * Lanes
	}
}

func (a *assembly) dot(l *layer, x []float32, n int, sums []float32) {
	_, _ = x[n*l.in-1], sums[n*l.width-1]
	if l.rounded {
		a.dotRounded(l, x, n, sums)
		return
	}
	v := 0
	if a.dot4x5 != nil && l.width == 5 {
		for ; v+4 <= n; v += 4 {
			a.dot4x5(&x[v*l.in], 4*l.in, l.in/Lanes, &l.w[0], &l.bias[0], &sums[v*5])
		}
	}
	for ; v < n; v++ {
		x, sums := x[v*l.in:], sums[v*l.width:]
		o := 0
		for ; o+5 <= l.width; o += 5 {
			a.dot1x5(&x[0], 4*l.in, l.in/Lanes, &l.w[o*l.in], &l.bias[o], &sums[o])
		}
		for ; o < l.width; o++ {
			a.dot1x1(&x[0], 4*l.in, l.in/Lanes, &l.w[o*l.in], &l.bias[o], &sums[o])
		}
	}
}

func (a *assembly) dotRounded(l *layer, x []float32, n int, sums []float32) {
	if l.quads == nil {
		dotGo(l, x, n, sums)
		return
	}
	kernel, at := a.dotRounded4x5, 4
	for v := 0; v < n; v += at {
		if v+4 > n {
			kernel, at = a.dotRounded1x5, 1
		}
		kernel(&x[v*l.in], 4*l.in, l.in/4, &l.quads[0], &l.fifth[0], &l.bias[0], &sums[5*v])
	}
}
