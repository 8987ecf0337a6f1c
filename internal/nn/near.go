package nn

import "fmt"

const (
	// NearValues is what the counts of a Near's vectors are below.
	NearValues = 16
	// NearBlock is the number of vectors whose outputs are laid out together.
	NearBlock = 16
	// NearBatch is the largest number of vectors that a Near evaluates at once.
	NearBatch = 8 * NearBlock

	nearLeast, nearMost = 32, 64 // places
	nearOuts            = 5
	nearMaxUnit         = 16
)

// Near is a net of one small hidden layer, laid out for vectors that differ little
// from one, the base. A vector is a count in each of some places, a byte each, and
// each count decides some of the net's inputs by itself. So the sums of the hidden
// layer follow from those of the base, by taking off and adding a row for each
// count that differs.
//
// A Near is immutable and may be shared, each goroutine with its own NearScratch.
type Near struct {
	places     int
	width      int       // units of the hidden layer, padded to 8 or 16
	rows       []float32 // width sums for each place and count, in this order
	empty      []float32 // width sums of a vector of zeros
	w          []float32 // nearOuts for each of width units
	bias       []float32 // nearOuts
	activation Activation
	beta       float32
	last       Activation
	lastBeta   float32
	kernels    *kernels
}

// NearScratch is the working memory of one goroutine for one Near, with its base.
type NearScratch struct {
	base   [nearMost]byte
	old    [nearMost]uint32 // byte offsets of the rows of base
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

// FitsNear reports whether CompileNear takes the net: one hidden layer of at most 16
// units, and five outputs.
func (n *Net) FitsNear() bool {
	return len(n.Layers) == 2 && n.Layers[0].Out <= nearMaxUnit && n.Outputs() == nearOuts
}

// CompileNear lays out a checked net that fits, whose inputs are the sums of what
// inputs writes for each place of a vector, 0 to places-1, and count there. There
// may be 32 to 64 places.
func CompileNear(n *Net, places int, inputs func(place, count int, x []float32)) (*Near, error) {
	return compileNear(n, places, inputs, best)
}

func compileNear(n *Net, places int, inputs func(place, count int, x []float32), k *kernels) (*Near, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	if !n.FitsNear() {
		return nil, fmt.Errorf("%d layers, %d outputs: not one hidden layer of at most %d units and %d outputs",
			len(n.Layers), n.Outputs(), nearMaxUnit, nearOuts)
	}
	if places < nearLeast || places > nearMost {
		return nil, fmt.Errorf("%d places, %d to %d expected", places, nearLeast, nearMost)
	}
	l, last := &n.Layers[0], &n.Layers[1]
	c := &Near{places: places, width: (l.Out + 7) / 8 * 8, bias: last.Bias, kernels: k,
		activation: l.Activation, beta: l.steepness(), last: last.Activation, lastBeta: last.steepness()}
	if c.activation == SigmoidGNUbg {
		c.activation = hiddenGNUbg
	}
	c.w = aligned(c.width * nearOuts)
	copy(c.w, last.Weights)
	c.rows = aligned(places * NearValues * c.width)
	x := make([]float32, l.In)
	for row := range places * NearValues {
		clear(x)
		inputs(row/NearValues, row%NearValues, x)
		to := c.rows[row*c.width:][:l.Out]
		for i, v := range x {
			if v == 0 { // as nearly all are
				continue
			}
			for u := range to {
				to[u] += v * l.Weights[i*l.Out+u]
			}
		}
	}
	c.empty = aligned(c.width)
	copy(c.empty, l.Bias)
	for place := range places {
		for u, v := range c.rows[place*NearValues*c.width:][:c.width] {
			c.empty[u] += v
		}
	}
	return c, nil
}

// SetBase sets the vector that those of Eval are near.
func (c *Near) SetBase(s *NearScratch, base []byte) {
	base = base[:c.places]
	s.base = [nearMost]byte{}
	for i := range base {
		s.old[i] = uint32(4 * c.width * NearValues * i)
	}
	copy(s.sums[:], c.empty)
	c.kernels.nearSums(c, base, 1, s, s.hidden)
	copy(s.sums[:c.width], s.lines)
	copy(s.base[:], base)
	for i, n := range base {
		s.old[i] += uint32(4 * c.width * int(n&(NearValues-1)))
	}
}

// Eval evaluates n vectors near the base, at most NearBatch, one after the other.
// The result holds, for each block of NearBlock of them, the first output of all,
// the second and so on; it is valid until s is used again. Outputs may depend on
// the base in their last digits.
func (c *Near) Eval(s *NearScratch, vectors []byte, n int) []float32 {
	vectors = vectors[:n*c.places]
	blocks := (n + NearBlock - 1) / NearBlock
	for at := 0; at < n; at += 8 {
		to := at/NearBlock*NearBlock*c.width + at%NearBlock
		c.kernels.nearSums(c, vectors[at*c.places:], min(8, n-at), s, s.hidden[to:])
	}
	hidden, outs := s.hidden[:blocks*NearBlock*c.width], s.outs[:blocks*NearBlock*nearOuts]
	if blocks > 0 {
		c.kernels.activations[c.activation](hidden, c.beta)
		c.kernels.nearOutputs(c, hidden, blocks, outs)
		c.kernels.activations[c.last](outs, c.lastBeta)
	}
	return outs
}

func nearSumsGo(c *Near, vectors []byte, n int, s *NearScratch, out []float32) {
	for v := range n {
		more := s.lines[c.width*v:][:c.width]
		copy(more, s.sums[:])
		var less [nearMaxUnit]float32
		for i, n := range vectors[v*c.places:][:c.places] {
			if n == s.base[i] {
				continue
			}
			row := c.rows[s.old[i]/4:][:c.width]
			for u := range row {
				less[u] += row[u]
			}
			row = c.rows[(NearValues*i+int(n&(NearValues-1)))*c.width:][:c.width]
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
