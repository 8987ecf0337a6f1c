package nn

import "math"

// sigmoidCubics are polynomials for the sigmoid of |x|, less a half, on stretches of
// |x|: row p has the coefficients of |x|^p, column k those about k/1.5. They meet the
// sigmoid in the Chebyshev points of each stretch, and are 8e-6 off at most; beyond
// 10.3 the value there is taken, 3.4e-5 off.
var sigmoidCubics = [4][16]float32{
	{
		-1.3154286e-07, -0.0006570057, -0.013857457, -0.039887376, -0.036961697, 0.017215444, 0.10518593, 0.19987254,
		0.2837432, 0.35021475, 0.39932719, 0.43392068, 0.45745611, 0.47304803, 0.48316011, 0.48960403,
	},
	{
		0.25001243, 0.25436106, 0.29305103, 0.34126836, 0.33884871, 0.28509039, 0.21299314, 0.1471846,
		0.096639641, 0.061294153, 0.037932888, 0.023048742, 0.01380529, 0.0081728389, 0.0047912411, 0.0027853204,
	},
	{
		-0.00017070615, -0.0098299133, -0.048298512, -0.078253381, -0.077794984, -0.05997989, -0.040256836, -0.024995936,
		-0.014834803, -0.0085663991, -0.004860648, -0.0027251826, -0.0015147009, -0.0008362995, -0.00045926674,
		-0.00025108596,
	},
	{
		-0.020205902, -0.01282351, 0.00015702051, 0.0063949893, 0.0064127976, 0.0044410261, 0.0026400862, 0.0014592841,
		0.00077788916, 0.00040712138, 0.00021108855, 0.00010892438, 5.6068537e-05, 2.8824805e-05, 1.4809241e-05, 7.60598e-06,
	},
}

// coarseLeast is what SquaredReLU counts from in layers whose values are rounded to
// fixed point afterwards. Smaller squares hardly matter, and inputs that are zero cost
// nothing: net default is 6 % faster for it, and its equities 0.0004 off (TestFixedPointEquity).
const coarseLeast = 3.0 / 32

func coarseSquaredReLU32(x float32) float32 {
	if x <= coarseLeast {
		return 0
	}
	return x * x
}

// coarse returns how a is computed in layers whose values are rounded to fixed point
// afterwards.
func (a Activation) coarse() Activation {
	switch a {
	case Sigmoid:
		return coarseSigmoid
	case SquaredReLU:
		return coarseSquaredReLU
	}
	return a
}

// coarseMost is where the last stretch ends.
const coarseMost = 10.3

// coarseSigmoid32 is the sigmoid by sigmoidCubics, in layers whose values are rounded
// to fixed point afterwards.
func coarseSigmoid32(x float32) float32 {
	size := abs32(x)
	if !(size < coarseMost) {
		size = coarseMost
	}
	k := int(math.RoundToEven(1.5 * float64(size)))
	y := sigmoidCubics[3][k]
	for p := 2; p >= 0; p-- {
		y = mulAdd(y, size, sigmoidCubics[p][k])
	}
	if math.Signbit(float64(x)) {
		y = -y
	}
	return 0.5 + y
}
