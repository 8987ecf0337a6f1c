package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"bgtrain/internal/bg"
)

// encode returns rolls.bin, whose layout stands beside features.rollsData.
func (n *net) encode() ([]byte, error) {
	e := &encoder{}
	for _, h := range n.homes.order {
		m := n.homes.of[h]
		e.unsigned(m[mean] * 4096)
		e.unsigned(m[variance] * 16384)
		e.signed(m[skew] * 4096)
	}
	for _, h := range n.homes.order {
		checkers := uint8(0)
		for _, c := range h {
			checkers += c
		}
		if checkers < bg.Checkers {
			continue
		}
		m := n.homes.of[h]
		e.unsigned(m[firstMean] * 4096)
		e.unsigned(m[firstVariance] * 16384)
	}
	for _, t := range [][]float32{n.thresholds, n.weights} {
		for _, w := range t {
			e.signed(float64(w) * 1024)
		}
	}
	for o := range numMoments {
		for _, w := range append(n.outputs[o*hidden:(o+1)*hidden:(o+1)*hidden], n.bias[o]) {
			e.data = binary.LittleEndian.AppendUint32(e.data, math.Float32bits(w))
		}
	}
	return e.data, e.err
}

// encoder appends whole numbers of 16 bits, rounded, and keeps the first error.
type encoder struct {
	data []byte
	err  error
}

func (e *encoder) unsigned(x float64) { e.put(x, 0, math.MaxUint16) }
func (e *encoder) signed(x float64)   { e.put(x, math.MinInt16, math.MaxInt16) }

func (e *encoder) put(x, least, most float64) {
	x = math.Round(x)
	if !(x >= least && x <= most) && e.err == nil {
		e.err = fmt.Errorf("%v is not from %v to %v", x, least, most)
	}
	e.data = binary.LittleEndian.AppendUint16(e.data, uint16(int64(x)))
}
