package nn

import (
	"math"
	"slices"
)

// Apply replaces x by its activation, beta 1, as nets of one layer after the other
// have it; SigmoidGNUbg as in the last layer. The length is a multiple of Lanes.
func (a Activation) Apply(x []float32) {
	if len(x) > 0 {
		best.activations[a](x, 1)
	}
}

// expTenths[k] is e^(k/10) / 10, and the last is the one before it.
var expTenths = func() (t [101]float32) {
	for k := range t {
		t[k] = float32(math.Exp(float64(min(k, 99))/10) / 10)
	}
	return t
}()

// GNUbgTangents returns the table that SigmoidGNUbg reads: the slope of e^x at k
// tenths, for a tenth, k from 0 to 100. The approximation of e^x is that slope
// times 10 - k + 10x.
func GNUbgTangents() []float32 { return slices.Clone(expTenths[:]) }

// sigmoidGNUbg is 1/(1+e^-x) as GNU Backgammon computes it: for |x| below 10,
// e^|x| is its tangent at the largest multiple of 0.1 not above |x|; beyond, the
// value that this takes at 10.
func sigmoidGNUbg(x float32) float32 { return reflect(x, 1/onePlusExpGNUbg(x)) }

// onePlusExpGNUbg is 1 + e^|x|, with that approximation.
func onePlusExpGNUbg(x float32) float32 {
	tenths := float32(10 * abs32(x))
	if !(tenths < 100) {
		tenths = 100
	}
	k := int(tenths)
	// Written so that no product is fused with a sum.
	return 1 + float32(expTenths[k]*float32(float32(10-k)+tenths))
}

// reflect turns y, the sigmoid of -|x|, into that of x.
func reflect(x, y float32) float32 {
	if x <= 0 {
		return y
	}
	return 1 - y
}

const (
	hiddenGNUbg       = numActivations + iota // how SigmoidGNUbg is computed in the layers before the last
	coarseSigmoid                             // how Sigmoid is computed before a layer in fixed point
	coarseSquaredReLU                         // and SquaredReLU
	numFunctions
)

// hiddenSigmoidGNUbg is SigmoidGNUbg in a layer before the last. GNU Backgammon 1.07
// on x86 computes the hidden units with the processor's approximate reciprocal,
// 1.5·2^-12 off at most, and only the outputs with a division.
func hiddenSigmoidGNUbg(x float32) float32 { return reflect(x, rcpps(onePlusExpGNUbg(x))) }

// rcpps is the instruction of that name as Intel's processors compute it, for
// normal numbers: the reciprocal of the middle of one of 2048 segments of the
// mantissa, rounded to 13 binary places. AMD's give other numbers, so it is not
// used itself. The last bit below the middle, and rounding with a unit less than
// a half, make up for the rounding of the division.
func rcpps(d float32) float32 {
	const segment = 1<<12 - 1
	middle := math.Float32frombits(math.Float32bits(d)&^segment | segment/2)
	const step = 1<<11 - 1
	return math.Float32frombits((math.Float32bits(1/middle) + step/2) &^ step)
}

// expPolynomial is e^r for |r| at most ln(2)/2, the highest power first: least
// greatest relative error with the constant term 1, 2.6e-9.
var expPolynomial = [...]float32{
	0.001406124095, 0.008379011415, 0.04166477546, 0.1666636616, 0.5000000596, 1, 1,
}

// ExpPolynomial returns the coefficients of the polynomial that e^r is computed by for
// |r| at most ln(2)/2, the highest power first.
func ExpPolynomial() []float32 { return slices.Clone(expPolynomial[:]) }

// exp32 returns e^x, relative error below 4e-7, for x clamped to ±87: 2^n·e^r
// with |r| at most ln(2)/2.
func exp32(x float32) float32 {
	x = min(max(x, -87), 87)
	if x != x {
		return x
	}
	n := math.RoundToEven(float64(x) * math.Log2E)
	r := float32(float64(x) - n*math.Ln2)
	p := expPolynomial[0]
	for _, c := range expPolynomial[1:] {
		p = p*r + c
	}
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
