package nn

// Lanes is the granularity of layer widths in a Compiled net: input vectors and
// hidden layers are padded with zeros to a multiple of it.
const Lanes = 16

// Compiled is a net laid out for the inference kernels. It is immutable and may
// be shared by any number of goroutines, each with its own Scratch.
type Compiled struct {
	inputs, outputs int
	stride          int
	net             *Net
}

// Compile lays a checked net out for inference.
func Compile(n *Net) (*Compiled, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	return &Compiled{
		inputs: n.Inputs(), outputs: n.Outputs(),
		stride: (n.Inputs() + Lanes - 1) / Lanes * Lanes, net: n,
	}, nil
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
	a, b []float32
}

// NewScratch returns working memory for this net.
func (c *Compiled) NewScratch() *Scratch { return &Scratch{} }

// Eval evaluates n input vectors, inputs[i*Stride():], into out[i*Outputs():].
// The result for a vector is the same to the bit whatever else is in the batch.
func (c *Compiled) Eval(s *Scratch, inputs []float32, n int, out []float32) {
	for i := 0; i < n; i++ {
		in := append(s.a[:0], inputs[i*c.stride:i*c.stride+c.inputs]...)
		hid := s.b
		for k := range c.net.Layers {
			l := &c.net.Layers[k]
			hid = append(hid[:0], l.Bias...)
			for j, x := range in {
				if x != 0 {
					for o, w := range l.Weights[j*l.Out : (j+1)*l.Out] {
						hid[o] += x * w
					}
				}
			}
			for o := range hid {
				hid[o] = l.Apply(hid[o])
			}
			in, hid = hid, in
		}
		copy(out[i*c.outputs:], in)
		s.a, s.b = in, hid
	}
}
