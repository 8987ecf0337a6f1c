package player

import (
	"math"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// TestFixedPointEquity holds the equities of contact nets in fixed point to double
// precision: of deep nets, rectified and of sigmoids, and of a narrow one.
func TestFixedPointEquity(t *testing.T) {
	for _, name := range []string{"default", "fast", "td"} {
		t.Run(name, func(t *testing.T) { testFixedPoint(t, name) })
	}
}

func testFixedPoint(t *testing.T, name string) {
	set, err := nets.Read("../../data/nets/" + name + ".safetensors")
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(set, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	batch := &p.NewEvaluator().full[bg.Contact]
	var square, most float64
	n := 0
	for i, boards := range contactBatches(t) {
		if i%4 > 0 {
			continue
		}
		for k := range boards {
			batch.set(k, &boards[k])
		}
		batch.net.net.Eval(batch.scratch, batch.inputs, len(boards), batch.results)
		v := len(boards) / 2 // one is enough: in double precision this takes long
		stride := batch.net.net.Stride()
		got := bg.Outputs(batch.results[v*bg.NumOutputs:][:bg.NumOutputs])
		want := double(set.Nets[nets.Contact].Net, batch.inputs[v*stride:][:batch.net.set.Size])
		off := math.Abs(float64(got.Equity() - want.Equity()))
		square, most, n = square+off*off, max(most, off), n+1
	}
	rms := math.Sqrt(square / float64(n))
	t.Logf("%d positions: rms %.5f, at most %.5f", n, rms, most)
	if rms < 1e-6 {
		t.Errorf("rms %.2g: not in fixed point", rms)
	}
	within := 0.0002
	if set.Nets[nets.Contact].Net.Layers[0].Activation == nn.SquaredReLU {
		within = 0.001 // small squares count as zero
	}
	if rms > within || most > 10*within {
		t.Errorf("equity is off by %.5f rms, by %.5f at most", rms, most)
	}
}

// double evaluates a net in double precision.
func double(n *nn.Net, in []float32) (out bg.Outputs) {
	x := make([]float64, len(in))
	for i, v := range in {
		x[i] = float64(v)
	}
	for k := range n.Layers {
		l := &n.Layers[k]
		sums := make([]float64, l.Out)
		for u := range sums {
			sums[u] = float64(l.Bias[u])
		}
		for i, v := range x {
			for u := range sums {
				sums[u] += v * float64(l.Weights[i*l.Out+u])
			}
		}
		for u, s := range sums {
			switch l.Activation {
			case nn.ReLU:
				sums[u] = max(0, s)
			case nn.SquaredReLU:
				sums[u] = max(0, s) * max(0, s)
			case nn.Tanh:
				sums[u] = math.Tanh(s)
			default:
				sums[u] = 1 / (1 + math.Exp(-float64(l.Beta)*s))
			}
		}
		x = sums
	}
	for k := range out {
		out[k] = float32(x[k])
	}
	return out
}
