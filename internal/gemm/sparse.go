package gemm

import "bgtrain/internal/cpu"

// SparseRows is a matrix of which only the elements that are not zero are kept,
// row after row.
type SparseRows struct {
	Ends []uint32  // where each row's entries end
	off  []uint32  // column of an entry, as byte offset of its row in a panel
	val  []float32 // value of an entry
}

// NewSparseRows returns an empty matrix with room for rows rows of cols columns,
// none of them zero.
func NewSparseRows(rows, cols int) *SparseRows {
	// compress writes 16 entries at a time; Append pads to a multiple of 2.
	room := rows*(cols+1) + 16
	return &SparseRows{Ends: make([]uint32, 0, rows), off: make([]uint32, room), val: Alloc(room)}
}

// Reset empties the matrix.
func (s *SparseRows) Reset() { s.Ends = s.Ends[:0] }

// Entries is the number of entries, padding included.
func (s *SparseRows) Entries() int {
	if len(s.Ends) == 0 {
		return 0
	}
	return int(s.Ends[len(s.Ends)-1])
}

// Append adds a row.
func (s *SparseRows) Append(x []float32) {
	e := s.Entries()
	if len(x) > 0 {
		_ = s.off[e+len(x)+15]
		if tier == cpu.AVX512 {
			e += compressAVX512(&x[0], len(x), &s.off[e], &s.val[e])
		} else {
			e += compressGo(x, s.off[e:], s.val[e:])
		}
	}
	if e%2 != 0 {
		s.off[e], s.val[e] = 0, 0
		e++
	}
	s.Ends = append(s.Ends, uint32(e))
}

// MultiplyPanel computes one panel of C = bias + S·W: w holds a row of the panel
// for every column of S, c receives a row for every row of S.
func (s *SparseRows) MultiplyPanel(w, bias, c []float32) {
	rows := len(s.Ends)
	if rows == 0 {
		return
	}
	_, _ = bias[Panel-1], c[rows*Panel-1]
	switch tier {
	case cpu.Go:
		sparseMultiplyGo(s, w, bias, c)
	case cpu.AVX2:
		sparseMultiplyAVX2(rows, &s.Ends[0], &s.off[0], &s.val[0], &w[0], &bias[0], &c[0])
	default:
		sparseMultiplyAVX512(rows, &s.Ends[0], &s.off[0], &s.val[0], &w[0], &bias[0], &c[0])
	}
}

// AccumulatePanel adds one panel of Sᵀ·D to g: d holds a row of the panel for
// every row of S, g one for every column of S.
func (s *SparseRows) AccumulatePanel(d, g []float32) {
	rows := len(s.Ends)
	if rows == 0 {
		return
	}
	_ = d[rows*Panel-1]
	switch tier {
	case cpu.Go:
		sparseAccumulateGo(s, d, g)
	case cpu.AVX2:
		sparseAccumulateAVX2(rows, &s.Ends[0], &s.off[0], &s.val[0], &d[0], &g[0])
	default:
		sparseAccumulateAVX512(rows, &s.Ends[0], &s.off[0], &s.val[0], &d[0], &g[0])
	}
}
