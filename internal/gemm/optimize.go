package gemm

// AdamStep holds the coefficients of one step of Adam, in the order that the
// kernels read them.
type AdamStep struct {
	Beta1, Gain1 float32 // decay of the first moment, 1-Beta1
	Beta2, Gain2 float32 // decay of the second moment, 1-Beta2
	MinusRate    float32 // -(learning rate), corrected for the moments' start at 0
	Epsilon      float32 // added to the root of the second moment
	Keep         float32 // factor on the weights: 1 - rate·decay, 1 without decay
}

// Adam updates the weights w and their moments m and v by the gradient g:
//
//	m = Beta1·m + Gain1·g
//	v = Beta2·v + Gain2·g²
//	w = Keep·w + MinusRate·m/(√v + Epsilon)
//
// The length is a multiple of 16.
func Adam(w, m, v, g []float32, s *AdamStep) {
	checkLengths(len(w), len(m), len(v), len(g))
	if len(w) > 0 {
		best.adam(w, m, v, g, s)
	}
}

// MomentumStep holds the coefficients of one step of gradient descent, in the
// order that the kernels read them.
type MomentumStep struct {
	Momentum  float32 // decay of the velocity
	MinusRate float32 // -(learning rate)
	Keep      float32 // factor on the weights: 1 - rate·decay, 1 without decay
}

// Momentum updates the weights w and their velocity m by the gradient g:
//
//	m = Momentum·m + g
//	w = Keep·w + MinusRate·m
//
// The length is a multiple of 16.
func Momentum(w, m, g []float32, s *MomentumStep) {
	checkLengths(len(w), len(m), len(g))
	if len(w) > 0 {
		best.momentum(w, m, g, s)
	}
}

// Average moves the average e of the weights w: e += rate·(w-e). The length is a
// multiple of 16.
func Average(e, w []float32, rate *float32) {
	checkLengths(len(e), len(w))
	if len(e) > 0 {
		best.average(e, w, rate)
	}
}
