package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// lossWeights are those of the moments: an error of the mean costs most.
var lossWeights = [numMoments]float32{1, 0.3, 0.01, 1, 0.2}

const batch = 64

// tensor is a part of the net's weights with what Adam keeps of them.
type tensor struct{ w, grad, m, v, average []float32 }

func newTensor(w []float32) *tensor {
	n := len(w)
	return &tensor{w, make([]float32, n), make([]float32, n), make([]float32, n), slices.Clone(w)}
}

// step is Adam's, with decays 0.9 and 0.99; rate has its corrections.
func (t *tensor) step(rate float32) {
	for i, g := range t.grad {
		g /= batch
		t.m[i] += 0.1 * (g - t.m[i])
		t.v[i] += 0.01 * (g*g - t.v[i])
		t.w[i] -= rate * t.m[i] / (float32(math.Sqrt(float64(t.v[i]))) + 1e-7)
		t.grad[i] = 0
		t.average[i] += 0.002 * (t.w[i] - t.average[i])
	}
}

// trainer trains a net.
type trainer struct {
	n                                  *net
	weights, thresholds, outputs, bias *tensor
}

// train fits the net to the values of sides, by Adam with a rate that falls as a
// cosine. The net becomes the moving average of its weights.
func (n *net) train(sides []side, epochs int, rate float64, rng *rand.Rand) {
	t := &trainer{n, newTensor(n.weights), newTensor(n.thresholds), newTensor(n.outputs), newTensor(n.bias)}
	parts := []*tensor{t.weights, t.thresholds, t.outputs, t.bias}
	missing := make([][numMoments]float32, len(sides)) // what the base lacks
	for i := range sides {
		b := n.homes.base(&sides[i].board)
		for o := range b {
			missing[i][o] = float32(sides[i].value[o] - b[o])
		}
	}
	steps, step := epochs*(len(sides)/batch), 0
	for range epochs {
		order := rng.Perm(len(sides))
		for ; len(order) >= batch; order = order[batch:] {
			for _, i := range order[:batch] {
				t.add(&sides[i], &missing[i])
			}
			step++
			done := float64(step)
			r := rate * (0.5*(1+math.Cos(math.Pi*done/float64(steps))) + 0.003) * min(done/200, 1)
			r *= math.Sqrt(1-math.Pow(0.99, done)) / (1 - math.Pow(0.9, done))
			for _, p := range parts {
				p.step(float32(r))
			}
		}
	}
	for _, p := range parts {
		copy(p.w, p.average)
	}
}

// add adds the gradient of one side.
func (t *trainer) add(s *side, missing *[numMoments]float32) {
	var h, grad [hidden]float32
	t.n.sums(&s.board, &h)
	for o := range numMoments {
		if o >= firstMean && !s.all {
			break
		}
		e := lossWeights[o] * (t.n.output(o, &h) - missing[o])
		t.bias.grad[o] += e
		w := (*[hidden]float32)(t.n.outputs[o*hidden:])
		g := (*[hidden]float32)(t.outputs.grad[o*hidden:])
		for k, x := range h {
			x = max(x, 0)
			g[k] += e * x * x
			grad[k] += 2 * e * x * w[k]
		}
	}
	for k, g := range grad {
		t.thresholds.grad[k] += g
	}
	for i, c := range s.board[:24] {
		if c == 0 {
			continue
		}
		g := (*[hidden]float32)(t.weights.grad[(i*16+int(c))*hidden:])
		for k := range g {
			g[k] += grad[k]
		}
	}
}
