package dataset

import (
	"math"

	"bgtrain/internal/bg"
)

// noTrials is a null in Batch.Trials, and NaN one in Batch.EquitySE: use HasTrials and HasSE.
const noTrials = -1

// Batch is a run of rows as columns. All slices have the length of Keys, but
// those of columns that were not read (see Columns) are empty.
type Batch struct {
	Keys       []bg.Key
	Class      []bg.Class
	Outputs    []bg.Outputs // zero where HasOutputs is false
	HasOutputs []bool
	EquitySE   []float32 // points; means nothing without HasSE
	Trials     []int32   // means nothing without HasTrials
	Method     Strings
	Source     Strings

	FirstRow int64  // index in its part of the first row, before any filter
	Part     string // path of the file the rows come from
	RowGroup int    // index of the row group in that file
}

// Len returns the number of rows.
func (b *Batch) Len() int { return len(b.Keys) }

// Row returns row i. Columns that were not read are as if null.
func (b *Batch) Row(i int) Row {
	r := Row{Key: b.Keys[i]}
	if len(b.Class) > 0 {
		r.Class = b.Class[i]
	}
	if len(b.HasOutputs) > 0 {
		r.Outputs, r.HasOutputs = b.Outputs[i], b.HasOutputs[i]
	}
	if b.HasSE(i) {
		r.EquitySE, r.HasSE = b.EquitySE[i], true
	}
	if b.HasTrials(i) {
		r.Trials, r.HasTrials = b.Trials[i], true
	}
	r.Method, r.Source = b.Method.At(i), b.Source.At(i)
	return r
}

// HasSE reports whether row i has a standard error; none has if the column was not read.
func (b *Batch) HasSE(i int) bool { return len(b.EquitySE) > 0 && b.EquitySE[i] == b.EquitySE[i] }

// HasTrials reports whether row i has a number of trials; none has if the column was not read.
func (b *Batch) HasTrials(i int) bool { return len(b.Trials) > 0 && b.Trials[i] != noTrials }

// Append adds a row to a batch that holds all columns.
func (b *Batch) Append(r *Row) {
	b.Keys = append(b.Keys, r.Key)
	b.Class = append(b.Class, r.Class)
	out, se, trials := bg.Outputs{}, nan32, int32(noTrials)
	if r.HasOutputs {
		out = r.Outputs
	}
	if r.HasSE {
		se = r.EquitySE
	}
	if r.HasTrials {
		trials = r.Trials
	}
	b.Outputs = append(b.Outputs, out)
	b.HasOutputs = append(b.HasOutputs, r.HasOutputs)
	b.EquitySE = append(b.EquitySE, se)
	b.Trials = append(b.Trials, trials)
	b.Method.append(r.Method)
	b.Source.append(r.Source)
}

// Reset empties a batch and keeps its memory.
func (b *Batch) Reset() {
	b.Keys = b.Keys[:0]
	b.Class = b.Class[:0]
	b.Outputs = b.Outputs[:0]
	b.HasOutputs = b.HasOutputs[:0]
	b.EquitySE = b.EquitySE[:0]
	b.Trials = b.Trials[:0]
	b.Method.reset()
	b.Source.reset()
	b.FirstRow, b.Part, b.RowGroup = 0, "", 0
}

// keep drops the rows for which keep is false; len(keep) is the batch's.
func (b *Batch) keep(keep []bool) {
	b.Keys = compact(b.Keys, keep)
	b.Class = compact(b.Class, keep)
	b.Outputs = compact(b.Outputs, keep)
	b.HasOutputs = compact(b.HasOutputs, keep)
	b.EquitySE = compact(b.EquitySE, keep)
	b.Trials = compact(b.Trials, keep)
	b.Method.Index = compact(b.Method.Index, keep)
	b.Source.Index = compact(b.Source.Index, keep)
}

func compact[T any](s []T, keep []bool) []T {
	if len(s) == 0 {
		return s
	}
	n := 0
	for i, k := range keep {
		if k {
			s[n] = s[i]
			n++
		}
	}
	return s[:n]
}

var nan32 = float32(math.NaN())

// Strings is a column of strings of which few are different.
type Strings struct {
	Values []string // the different strings
	Index  []int32  // for each row the index in Values, -1 for a null

	index map[string]int32 // of Values
}

// At returns the string of row i, "" for a null or in a column that was not read.
func (s *Strings) At(i int) string {
	if len(s.Index) == 0 || s.Index[i] < 0 {
		return ""
	}
	return s.Values[s.Index[i]]
}

// append adds a row; "" is a null.
func (s *Strings) append(v string) {
	if v == "" {
		s.Index = append(s.Index, -1)
		return
	}
	if n := len(s.Index); n > 0 && s.Index[n-1] >= 0 && s.Values[s.Index[n-1]] == v {
		s.Index = append(s.Index, s.Index[n-1])
		return
	}
	s.Index = append(s.Index, s.intern(v))
}

// intern returns the index of v in Values, where it puts it if it is new.
func (s *Strings) intern(v string) int32 {
	if i, ok := s.index[v]; ok {
		return i
	}
	if s.index == nil {
		s.index = map[string]int32{}
	}
	i := int32(len(s.Values))
	s.Values = append(s.Values, v)
	s.index[v] = i
	return i
}

func (s *Strings) reset() {
	s.Values, s.Index = s.Values[:0], s.Index[:0]
	clear(s.index)
}
