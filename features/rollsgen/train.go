package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// lossWeights are those of the moments: an error of the mean costs most.
var lossWeights = [numMoments]float32{1, 0.3, 0.01, 1, 0.2}

const batch = 64

// train fits the net to the values of sides, by Adam (decays 0.9 and 0.99) with a rate that falls as a cosine. The
// net becomes the moving average of its weights.
func (n *net) train(sides []side, epochs int, rate float64, rng *rand.Rand) {
	missing := make([][numMoments]float32, len(sides)) // what the base lacks
	for i := range sides {
		b := n.homes.base(&sides[i].board)
		for o := range b {
			missing[i][o] = float32(sides[i].value[o] - b[o])
		}
	}
	grad := zeroNet(n.homes)
	first, second := make([]float32, len(n.params)), make([]float32, len(n.params))
	average := slices.Clone(n.params)
	steps, step := epochs*(len(sides)/batch), 0
	for range epochs {
		order := rng.Perm(len(sides))
		for ; len(order) >= batch; order = order[batch:] {
			clear(grad.params)
			for _, i := range order[:batch] {
				n.addGradient(&sides[i], &missing[i], grad)
			}
			step++
			done := float64(step)
			r := rate * (0.5*(1+math.Cos(math.Pi*done/float64(steps))) + 0.003) * min(done/200, 1)
			r *= math.Sqrt(1-math.Pow(0.99, done)) / (1 - math.Pow(0.9, done))
			for i, g := range grad.params {
				g /= batch
				first[i] += 0.1 * (g - first[i])
				second[i] += 0.01 * (g*g - second[i])
				n.params[i] -= float32(r) * first[i] / (float32(math.Sqrt(float64(second[i]))) + 1e-7)
				average[i] += 0.002 * (n.params[i] - average[i])
			}
		}
	}
	copy(n.params, average)
}

// addGradient adds the gradient of the loss on one side to grad.
func (n *net) addGradient(s *side, missing *[numMoments]float32, grad *net) {
	var h, back [hidden]float32
	n.sums(&s.board, &h)
	for o := range numMoments {
		if o >= firstMean && !s.all {
			break
		}
		e := lossWeights[o] * (n.output(o, &h) - missing[o])
		grad.bias[o] += e
		w, g := n.outputsOf(o), grad.outputsOf(o)
		for k, x := range h {
			x = max(x, 0)
			g[k] += e * x * x
			back[k] += 2 * e * x * w[k]
		}
	}
	for k, b := range back {
		grad.thresholds[k] += b
	}
	for i, c := range s.board[:24] {
		if c == 0 {
			continue
		}
		g := grad.weightsOf(i, c)
		for k, b := range back {
			g[k] += b
		}
	}
}
