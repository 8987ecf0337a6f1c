package nn

import "math"

// Apply returns the activation of one sum, in double precision: the reference
// that the kernels are held to.
func (l *Layer) Apply(x float32) float32 {
	switch l.Activation {
	case Sigmoid:
		return float32(1 / (1 + math.Exp(-float64(l.Beta)*float64(x))))
	case SigmoidGNUbg:
		return sigmoidGNUbg(l.Beta * x)
	case ReLU:
		return max(0, x)
	case Tanh:
		return float32(math.Tanh(float64(x)))
	}
	panic("nn: " + l.Activation.String()) // excluded by Check
}

// expTenths[k] is e^(k/10) / 10.
var expTenths = func() (t [101]float32) {
	for k := range t {
		t[k] = float32(math.Exp(float64(k)/10) / 10)
	}
	t[100] = t[99]
	return t
}()

// sigmoidGNUbg is 1/(1+e^-x) as GNU Backgammon computes it: for |x| below 10,
// e^|x| is its tangent at the largest multiple of 0.1 not above |x|; constant
// beyond.
func sigmoidGNUbg(x float32) float32 {
	const beyond = 19931.370438230298
	neg := x <= 0
	if neg {
		x = -x
	}
	var y float32 // the sigmoid of -|x|
	if x < 10 {
		x10 := 10 * x
		i := int(x10)
		y = 1 / (1 + expTenths[i]*(float32(10-i)+x10))
	} else {
		y = 1 / float32(beyond)
	}
	if neg {
		return y
	}
	return 1 - y
}
