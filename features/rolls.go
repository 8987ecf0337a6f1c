package features

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// rolls is how many rolls one side needs, playing for itself alone.
type rolls struct {
	mean, variance, skew     float32 // to bear off everything; skew is the third central moment
	firstMean, firstVariance float32 // to bear off the first of fifteen checkers; 0 where one is off
}

// rollsData is the table and the net that estimate reads, little endian:
//
//	mean, variance and skew of each home board             2 uint16 and an int16 a position
//	the same of the first checker off, of fifteen only     2 uint16 a position
//	thresholds of the hidden units                         int16
//	their weights by point, then number of checkers        int16
//	weights, then threshold of each output                 float32
//
//go:embed rolls.bin
var rollsData string

const (
	homePoints   = bearoff.Points
	numHomes     = bearoff.NumOneSided
	firstFifteen = 38760 // number of the first with all fifteen, see bearoff.Index
	rollsHidden  = 32
	rollsOutputs = 5 // of the net, in the order of the fields of rolls

	// Units of the table.
	meanUnit     = 1.0 / 4096
	varianceUnit = 1.0 / 16384
	skewUnit     = 1.0 / 4096

	// hiddenUnit is that of thresholds and weights of the hidden units.
	hiddenUnit = 1.0 / 1024

	firstData     = 6 * numHomes
	thresholdData = firstData + 4*(numHomes-firstFifteen)
	weightData    = thresholdData + 2*rollsHidden
	outputData    = weightData + 24*16*2*rollsHidden
	rollsSize     = outputData + rollsOutputs*(rollsHidden+1)*4
)

// laneWords is the number of words that hold the hidden units, four to a word.
const laneWords = rollsHidden / 4

// rollsNet is the net, unpacked.
//
// A hidden unit is the square of a sum of one weight for each occupied point, or 0 where that is negative. Sums
// are integers, four to a 64-bit word: added as one number they carry into each other, but as long as every sum
// fits into 16 bits, so does the result. The thresholds hold 0x8000 more than theirs, so that lanes of the result
// are not negative.
type rollsNet struct {
	thresholds [laneWords]uint64
	weights    [24][16][laneWords]uint64 // by point, by checkers there
	outputs    [rollsHidden][rollsOutputs]float32
	bias       [rollsOutputs]float32
}

var oneSide = checked(unpackRolls(rollsData))

// checked panics with an error: a program with tables of another size than it was written for must not begin.
func checked[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func unpackRolls(data string) (*rollsNet, error) {
	if len(data) != rollsSize {
		return nil, fmt.Errorf("features/rolls.bin: %d bytes, %d expected", len(data), rollsSize)
	}
	n := &rollsNet{}
	pack := func(words *[laneWords]uint64, at int) {
		for k := range rollsHidden {
			v := int16(binary.LittleEndian.Uint16([]byte(data[at+2*k : at+2*k+2])))
			words[k/4] += uint64(int64(v)) << (16 * (k % 4))
		}
	}
	pack(&n.thresholds, thresholdData)
	for i := range n.thresholds {
		n.thresholds[i] += 0x8000800080008000
	}
	for p := range n.weights {
		for c := range n.weights[p] {
			pack(&n.weights[p][c], weightData+(p*16+c)*2*rollsHidden)
		}
	}
	float := func(i int) float32 {
		at := outputData + 4*i
		return math.Float32frombits(binary.LittleEndian.Uint32([]byte(data[at : at+4])))
	}
	for o := range rollsOutputs {
		for k := range rollsHidden {
			n.outputs[k][o] = float(o*(rollsHidden+1)+k) * hiddenUnit * hiddenUnit
		}
		n.bias[o] = float(o*(rollsHidden+1) + rollsHidden)
	}
	return n, nil
}

// pipsARoll is the mean number of pips of a roll.
const pipsARoll = 49.0 / 6

// estimate sets r to the rolls that a side needs. With all checkers in the home board they are the one-sided
// bearoff database's, rounded. Otherwise they are those with the checkers outside put on the 6-point, more for the
// pips to get there, and what the net adds to these.
func (r *rolls) estimate(s *bg.Side) {
	home := [homePoints]uint8(s[:homePoints])
	outside, pips := uint8(0), 0
	for i, c := range s[homePoints:24] {
		outside += c
		pips += (i + 1) * int(c)
	}
	home[5] += outside
	id, checkers := bearoff.Index(&home)
	at := 6 * id
	r.mean = float32(word(at)) * meanUnit
	r.variance = float32(word(at+2)) * varianceUnit
	r.skew = float32(int16(word(at+4))) * skewUnit
	r.firstMean, r.firstVariance = 0, 0
	if checkers == bg.Checkers {
		at = firstData + 4*(id-firstFifteen)
		r.firstMean = float32(word(at)) * meanUnit
		r.firstVariance = float32(word(at+2)) * varianceUnit
	}
	if outside > 0 {
		more := float32(pips) * (1 / pipsARoll)
		spread := more * 0.2
		y := oneSide.add(s)
		r.mean = max(r.mean+more+y[0], 1)
		r.variance = max(r.variance+spread+y[1], 0.01)
		r.skew += y[2]
		if checkers == bg.Checkers {
			r.firstMean = max(r.firstMean+more+y[3], 1)
			r.firstVariance = max(r.firstVariance+spread+y[4], 0.01)
		}
	}
}

func word(at int) uint16 {
	return uint16(rollsData[at]) | uint16(rollsData[at+1])<<8
}

// add returns the outputs of the net.
func (n *rollsNet) add(s *bg.Side) [rollsOutputs]float32 {
	sums := n.thresholds
	for i := range 24 {
		if c := s[i]; c != 0 {
			w := &n.weights[i][c&15]
			for k := range sums {
				sums[k] += w[k]
			}
		}
	}
	y0, y1, y2, y3, y4 := n.bias[0], n.bias[1], n.bias[2], n.bias[3], n.bias[4]
	for k, sum := range sums {
		units := (*[4][rollsOutputs]float32)(n.outputs[4*k:])
		for j := range units {
			x := float32(max(int32(sum&0xffff)-0x8000, 0))
			sum >>= 16
			x *= x
			w := &units[j]
			// Written so that no product is fused with a sum.
			y0 += float32(x * w[0])
			y1 += float32(x * w[1])
			y2 += float32(x * w[2])
			y3 += float32(x * w[3])
			y4 += float32(x * w[4])
		}
	}
	return [rollsOutputs]float32{y0, y1, y2, y3, y4}
}
