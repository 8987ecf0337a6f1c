package nn

// fixedScratch is the working memory of layers in fixed point.
type fixedScratch struct {
	x     []uint32 // vectors of integers, those of active inputs, or what each differs by from the one before
	two   []uint32 // two vectors in turn
	lists []uint32 // of a chain, a vector after the other, and one more
	rows  []uint32 // that nobody reads
	list  inputList
	steps []chainStep
	ones  []float32 // what one is in each vector
	masks []uint8   // of a tile, a bit an input: whether it is active
}

// chainStep is how a vector follows the one before, for the chain kernels.
type chainStep struct {
	listed uint32  // pairs of inputs that differ
	keep   uint32  // all ones, or zero to begin anew: then those that are not zero
	one    float32 // what one of the vector's integers is
}

// fitFixed makes s large enough for c.
func (s *fixedScratch) fit(c *Compiled) {
	if need := c.batch * c.words; len(s.x) < need {
		s.x = make([]uint32, need)
	}
	if need := c.listRoom / 8; len(s.masks) < need {
		s.masks = make([]uint8, need)
	}
	if s.steps == nil {
		s.steps, s.ones = make([]chainStep, maxBatch), make([]float32, maxBatch)
	}
	if c.layers[0].fixed == nil {
		return
	}
	if need := 2 * c.layers[0].fixed.words; len(s.two) < need {
		s.two = make([]uint32, need)
	}
	if need := (c.batch + 1) * c.listRoom; len(s.lists) < need {
		s.lists, s.rows = make([]uint32, need), make([]uint32, c.listRoom)
	}
}

// chain computes a first layer in fixed point. Each vector's sums follow from those
// of the one before: the plays of a roll differ in few inputs. If the next layer is
// in fixed point too, the values of chainUnits units for all vectors are followed by
// those of the next.
func (c *Compiled) chain(s *Scratch, x []float32, n int, values []float32) {
	l := &c.layers[0]
	f, k := l.fixed, c.kernels
	c.link(s, x, n)
	together := c.blocked()
	for b := range f.blocks {
		if !together {
			k.chain(f, b, c, s, n, values[b*chainUnits:], l.width)
			continue
		}
		block := values[b*n*chainUnits:][:n*chainUnits]
		k.chain(f, b, c, s, n, block, chainUnits)
		k.activations[l.activation](block, l.beta)
	}
	if !together {
		k.activations[l.activation](values[:n*l.width], l.beta)
		l.clearPadding(values, n, l.width)
	} else if f.units < l.width {
		last := len(f.blocks) - 1
		for v := range n {
			clear(values[(last*n+v)*chainUnits:][f.units-last*chainUnits : chainUnits])
		}
	}
}

// blocked reports whether the values of the first layer lie in blocks of units.
func (c *Compiled) blocked() bool {
	return c.layers[0].fixed != nil && len(c.layers) > 1 && c.layers[1].fixed != nil
}

// clearPadding clears what follows the units of n vectors.
func (l *layer) clearPadding(values []float32, n, stride int) {
	if l.fixed.units == l.width {
		return
	}
	for v := range n {
		clear(values[v*stride:][l.fixed.units:l.width])
	}
}

// link makes integers of n vectors and lists the pairs in which each differs from the
// one before, or those that are not zero where these are fewer.
func (c *Compiled) link(s *Scratch, x []float32, n int) {
	l := &c.layers[0]
	f, k := l.fixed, c.kernels
	last, this := s.two[:f.words], s.two[f.words:][:f.words]
	clear(this[l.in/2:])
	clear(last[l.in/2:])
	before := 0
	for v := range n {
		e := k.quantize(x[v*l.in:], 1, 0, l.in, mostBits, this)
		list := s.lists[v*c.listRoom:][:c.listRoom]
		pairs := s.x[v*f.words:][:f.words]
		step := &s.steps[v]
		*step = chainStep{one: power(-e)}
		if v > 0 && e == before && !k.differ(this, last, pairs) {
			s.list = inputList{list, s.rows}
			listed, _ := k.index(&f.list, asFloats(pairs), 1, &s.list)
			step.listed, step.keep = uint32(listed), ^uint32(0)
		}
		const many = 20 // few positions have fewer that are not zero
		if step.keep == 0 || step.listed > many {
			other := s.lists[n*c.listRoom:][:c.listRoom]
			s.list = inputList{other, s.rows}
			listed, _ := k.index(&f.list, asFloats(this), 1, &s.list)
			if step.keep == 0 || listed < int(step.listed) {
				step.listed, step.keep = uint32(listed), 0
				copy(pairs, this)
				copy(list, other[:listed])
			}
		}
		before = e
		last, this = this, last
	}
}

// fixedSums computes the sums of layer k, not the first, in fixed point.
func (c *Compiled) fixedSums(s *Scratch, layer int, x []float32, n int, sums []float32) {
	l := &c.layers[layer]
	k, f := c.kernels, l.fixed
	blocks, stride, width := 1, 0, l.in
	if layer == 1 && c.blocked() {
		blocks, stride, width = l.in/chainUnits, n*chainUnits, chainUnits
	}
	tiles := c.cut(s, n)
	for i := range tiles {
		t := &tiles[i]
		if f.rows != nil {
			for v := t.first; v < t.first+t.n; v++ {
				s.ones[v] = power(-k.quantize(x[v*width:], blocks, stride, width, mostBits, s.x[v*f.words:]))
			}
			t.rows, t.listed = f.rows, l.in
			continue
		}
		t.listed = 0
		for b := range blocks {
			t.listed += k.active(x[b*stride+t.first*width:], width, t.n, b*width*f.rowBytes, f.rowBytes,
				t.rows[t.listed:], s.masks[b*width/8:])
		}
		t.rows[t.listed] = 0 // of a pair's second, where their number is odd
		for v := t.first; v < t.first+t.n; v++ {
			s.ones[v] = power(-k.quantizeActive(x[v*width:], blocks, stride, width, mostBits, s.masks, s.x[v*f.words:]))
		}
	}
	for b := range f.blocks {
		for i := range tiles {
			t := &tiles[i]
			k.fixed(f, b, s.x[t.first*f.words:], t, s.ones[t.first:], sums[t.first*l.width+b*blockUnits:], l.width)
		}
	}
}
