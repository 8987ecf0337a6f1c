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
		x10 := float32(10 * x)
		i := int(x10)
		y = 1 / (1 + float32(expTenths[i]*float32(float32(10-i)+x10))) // not fused
	} else {
		y = 1 / float32(beyond)
	}
	if neg {
		return y
	}
	return 1 - y
}

// expPolynomial is (e^r - 1 - r) / r² for |r| at most ln(2)/2, the highest power
// first: the coefficients of the Cephes library.
var expPolynomial = [...]float32{
	1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
	4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
}

// exp32 returns e^x, relative error below 3e-7, for x clamped to ±87: 2^n·e^r
// with |r| at most ln(2)/2.
func exp32(x float32) float32 {
	x = min(max(x, -87), 87)
	if x != x {
		return x
	}
	n := float32(math.RoundToEven(float64(x) * math.Log2E))
	x = x - n*0.693359375 + n*2.12194440e-4 // ln(2) in two parts
	p := expPolynomial[0]
	for _, c := range expPolynomial[1:] {
		p = p*x + c
	}
	p = p*(x*x) + x + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// tanh32 returns tanh(x), absolute error below 2e-7.
func tanh32(x float32) float32 {
	e := exp32(-2 * abs32(x))
	t := (1 - e) / (1 + e)
	if x < 0 {
		return -t
	}
	return t
}

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
