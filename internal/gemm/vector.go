package gemm

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

// SigmoidGradient multiplies d by the derivative of 1/(1+e^-x) where that is y:
// y·(1-y). The length is a multiple of 16.
func SigmoidGradient(d, y []float32) { gradient(best.sigmoidGradient, d, y) }

// TanhGradient multiplies d by the derivative of tanh(x) where that is y: 1-y². The
// length is a multiple of 16.
func TanhGradient(d, y []float32) { gradient(best.tanhGradient, d, y) }

// ReLUGradient clears d where y, max(0, x), is not positive. The length
// is a multiple of 16.
func ReLUGradient(d, y []float32) { gradient(best.reluGradient, d, y) }

// SquaredReLUGradient multiplies d by the derivative of max(0, x)² where that is y: 2·√y.
// The length is a multiple of 16.
func SquaredReLUGradient(d, y []float32) { gradient(best.squaredReLUGradient, d, y) }

func gradient(f func(d, y []float32), d, y []float32) {
	checkLengths(len(d), len(y))
	if len(d) > 0 {
		f(d, y)
	}
}
