package nn

// Lanes is the granularity of layer widths in a Compiled net: input vectors and
// hidden layers are padded with zeros to a multiple of it.
const Lanes = 16

const (
	// maxTile is the largest number of input vectors that a kernel takes at once.
	maxTile = 6
	// maxBatch vectors go through the net together, so that a weight that comes
	// from a cache far away serves many. Of a wide layer they need room for one
	// block of units only, see Compiled.pair.
	maxBatch = 16 * maxTile
	// nearCache is how many values of a hidden layer stay in the first-level cache
	// beside one block of weights.
	nearCache = 3 << 12
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
	width           int // of the widest layer that is stored whole, padded
	batch           int // vectors that go through together
	listRoom        int // words for a list of a layer's inputs
	words           int // most words of a vector in fixed point, 0 if there is none
}

// Compile lays a checked net out for inference at the processor's tier.
func Compile(n *Net) (*Compiled, error) { return compileUnits(n, best, fixedUnits) }

// compileUnits computes in fixed point where a layer has at least so many units.
func compileUnits(n *Net, k *kernels, units int) (*Compiled, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	c := &Compiled{
		inputs: n.Inputs(), outputs: n.Outputs(),
		stride:  padded(n.Inputs()),
		kernels: k,
	}
	in := c.stride
	for k := range n.Layers {
		var l layer
		if n.inFixed(k, units) {
			l = layOutFixed(n, k, in, c.kernels.packed)
			c.words = max(c.words, l.fixed.words)
		} else {
			l = layOut(&n.Layers[k], in, k == len(n.Layers)-1)
		}
		in = l.width
		if l.fixed != nil && k+1 < len(n.Layers) && n.inFixed(k+1, units) {
			l.activation = l.activation.coarse()
		}
		c.listRoom = max(c.listRoom, l.in+Lanes)
		c.layers = append(c.layers, l)
	}
	for k := 0; k < len(c.layers); k++ {
		if c.paired(k) {
			k++
		}
		c.width = max(c.width, c.layers[k].width)
	}
	c.batch = min(max(nearCache/c.width, 4*maxTile), maxBatch)
	if c.words > 0 {
		c.batch = maxBatch / 2
	}
	return c, nil
}

// paired reports whether layer k and the next are computed together, so that
// of layer k no more than a block is stored.
func (c *Compiled) paired(k int) bool {
	return k+1 < len(c.layers) && len(c.layers[k].blocks) > 1 && c.layers[k+1].blocks != nil && !c.layers[k+1].rounded
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
	block []float32 // values of a block of a layer
	words []uint32  // of the lists in tiles
	tiles [maxBatch]tile
	fixedScratch
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
	if need := c.batch*c.width + Lanes; len(s.a) < need {
		s.a, s.b = aligned(need), aligned(need)
	}
	if s.block == nil {
		s.block = aligned(maxBatch * blockUnits)
	}
	if c.words > 0 {
		s.fixedScratch.fit(c)
	}
	if need := maxBatch / c.kernels.tile * 2 * c.listRoom; len(s.words) < need {
		s.words = make([]uint32, need)
	}
}

// Eval evaluates n input vectors, inputs[i*Stride():], into out[i*Outputs():].
// The result for a vector is the same to the bit whatever else is in the batch,
// and the same on the tiers from avx2 on. Inputs must be finite. It allocates
// nothing if s comes from c's NewScratch.
func (c *Compiled) Eval(s *Scratch, inputs []float32, n int, out []float32) {
	inputs, out = inputs[:n*c.stride], out[:n*c.outputs]
	s.fit(c)
	for n > 0 {
		batches := (n + c.batch - 1) / c.batch
		m := (n + batches - 1) / batches
		c.evalBatch(s, inputs, m, out)
		inputs, out = inputs[m*c.stride:], out[m*c.outputs:]
		n -= m
	}
}

// evalBatch evaluates n input vectors, at most c.batch.
func (c *Compiled) evalBatch(s *Scratch, inputs []float32, n int, out []float32) {
	x, values, spare := inputs, s.a, s.b
	stride := 0
	for k := 0; k < len(c.layers); k++ {
		l := &c.layers[k]
		switch {
		case l.fixed != nil && k == 0:
			c.chain(s, x, n, values)
			x, stride = values, l.width
			values, spare = spare, values
			continue
		case l.fixed != nil:
			c.fixedSums(s, k, x, n, values)
		case l.blocks == nil:
			c.kernels.dot(l, x, n, values)
		case c.paired(k):
			k++
			c.pair(s, l, &c.layers[k], x, n, values)
			l = &c.layers[k]
		default:
			c.sums(s, l, x, n, values)
		}
		groups := (n*l.width + Lanes - 1) / Lanes
		c.kernels.activations[l.activation](values[:groups*Lanes], l.beta)
		if l.fixed != nil {
			l.clearPadding(values, n, l.width)
		}
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
	tiles := c.list(s, l, x, n)
	for b := range l.blocks {
		for i := range tiles {
			t := &tiles[i]
			c.kernels.sums(l, b, x[t.first*l.in:], t, sums[t.first*l.width+b*blockUnits:], l.width)
		}
	}
}

// pair computes a layer and the sums of the next. What a block of the first gives
// goes into the sums of the second before the next block, in the order of the units:
// the results are those of one layer after the other.
func (c *Compiled) pair(s *Scratch, l, next *layer, x []float32, n int, sums []float32) {
	k := c.kernels
	for v := range n {
		for b := range next.blocks {
			copy(sums[v*next.width+b*blockUnits:], next.blocks[b].bias)
		}
	}
	tiles := c.list(s, l, x, n)
	for b := range l.blocks {
		width := l.blocks[b].width
		block := s.block[:n*width]
		for i := range tiles {
			t := &tiles[i]
			k.sums(l, b, x[t.first*l.in:], t, block[t.first*width:], width)
		}
		k.activations[l.activation](block, l.beta)
		for to := range next.blocks {
			for i := range tiles {
				t := &tiles[i]
				k.more(next, to, b*blockUnits, width, block[t.first*width:], t.n,
					sums[t.first*next.width+to*blockUnits:])
			}
		}
	}
}

// list cuts n vectors into tiles and lists the inputs of each.
func (c *Compiled) list(s *Scratch, l *layer, x []float32, n int) []tile {
	tiles := c.cut(s, n)
	for i := range tiles {
		t := &tiles[i]
		t.listed, t.powers = c.kernels.index(l, x[t.first*l.in:], t.n, &t.inputList)
	}
	return tiles
}

// cut cuts n vectors into tiles.
func (c *Compiled) cut(s *Scratch, n int) []tile {
	k := c.kernels
	tiles := s.tiles[:(n+k.tile-1)/k.tile]
	for first, i := 0, 0; i < len(tiles); i++ {
		t := &tiles[i]
		left := len(tiles) - i
		t.first, t.n = first, (n-first+left-1)/left
		words := s.words[2*i*c.listRoom:]
		t.inputList = inputList{words[:c.listRoom], words[c.listRoom:][:c.listRoom]}
		first += t.n
	}
	return tiles
}
