package bm

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Writer writes a benchmark file record by record. The first error sticks and
// comes back from Flush.
type Writer struct {
	w    *bufio.Writer
	seed uint64
	buf  []byte
}

// NewWriter returns a Writer; call Flush at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Comment writes comment lines.
func (w *Writer) Comment(text string) {
	for _, l := range strings.Split(text, "\n") {
		fmt.Fprintf(w.w, "# %s\n", l)
	}
}

// Settings writes an s record of one line.
func (w *Writer) Settings(text string) {
	fmt.Fprintf(w.w, "s %s\n", strings.ReplaceAll(text, "\n", " "))
}

// Record writes the #R lines and the m record of a decision, and an r record
// before them where its seed is another than the last.
func (w *Writer) Record(r *Record) {
	if r.Seed != w.seed {
		w.seed = r.Seed
		fmt.Fprintf(w.w, "r %d\n", r.Seed)
	}
	b := w.buf[:0]
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if !c.RolledOut {
			continue
		}
		b = append(b, "#R "...)
		b = append(b, c.Key.String()...)
		for _, p := range c.Outputs {
			b = append(b, ' ')
			b = appendNumber(b, float64(p))
		}
		b = append(b, '\n')
	}
	b = append(b, "m "...)
	b = append(b, r.Key.String()...)
	b = fmt.Appendf(b, " %d %d", r.Dice[0], r.Dice[1])
	for i := range r.Candidates {
		c := &r.Candidates[i]
		b = append(b, ' ')
		b = append(b, c.Key.String()...)
		b = append(b, ' ')
		if i == 0 {
			b = appendNumber(b, r.BestEquity)
		} else {
			b = appendNumber(b, c.Loss)
		}
	}
	b = append(b, '\n')
	w.w.Write(b)
	w.buf = b
}

// Flush writes what is buffered and returns the first error of all.
func (w *Writer) Flush() error { return w.w.Flush() }

func appendNumber(b []byte, x float64) []byte {
	return strconv.AppendFloat(b, x, 'f', 6, 64)
}
