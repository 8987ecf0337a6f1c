package bearoff

import (
	"encoding/binary"
	"errors"
	"math"
)

// A row holds what is computed of a position, little-endian: both mean numbers of rolls as float64; the first
// number of rolls and the number of entries of both distributions, four bytes; the entries as float32. The ends
// that have no chance are left out, and the second one where fewer than fifteen checkers are left.
const (
	rowHead      = 20
	trimmedBelow = 1e-9
)

// certainly is the run of the one entry 1.
var certainly = binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))

func appendRow(b []byte, mean, meanFirst float64, r *rollsOff, fifteen bool) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(mean))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(meanFirst))
	from, to := ends(r.all[:])
	first, last := 0, 0
	if fifteen {
		first, last = ends(r.first[:])
	}
	b = append(b, uint8(from), uint8(to-from), uint8(first), uint8(last-first))
	b = appendFloats(b, r.all[from:to])
	return appendFloats(b, r.first[first:last])
}

// ends returns where the part of a distribution that matters begins and ends.
func ends(p []float32) (from, to int) {
	to = len(p)
	for to > 0 && p[to-1] < trimmedBelow {
		to--
	}
	for from < to && p[from] < trimmedBelow {
		from++
	}
	return from, to
}

// wideRow is a row, decoded.
type wideRow struct {
	mean, meanFirst float64
	from            [2]int
	run             [2][]byte // float32, in the row
}

// rowAt decodes the row that b begins with; size is its length.
func rowAt(b []byte) (r wideRow, size int, err error) {
	if len(b) < rowHead {
		return r, 0, errors.New("a row is cut off")
	}
	size = rowHead + 4*(int(b[17])+int(b[19]))
	if len(b) < size || b[16]+b[17] > maxRolls || b[18]+b[19] > maxRolls || b[17] > maxRolls || b[19] > maxRolls {
		return r, 0, errors.New("a row is cut off or damaged")
	}
	r.mean = math.Float64frombits(binary.LittleEndian.Uint64(b))
	r.meanFirst = math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))
	for o := range r.run {
		r.from[o], r.run[o] = rowRun(b, o)
	}
	return r, size, nil
}

// rowRun returns the kept part of one distribution of the row that b begins with,
// as float32 in bytes, and how many rolls it begins with.
func rowRun(b []byte, objective int) (from int, run []byte) {
	at := rowHead
	if objective == 1 {
		at += 4 * int(b[17])
	}
	return int(b[16+2*objective]), b[at : at+4*int(b[17+2*objective])]
}

func float32At(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
