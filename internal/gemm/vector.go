package gemm

import "bgtrain/internal/cpu"

// vectorStep is the number of elements that the vector kernels take at a time;
// lengths must be a multiple of it.
const vectorStep = 16

// checkLengths panics unless all lengths are n, a multiple of vectorStep.
func checkLengths(n int, lengths ...int) {
	if n%vectorStep != 0 {
		panic("gemm: length not a multiple of 16")
	}
	for _, l := range lengths {
		if l != n {
			panic("gemm: lengths differ")
		}
	}
}

// Sigmoid replaces x by 1/(1+e^-x), to 2 units in the last place. Its limits are
// the values at ±87. NaN stays NaN. The length is a multiple of 16.
func Sigmoid(x []float32) {
	checkLengths(len(x))
	switch {
	case len(x) == 0:
	case tier == cpu.Go:
		sigmoidGo(x)
	case tier == cpu.AVX2:
		sigmoidAVX2(len(x), &x[0])
	default:
		sigmoidAVX512(len(x), &x[0])
	}
}

// Tanh replaces x by tanh(x), to an absolute error of 3e-7. The length is a
// multiple of 16.
func Tanh(x []float32) {
	checkLengths(len(x))
	switch {
	case len(x) == 0:
	case tier == cpu.Go:
		tanhGo(x)
	case tier == cpu.AVX2:
		tanhAVX2(len(x), &x[0])
	default:
		tanhAVX512(len(x), &x[0])
	}
}

// ReLU replaces x by max(0, x). The length is a multiple of 16.
func ReLU(x []float32) {
	checkLengths(len(x))
	switch {
	case len(x) == 0:
	case tier == cpu.Go:
		reluGo(x)
	case tier == cpu.AVX2:
		reluAVX2(len(x), &x[0])
	default:
		reluAVX512(len(x), &x[0])
	}
}

// SigmoidGradient multiplies d by the derivative of Sigmoid where it is y:
// y·(1-y). The length is a multiple of 16.
func SigmoidGradient(d, y []float32) {
	checkLengths(len(d), len(y))
	switch {
	case len(d) == 0:
	case tier == cpu.Go:
		sigmoidGradientGo(d, y)
	case tier == cpu.AVX2:
		sigmoidGradientAVX2(len(d), &d[0], &y[0])
	default:
		sigmoidGradientAVX512(len(d), &d[0], &y[0])
	}
}

// TanhGradient multiplies d by the derivative of Tanh where it is y: 1-y². The
// length is a multiple of 16.
func TanhGradient(d, y []float32) {
	checkLengths(len(d), len(y))
	switch {
	case len(d) == 0:
	case tier == cpu.Go:
		tanhGradientGo(d, y)
	case tier == cpu.AVX2:
		tanhGradientAVX2(len(d), &d[0], &y[0])
	default:
		tanhGradientAVX512(len(d), &d[0], &y[0])
	}
}

// ReLUGradient clears d where y, the result of ReLU, is not positive. The length
// is a multiple of 16.
func ReLUGradient(d, y []float32) {
	checkLengths(len(d), len(y))
	switch {
	case len(d) == 0:
	case tier == cpu.Go:
		reluGradientGo(d, y)
	case tier == cpu.AVX2:
		reluGradientAVX2(len(d), &d[0], &y[0])
	default:
		reluGradientAVX512(len(d), &d[0], &y[0])
	}
}
