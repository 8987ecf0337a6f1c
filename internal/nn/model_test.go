package nn

import "math"

// The model is the arithmetic that the avx2 and avx512 tiers promise, and the
// portable one for SigmoidGNUbg, one value at a time: tests hold them to it to
// the bit.

// fma32 returns x·y + z, rounded once. The product of two float32 is exact in
// double precision; the sum is rounded to odd there, so that the second rounding
// gives what a single one would.
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	t := s - p
	lost := (p - (s - t)) + (c - t) // exactly p + c - s
	if lost != 0 && !math.IsInf(s, 0) && math.Float64bits(s)&1 == 0 {
		s = math.Nextafter(s, math.Copysign(math.Inf(1), lost))
	}
	return float32(s)
}

// modelExp is the kernels' e^x.
func modelExp(x float32) float32 {
	x = min(max(x, -87), 87)
	n := fma32(x, math.Log2E, 0x1.8p23) - 0x1.8p23
	x = fma32(-n, math.Ln2, x)
	p := expPolynomial[0]
	for _, c := range expPolynomial[1:] {
		p = fma32(p, x, c)
	}
	return float32(math.Ldexp(float64(p), int(n)))
}

// modelReciprocal is the kernels' 1/d.
func modelReciprocal(d float32) float32 {
	r := math.Float32frombits(0x7ef31200 - math.Float32bits(d))
	off := fma32(-d, r, 1)
	r = fma32(r, off, r)
	off = fma32(-d, r, 1)
	return fma32(r, fma32(off, off, off), r)
}

// modelCoarse is the sigmoid before layers in fixed point.
func modelCoarse(x float32) float32 {
	size := abs32(x)
	if !(size < coarseMost) {
		size = coarseMost // NaN too
	}
	c := func(p int) float32 { return sigmoidCubics[p][int(math.RoundToEven(1.5*float64(size)))] }
	y := fma32(fma32(fma32(c(3), size, c(2)), size, c(1)), size, c(0))
	return 0.5 + float32(math.Copysign(1, float64(x)))*y
}

// modelActivation is the kernels' activation of beta·x.
func modelActivation(a Activation, beta, x float32) float32 {
	x = float32(beta * x)
	switch a {
	case Sigmoid:
		return modelReciprocal(1 + modelExp(-x))
	case SigmoidGNUbg:
		return sigmoidGNUbg(x)
	case hiddenGNUbg:
		return hiddenSigmoidGNUbg(x)
	case coarseSigmoid:
		return modelCoarse(x)
	case ReLU:
		return max(0, x)
	case coarseSquaredReLU:
		if x <= coarseLeast {
			return 0
		}
		return x * x
	case SquaredReLU:
		return max(0, x) * max(0, x)
	}
	e := modelExp(-2 * abs32(x))
	t := float32((1 - e) * modelReciprocal(1+e))
	if x < 0 {
		return -t
	}
	return t
}

// modelStep adds x·w to a sum of l.
func modelStep(l *Layer, x, w, sum float32) float32 {
	if l.Activation == SigmoidGNUbg {
		return sum + float32(x*w)
	}
	return fma32(x, w, sum)
}

// modelSum is the sum of one unit of a layer with blocks.
func modelSum(l *Layer, x []float32, u int) float32 {
	sum := l.Bias[u]
	for i, v := range x {
		sum = modelStep(l, v, l.Weights[i*l.Out+u], sum)
	}
	return sum
}

// modelDot is the sum of one unit of a layer without blocks.
func modelDot(l *Layer, x []float32, u int) float32 {
	partial := Lanes
	if l.Activation == SigmoidGNUbg {
		partial = 4
	}
	var s [Lanes]float32
	for i, v := range x {
		s[i%partial] = modelStep(l, v, l.Weights[i*l.Out+u], s[i%partial])
	}
	for half := partial / 2; half >= 4; half /= 2 {
		for i := range half {
			s[i] += s[i+half]
		}
	}
	return (s[0] + s[1]) + (s[2] + s[3]) + l.Bias[u]
}

// modelForward evaluates one vector as the kernels promise.
func modelForward(n *Net, x []float32) []float32 {
	for k := range n.Layers {
		l := &n.Layers[k]
		sum, beta := modelSum, l.steepness()
		if k == len(n.Layers)-1 && l.Out < Lanes {
			sum = modelDot
		}
		act := l.Activation
		if act == SigmoidGNUbg && k < len(n.Layers)-1 {
			act = hiddenGNUbg
		}
		out := make([]float32, l.Out)
		for u := range out {
			out[u] = modelActivation(act, beta, sum(l, x, u))
		}
		x = out
	}
	return x
}

// apply returns the activation of one sum, in double precision where that is
// exact: what the kernels are held to. In the layers before the last, SigmoidGNUbg
// is applyHidden instead.
func (l *Layer) apply(x float32) float32 {
	switch l.Activation {
	case Sigmoid:
		return float32(1 / (1 + math.Exp(-float64(l.Beta)*float64(x))))
	case SigmoidGNUbg:
		return sigmoidGNUbg(l.Beta * x)
	case ReLU:
		return max(0, x)
	case SquaredReLU:
		return max(0, x) * max(0, x)
	case Tanh:
		return float32(math.Tanh(float64(x)))
	}
	panic("nn: " + l.Activation.String()) // excluded by Check
}

func (l *Layer) applyHidden(x float32) float32 {
	if l.Activation != SigmoidGNUbg {
		return l.apply(x)
	}
	return hiddenSigmoidGNUbg(l.Beta * x)
}

// reference evaluates one vector in double precision.
func reference(n *Net, x []float32) []float32 {
	for k := range n.Layers {
		l := &n.Layers[k]
		out := make([]float32, l.Out)
		for u := range out {
			sum := float64(l.Bias[u])
			for i, v := range x {
				sum += float64(v) * float64(l.Weights[i*l.Out+u])
			}
			if k < len(n.Layers)-1 {
				out[u] = l.applyHidden(float32(sum))
			} else {
				out[u] = l.apply(float32(sum))
			}
		}
		x = out
	}
	return x
}
