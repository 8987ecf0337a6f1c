package nn

import "bgtrain/internal/cpu"

// Lanes is the granularity of layer widths in a Compiled net: input vectors and
// hidden layers are padded with zeros to a multiple of it.
const Lanes = 16

const (
	// maxTile is the largest number of input vectors that a kernel takes at once.
	maxTile = 6
	// maxBatch vectors go through the net together: so few that their hidden
	// layers stay in the first-level cache beside one block of weights.
	maxBatch = 4 * maxTile
	// blockUnits is the number of units of a layer whose weights lie together.
	blockUnits = 4 * Lanes
)

// Compiled is a net laid out for the inference kernels. It is immutable and may
// be shared by any number of goroutines, each with its own Scratch.
type Compiled struct {
	inputs, outputs int
	stride          int
	layers          []layer
	kernels         *kernels
	width           int // of the widest layer, padded
	listRoom        int // words for a list of a layer's inputs
}

// Compile lays a checked net out for inference at the processor's tier.
func Compile(n *Net) (*Compiled, error) { return compileFor(n, cpu.Level()) }

func compileFor(n *Net, tier cpu.Tier) (*Compiled, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	c := &Compiled{
		inputs: n.Inputs(), outputs: n.Outputs(),
		stride:  padded(n.Inputs()),
		kernels: kernelsFor(tier),
	}
	for k := range n.Layers {
		l := layOut(&n.Layers[k], k == len(n.Layers)-1)
		c.width = max(c.width, l.width)
		c.listRoom = max(c.listRoom, l.in+Lanes)
		c.layers = append(c.layers, l)
	}
	return c, nil
}

// Inputs returns the number of inputs.
func (c *Compiled) Inputs() int { return c.inputs }

// Outputs returns the number of outputs.
func (c *Compiled) Outputs() int { return c.outputs }

// Stride is the distance between the input vectors of a batch: Inputs rounded
// up to a multiple of Lanes. The padding must hold zeros.
func (c *Compiled) Stride() int { return c.stride }

// Scratch is the working memory of one goroutine's evaluations.
type Scratch struct {
	a, b  []float32 // the layers' values by turns
	words []uint32  // of the lists in tiles
	tiles [maxBatch]tile
}

// tile is a run of input vectors that the kernels take at once, and the inputs
// that are not zero in all of them.
type tile struct {
	first, n int
	listed   int
	powers   int // the first of them, see kernels.index
	inputList
}

// inputList holds inputs of a layer with blocks as byte offsets, with room for
// Lanes more: in a vector, and in the weights of a block.
type inputList struct{ inputs, rows []uint32 }

// NewScratch returns working memory for this net.
func (c *Compiled) NewScratch() *Scratch {
	s := &Scratch{}
	s.fit(c)
	return s
}

// fit makes s large enough for c: a Scratch may be used with several nets.
func (s *Scratch) fit(c *Compiled) {
	if need := maxBatch*c.width + Lanes; len(s.a) < need {
		s.a, s.b = aligned(need), aligned(need)
	}
	if need := maxBatch / c.kernels.tile * 2 * c.listRoom; len(s.words) < need {
		s.words = make([]uint32, need)
	}
}

// Eval evaluates n input vectors, inputs[i*Stride():], into out[i*Outputs():].
// The result for a vector is the same to the bit whatever else is in the batch,
// and the same on the avx2 and avx512 tiers. Inputs must be finite. It allocates
// nothing if s comes from c's NewScratch.
func (c *Compiled) Eval(s *Scratch, inputs []float32, n int, out []float32) {
	inputs, out = inputs[:n*c.stride], out[:n*c.outputs]
	s.fit(c)
	for n > 0 {
		batches := (n + maxBatch - 1) / maxBatch
		m := (n + batches - 1) / batches
		c.evalBatch(s, inputs, m, out)
		inputs, out = inputs[m*c.stride:], out[m*c.outputs:]
		n -= m
	}
}

// evalBatch evaluates n input vectors, at most maxBatch.
func (c *Compiled) evalBatch(s *Scratch, inputs []float32, n int, out []float32) {
	x, values, spare := inputs, s.a, s.b
	stride := 0
	for k := range c.layers {
		l := &c.layers[k]
		if l.blocks == nil {
			c.kernels.dot(l, x, n, values)
		} else {
			c.sums(s, l, x, n, values)
		}
		groups := (n*l.width + Lanes - 1) / Lanes
		c.kernels.activations[l.activation](values[:groups*Lanes], l.beta)
		x, stride = values, l.width
		values, spare = spare, values
	}
	if stride == c.outputs {
		copy(out[:n*stride], x)
		return
	}
	for i := range n {
		copy(out[i*c.outputs:(i+1)*c.outputs], x[i*stride:])
	}
}

// sums computes the sums of a layer in blocks. All vectors go through a block
// before the next, so that its weights are read from afar only once.
func (c *Compiled) sums(s *Scratch, l *layer, x []float32, n int, sums []float32) {
	k := c.kernels
	tiles := s.tiles[:(n+k.tile-1)/k.tile]
	for first, i := 0, 0; i < len(tiles); i++ {
		t := &tiles[i]
		left := len(tiles) - i
		t.first, t.n = first, (n-first+left-1)/left
		words := s.words[2*i*c.listRoom:]
		t.inputList = inputList{words[:c.listRoom], words[c.listRoom:][:c.listRoom]}
		t.listed, t.powers = k.index(l, x[first*l.in:], t.n, &t.inputList)
		first += t.n
	}
	for b := range l.blocks {
		for i := range tiles {
			t := &tiles[i]
			k.sums(l, b, x[t.first*l.in:], t, sums[t.first*l.width+b*blockUnits:])
		}
	}
}
