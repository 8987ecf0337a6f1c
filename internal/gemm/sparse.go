package gemm

// SparseRows is a matrix of which only the elements that are not zero are kept,
// row after row.
type SparseRows struct {
	tier *kernels
	n    int       // entries
	ends []uint32  // where each row's entries end
	off  []uint32  // column of an entry, as byte offset of its row in a panel
	val  []float32 // value of an entry

	columns entries // the same by columns, see ByColumn
}

// entries are those of the columns, one column after the other: where each column's
// end, the byte offset of an entry's row in a panel, and its value.
type entries struct {
	ends, off []uint32
	val       []float32
}

// NewSparseRows returns an empty matrix with room for rows rows of cols columns,
// none of them zero.
func NewSparseRows(rows, cols int) *SparseRows { return best.newSparseRows(rows, cols) }

func (t *kernels) newSparseRows(rows, cols int) *SparseRows {
	// compress writes 16 entries at a time; EndRow pads to a multiple of 2.
	room := rows*(cols+1) + 16
	return &SparseRows{tier: t, ends: make([]uint32, 0, rows), off: make([]uint32, room), val: Alloc(room)}
}

// Reset empties the matrix.
func (s *SparseRows) Reset() { s.n, s.ends = 0, s.ends[:0] }

// Len is the number of entries so far.
func (s *SparseRows) Len() int { return s.n }

// Add adds to the row in progress the elements x, of the columns from first on.
func (s *SparseRows) Add(first int, x []float32) {
	if len(x) == 0 {
		return
	}
	_ = s.off[s.n+len(x)+15]
	s.n += s.tier.compress(x, uint32(first*rowBytes), s.off[s.n:], s.val[s.n:])
}

// EndRow ends the row in progress.
func (s *SparseRows) EndRow() {
	if s.n%2 != 0 {
		s.off[s.n], s.val[s.n] = 0, 0
		s.n++
	}
	s.ends = append(s.ends, uint32(s.n))
}

// MultiplyPanels computes panels of C = bias + S·W: a panel of w holds a row for every
// column of S, one of c gets a row for every row of S. Panels of W and of the biases are
// wapart, those of C capart values from each other; each is the same to the bit alone.
func (s *SparseRows) MultiplyPanels(panels int, w, bias []float32, wapart int, c []float32, capart int) {
	rows := len(s.ends)
	if rows == 0 || panels == 0 {
		return
	}
	_, _ = bias[(panels-1)*wapart+Panel-1], c[(panels-1)*capart+rows*Panel-1]
	s.tier.sparseMultiply(s, panels, w, bias, wapart, c, capart)
}

// ByColumn lists the entries of the first cols columns by columns, for
// AccumulatePanels. There must be no others.
func (s *SparseRows) ByColumn(cols int) {
	c := &s.columns
	if len(c.off) < len(s.off) {
		*c = entries{make([]uint32, cols), make([]uint32, len(s.off)), Alloc(len(s.off))}
	}
	clear(c.ends)
	for _, at := range s.off[:s.n] {
		c.ends[at/rowBytes]++
	}
	n := uint32(0)
	for i, count := range c.ends {
		c.ends[i] = n // where it begins, for now
		n += count
	}
	e := uint32(0)
	for r, end := range s.ends {
		for ; e < end; e++ {
			to := &c.ends[s.off[e]/rowBytes]
			c.off[*to], c.val[*to] = uint32(r*rowBytes), s.val[e]
			*to++
		}
	}
}

// AccumulatePanels is AccumulatePanel for several panels, of D dapart and of g
// gapart values from each other: in less time, once ByColumn was called, and the same
// to the bit.
func (s *SparseRows) AccumulatePanels(panels int, d []float32, dapart int, g []float32, gapart int) {
	rows := len(s.ends)
	if rows == 0 || panels == 0 {
		return
	}
	_, _ = d[(panels-1)*dapart+rows*Panel-1], g[(panels-1)*gapart+len(s.columns.ends)*Panel-1]
	s.tier.columnAccumulate(s, panels, d, dapart, g, gapart)
}

// AccumulatePanel adds one panel of Sᵀ·D to g: d holds a row of the panel for
// every row of S, g one for every column of S.
func (s *SparseRows) AccumulatePanel(d, g []float32) {
	rows := len(s.ends)
	if rows == 0 {
		return
	}
	_ = d[rows*Panel-1]
	s.tier.sparseAccumulate(s, d, g)
}
