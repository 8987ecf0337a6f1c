package farm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// Rows travel in this form, little-endian: a uint32 number of texts, each as
// uint32 length and bytes; a uint32 number of rows; and of each row
//
//	10 bytes   key
//	 1         class
//	 1         what it has: 1 outputs, 2 standard error, 4 trials
//	 2 + 2     method and source, numbers of texts
//	 5 × 4     outputs, float32
//	 4 + 4     standard error, float32, and trials, int32
//
// Equal rows have equal bytes, so that parts are compared by their digests.
const rowBytes = 10 + 1 + 1 + 4 + 4*bg.NumOutputs + 8

const (
	hasOutputs = 1 << iota
	hasSE
	hasTrials
)

// encodeRows returns rows as bytes.
func encodeRows(rows []dataset.Row) ([]byte, error) {
	var texts []string
	number := map[string]uint16{}
	of := func(s string) (uint16, error) {
		n, ok := number[s]
		if !ok {
			if len(texts) > math.MaxUint16 {
				return 0, errors.New("more than 65,536 methods and sources in one chunk")
			}
			n = uint16(len(texts))
			number[s] = n
			texts = append(texts, s)
		}
		return n, nil
	}
	le := binary.LittleEndian
	body := le.AppendUint32(make([]byte, 0, 4+len(rows)*rowBytes), uint32(len(rows)))
	for i := range rows {
		r := &rows[i]
		method, err := of(r.Method)
		if err != nil {
			return nil, err
		}
		source, err := of(r.Source)
		if err != nil {
			return nil, err
		}
		body = append(append(body, r.Key[:]...), byte(r.Class), has(r))
		body = le.AppendUint16(le.AppendUint16(body, method), source)
		for _, p := range r.Outputs {
			body = le.AppendUint32(body, math.Float32bits(p))
		}
		body = le.AppendUint32(body, math.Float32bits(r.EquitySE))
		body = le.AppendUint32(body, uint32(r.Trials))
	}
	head := le.AppendUint32(nil, uint32(len(texts)))
	for _, s := range texts {
		head = append(le.AppendUint32(head, uint32(len(s))), s...)
	}
	return append(head, body...), nil
}

func has(r *dataset.Row) (flags byte) {
	if r.HasOutputs {
		flags |= hasOutputs
	}
	if r.HasSE {
		flags |= hasSE
	}
	if r.HasTrials {
		flags |= hasTrials
	}
	return flags
}

// Bounds of what a part may hold: rows for each position of a chunk where the job makes
// more of them than it gets, which is more than the plies of the longest game, and bytes
// of texts.
const (
	grownRows = 4096
	textBytes = 64 << 10
)

// mostBytes returns how many bytes encodeRows may make of a chunk's part.
func mostBytes(rows int, grows bool) int {
	if grows {
		rows *= grownRows
	}
	return 8 + textBytes + rows*rowBytes
}

var errRows = errors.New("rows are cut off or damaged")

// decodeRows is the inverse of encodeRows. What it returns need not make sense.
func decodeRows(b []byte) ([]dataset.Row, error) {
	le := binary.LittleEndian
	number := func() (n uint32) {
		if len(b) < 4 {
			b = nil
			return math.MaxUint32
		}
		n, b = le.Uint32(b), b[4:]
		return n
	}
	n := number()
	if uint64(n)*4 > uint64(len(b)) {
		return nil, errRows
	}
	texts := make([]string, n)
	for i := range texts {
		size := number()
		if uint64(size) > uint64(len(b)) {
			return nil, errRows
		}
		texts[i], b = string(b[:size]), b[size:]
	}
	n = number()
	if uint64(n)*rowBytes != uint64(len(b)) {
		return nil, errRows
	}
	rows := make([]dataset.Row, n)
	for i := range rows {
		f := b[i*rowBytes:][:rowBytes]
		method, source := int(le.Uint16(f[12:])), int(le.Uint16(f[14:]))
		if method >= len(texts) || source >= len(texts) || f[11] > hasOutputs|hasSE|hasTrials {
			return nil, fmt.Errorf("row %d: %w", i+1, errRows)
		}
		r := &rows[i]
		r.Key, r.Class = bg.Key(f[:10]), bg.Class(f[10])
		r.HasOutputs, r.HasSE, r.HasTrials = f[11]&hasOutputs > 0, f[11]&hasSE > 0, f[11]&hasTrials > 0
		r.Method, r.Source = texts[method], texts[source]
		for k := range r.Outputs {
			r.Outputs[k] = math.Float32frombits(le.Uint32(f[16+4*k:]))
		}
		r.EquitySE = math.Float32frombits(le.Uint32(f[36:]))
		r.Trials = int32(le.Uint32(f[40:]))
	}
	return rows, nil
}
