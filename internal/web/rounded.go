package web

import (
	"encoding/binary"
	"math"

	"bgtrain/internal/nn"
)

// scalesOf returns the scale of each unit's weights.
func scalesOf(l *nn.Layer) []float32 {
	scales := make([]float32, l.Out)
	for i, w := range l.Weights {
		scales[i%l.Out] = max(scales[i%l.Out], float32(math.Abs(float64(w))))
	}
	for u := range scales {
		// The least normal number is enough for a unit of tiny weights or of none.
		scales[u] = max(scales[u]/math.MaxInt16, 0x1p-126)
	}
	return scales
}

// whole returns the number that stands for a weight.
func whole(w, scale float32) int16 { return int16(math.RoundToEven(float64(w) / float64(scale))) }

// numbers returns a net's numbers as page/player.js reads them, little endian: for each
// layer the scales and the biases of its units, float32, and the weights, 16 bits, all
// units of the first input first.
func numbers(n *nn.Net) []byte {
	var b []byte
	for k := range n.Layers {
		l := &n.Layers[k]
		scales := scalesOf(l)
		for _, list := range [][]float32{scales, l.Bias} {
			for _, v := range list {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
		}
		for i, w := range l.Weights {
			b = binary.LittleEndian.AppendUint16(b, uint16(whole(w, scales[i%l.Out])))
		}
	}
	return b
}
