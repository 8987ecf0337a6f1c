package nn

import "bgtrain/internal/cpu"

// NearCounts is the length of a vector that a Near evaluates.
const NearCounts = 50

const (
	nearValues  = 16 // a count is below
	nearOuts    = 5
	nearMaxUnit = 16

	// NearBlock is the number of vectors whose outputs are laid out together.
	NearBlock = 16
	// NearBatch is the largest number of vectors that a Near evaluates at once.
	NearBatch = 8 * NearBlock
)

// Near is a net of one small hidden layer, laid out for vectors that differ little
// from one, the base. A vector is NearCounts counts, of which each decides some of
// the net's inputs by itself. So the sums of the hidden layer follow from those of
// the base, by taking off and adding a row for each count that differs.
//
// A Near is immutable and may be shared, each goroutine with its own NearScratch.
type Near struct {
	width      int       // units of the hidden layer, padded to 8 or 16
	rows       []float32 // width sums for each count's place and value, in this order
	empty      []float32 // width sums of a vector of zeros
	w          []float32 // nearOuts for each of width units
	bias       []float32 // nearOuts
	activation Activation
	beta       float32
	last       Activation
	lastBeta   float32
	kernels    *nearKernels
}

// nearKernels is the arithmetic of one tier.
type nearKernels struct {
	// sums computes, for units u of padded width and at most 8 vectors v,
	// out[NearBlock*u+v], see nearSumsGo.
	sums func(c *Near, vectors [][NearCounts]byte, s *NearScratch, out []float32)

	// outputs computes out[NearBlock*(nearOuts*b+o)+v] for blocks b, outputs o and
	// vectors v from hidden[NearBlock*(width*b+u)+v].
	outputs func(c *Near, hidden []float32, blocks int, out []float32)

	activations *[numFunctions]func(x []float32, beta float32)
}

// NearScratch is the working memory of one goroutine for one Near, with its base.
type NearScratch struct {
	base   [NearCounts]byte
	old    [NearCounts]uint32 // byte offsets of the rows of base
	one    [1][NearCounts]byte
	sums   [nearMaxUnit]float32
	lines  []float32 // 8 vectors of sums
	hidden []float32 // NearBatch vectors
	outs   []float32
}

// NewNearScratch returns working memory.
func NewNearScratch() *NearScratch {
	return &NearScratch{
		lines:  aligned(8 * nearMaxUnit),
		hidden: aligned(NearBatch * nearMaxUnit),
		outs:   aligned(NearBatch * nearOuts),
	}
}

// CompileNear lays out a checked net whose inputs are the sums of what inputs
// writes for each place of a vector, 0 to NearCounts-1, and count there, 0 to 15.
// It returns nil for a net of another shape than one hidden layer of at most 16
// units and five outputs.
func CompileNear(n *Net, inputs func(place, count int, x []float32)) (*Near, error) {
	return compileNear(n, inputs, cpu.Level())
}

func compileNear(n *Net, inputs func(place, count int, x []float32), tier cpu.Tier) (*Near, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	if len(n.Layers) != 2 || n.Layers[0].Out > nearMaxUnit || n.Outputs() != nearOuts {
		return nil, nil
	}
	l, last := &n.Layers[0], &n.Layers[1]
	function := func(l *Layer, hidden bool) (Activation, float32) {
		switch {
		case l.Activation == ReLU || l.Activation == Tanh:
			return l.Activation, 1
		case hidden && l.Activation == SigmoidGNUbg:
			return hiddenGNUbg, l.Beta
		}
		return l.Activation, l.Beta
	}
	c := &Near{width: (l.Out + 7) / 8 * 8, bias: last.Bias, kernels: nearKernelsFor(tier)}
	c.w = aligned(c.width * nearOuts)
	copy(c.w, last.Weights)
	c.activation, c.beta = function(l, true)
	c.last, c.lastBeta = function(last, false)
	c.rows = aligned(NearCounts * nearValues * c.width)
	x := make([]float32, l.In)
	for row := range NearCounts * nearValues {
		clear(x)
		inputs(row/nearValues, row%nearValues, x)
		to := c.rows[row*c.width:][:l.Out]
		for i, v := range x {
			for u := range to {
				to[u] += v * l.Weights[i*l.Out+u]
			}
		}
	}
	c.empty = aligned(c.width)
	copy(c.empty, l.Bias)
	for place := range NearCounts {
		for u, v := range c.rows[place*nearValues*c.width:][:c.width] {
			c.empty[u] += v
		}
	}
	return c, nil
}

// SetBase sets the vector that those of Eval are near.
func (c *Near) SetBase(s *NearScratch, base *[NearCounts]byte) {
	s.base = [NearCounts]byte{}
	for i := range s.old {
		s.old[i] = uint32(4 * c.width * nearValues * i)
	}
	copy(s.sums[:], c.empty)
	s.one[0] = *base
	c.kernels.sums(c, s.one[:], s, s.hidden)
	copy(s.sums[:c.width], s.lines)
	s.base = *base
	for i, n := range base {
		s.old[i] += uint32(4 * c.width * int(n&(nearValues-1)))
	}
}

// Eval evaluates at most NearBatch vectors near the base. The result holds, for
// each block of NearBlock of them, the first output of all, the second and so on;
// it is valid until s is used again. Outputs may depend on the base in their last
// digits.
func (c *Near) Eval(s *NearScratch, vectors [][NearCounts]byte) []float32 {
	blocks := (len(vectors) + NearBlock - 1) / NearBlock
	for at := 0; at < len(vectors); at += 8 {
		to := at/NearBlock*NearBlock*c.width + at%NearBlock
		c.kernels.sums(c, vectors[at:min(at+8, len(vectors))], s, s.hidden[to:])
	}
	hidden, outs := s.hidden[:blocks*NearBlock*c.width], s.outs[:blocks*NearBlock*nearOuts]
	if blocks > 0 {
		c.kernels.activations[c.activation](hidden, c.beta)
		c.kernels.outputs(c, hidden, blocks, outs)
		c.kernels.activations[c.last](outs, c.lastBeta)
	}
	return outs
}

func nearKernelsFor(t cpu.Tier) *nearKernels {
	if k := nearKernelsOf[t]; k != nil {
		return k
	}
	return &nearGo
}

// nearGo is the portable tier.
var nearGo = nearKernels{nearSumsGo, nearOutputsGo, &goKernels.activations}

func nearSumsGo(c *Near, vectors [][NearCounts]byte, s *NearScratch, out []float32) {
	for v := range vectors {
		more := s.lines[c.width*v:][:c.width]
		copy(more, s.sums[:])
		var less [nearMaxUnit]float32
		for i, n := range vectors[v] {
			if n == s.base[i] {
				continue
			}
			row := c.rows[s.old[i]/4:][:c.width]
			for u := range row {
				less[u] += row[u]
			}
			row = c.rows[(nearValues*i+int(n&(nearValues-1)))*c.width:][:c.width]
			for u := range row {
				more[u] += row[u]
			}
		}
		for u := range more {
			more[u] -= less[u]
			out[NearBlock*u+v] = more[u]
		}
	}
}

func nearOutputsGo(c *Near, hidden []float32, blocks int, out []float32) {
	for b := range blocks {
		for o := range nearOuts {
			to := (*[NearBlock]float32)(out[(b*nearOuts+o)*NearBlock:])
			for v := range to {
				to[v] = c.bias[o]
			}
			for u := range c.width {
				w := c.w[u*nearOuts+o]
				x := (*[NearBlock]float32)(hidden[(b*c.width+u)*NearBlock:])
				for v := range to {
					to[v] += float32(w * x[v])
				}
			}
		}
	}
}
