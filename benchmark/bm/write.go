package bm

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bgtrain/internal/atomicfile"
)

// Writer writes a benchmark file record by record. The first error sticks and
// ends WriteFile.
type Writer struct {
	w    *bufio.Writer
	seed uint64
	buf  []byte
}

// WriteFile writes the file path with what write gives the Writer, and the digest of
// that in its first line. The file is there whole or, with an error, as it was.
func WriteFile(path string, write func(w *Writer) error) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	h := sha256.New()
	if _, err := io.WriteString(f, digestLine(h)); err != nil { // its place
		return err
	}
	w := newWriter(io.MultiWriter(f, h))
	if err := write(w); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := w.flush(); err != nil {
		return err
	}
	if _, err := f.WriteAt([]byte(digestLine(h)), 0); err != nil {
		return err
	}
	return f.Commit()
}

func newWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Comment writes comment lines.
func (w *Writer) Comment(text string) {
	for _, l := range strings.Split(text, "\n") {
		fmt.Fprintf(w.w, "# %s\n", strings.ReplaceAll(l, "\r", " "))
	}
}

// Settings writes an s record of one line.
func (w *Writer) Settings(text string) {
	fmt.Fprintf(w.w, "s %s\n", strings.NewReplacer("\n", " ", "\r", " ").Replace(text))
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

// flush writes what is buffered and returns the first error of all.
func (w *Writer) flush() error { return w.w.Flush() }

func appendNumber(b []byte, x float64) []byte {
	return strconv.AppendFloat(b, x, 'f', 6, 64)
}
