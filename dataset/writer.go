package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
)

// Options are those of Create. The zero value is usable.
type Options struct {
	Meta Meta

	// RowsPerPart makes the database a directory of parts of so many rows. 0 is
	// one file, unless the path ends in a slash; then it is DefaultRowsPerPart.
	RowsPerPart int64
}

// DefaultRowsPerPart is the size of the parts of a directory.
const DefaultRowsPerPart = 1 << 22

// Writer writes a database. Nothing appears under its name before Close. It is
// not safe for use by several goroutines at once.
type Writer struct {
	path string // the final name
	opts Options

	file  *fileWriter     // the file being written, nil before the first row
	dir   *atomicfile.Dir // of the parts, nil for a single file
	parts int             // parts begun
	rows  int64
	err   error // the first failure; sticky
	done  bool
}

// Create starts a database: one file, or a directory of parts where path ends in a slash or o.RowsPerPart is set.
// A directory of that name must not exist yet, or be empty; a file is replaced by Close. Leftovers of writers of
// the same path that were killed are removed, so only one may be at work.
//
// Call Close when all rows are written, and Abort, best by defer, for every other end.
func Create(path string, o Options) (*Writer, error) {
	o.Meta = o.Meta.clone()
	w := &Writer{path: strings.TrimRight(path, "/"), opts: o}
	if w.path == "" {
		return nil, fmt.Errorf("write database %q: no file name", path)
	}
	if strings.HasSuffix(path, "/") && o.RowsPerPart == 0 {
		w.opts.RowsPerPart = DefaultRowsPerPart
	}
	if w.opts.RowsPerPart > 0 {
		var err error
		if w.dir, err = atomicfile.CreateDir(w.path); err != nil {
			return nil, fmt.Errorf("database: %w", err)
		}
		return w, nil
	}
	if info, err := os.Stat(w.path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("write database %s: it is a directory; end the name in / to write parts", w.path)
	}
	var err error
	w.file, err = createFile(w.path, w.opts.Meta)
	return w, err
}

// PartName returns the name of part i, from 1, in a database directory.
func PartName(i int) string { return fmt.Sprintf("part-%05d.parquet", i) }

// Write adds a row.
func (w *Writer) Write(r *Row) error {
	if err := w.room(); err != nil {
		return err
	}
	if err := checkWritable(r); err != nil {
		return w.fail(fmt.Errorf("write database %s: row %d: %w", w.path, w.rows+1, err))
	}
	w.rows++
	return w.fail(w.file.write(r))
}

// room makes sure there is a file for one more row.
func (w *Writer) room() error {
	switch {
	case w.err != nil:
		return w.err
	case w.done:
		return fmt.Errorf("write database %s: closed", w.path)
	case w.dir == nil || w.file != nil && w.file.rows < w.opts.RowsPerPart:
		return nil
	}
	if err := w.closePart(false); err != nil {
		return err
	}
	return w.nextPart()
}

func (w *Writer) nextPart() error {
	w.parts++
	m := w.opts.Meta.clone()
	m.Part = w.parts
	var err error
	w.file, err = createFile(filepath.Join(w.dir.Name(), PartName(w.parts)), m)
	return w.fail(err)
}

// closePart commits the part being written. The last part carries the number of
// parts, from which a reader sees whether any are missing.
func (w *Writer) closePart(last bool) error {
	if w.file == nil {
		return nil
	}
	if last {
		w.file.meta.Parts = w.parts
	}
	err := w.file.close()
	w.file = nil
	return w.fail(err)
}

// Close finishes the database: it fsyncs it, opens it again and counts its rows,
// and gives it its name. After an error nothing is left of it.
func (w *Writer) Close() error {
	if w.done {
		return w.err
	}
	defer w.Abort()
	if w.err != nil {
		return w.err
	}
	if w.dir == nil {
		w.done = true
		return w.fail(w.file.close())
	}
	if w.parts == 0 {
		if err := w.nextPart(); err != nil {
			return err
		}
	}
	if err := w.closePart(true); err != nil {
		return err
	}
	if err := w.dir.Commit(); err != nil {
		return w.fail(err)
	}
	w.done = true
	return nil
}

// Abort drops the database. After Close it does nothing.
func (w *Writer) Abort() {
	if w.done {
		return
	}
	w.done = true
	if w.file != nil {
		w.file.out.Abort()
	}
	if w.dir != nil {
		w.dir.Abort()
	}
}

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return err
}

// checkWritable refuses what the columns cannot hold.
func checkWritable(r *Row) error {
	if r.Class < bg.Bearoff || r.Class >= bg.NumClasses {
		return fmt.Errorf("class %v has no place in a database", r.Class)
	}
	if r.HasOutputs {
		for i, v := range r.Outputs {
			if !finite(v) {
				return fmt.Errorf("%s is %v", OutputColumns[i], v)
			}
		}
	}
	if r.HasSE && !finite(r.EquitySE) {
		return fmt.Errorf("%s is %v", colEquitySE, r.EquitySE)
	}
	if r.HasTrials && r.Trials < 0 {
		return fmt.Errorf("%s is %d", colTrials, r.Trials)
	}
	return nil
}

func finite(v float32) bool { return v-v == 0 }
