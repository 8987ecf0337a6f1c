package arrowfile

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/parquet"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// File is a file being written. It appears under its name when it is closed.
type File struct {
	path string
	out  *atomicfile.File // nil where another writer gets it
	w    *ipc.FileWriter
}

// Named reports whether a file to write is to be Arrow IPC by its name.
func Named(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".arrow" || ext == ".feather"
}

// Create starts a file, without compression, so that other programs can map it.
func Create(path string, s *arrow.Schema) (*File, error) {
	out, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	f, err := newFile(path, out, s)
	if err != nil {
		out.Abort()
		return nil, err
	}
	f.out = out
	return f, nil
}

// newFile starts a file that w gets; messages call it path.
func newFile(path string, w io.Writer, s *arrow.Schema) (*File, error) {
	f := &File{path: path}
	err := f.guard(func() (err error) {
		f.w, err = ipc.NewFileWriter(&counted{w: w}, ipc.WithSchema(s), ipc.WithAllocator(memory.DefaultAllocator))
		return err
	})
	return f, err
}

// Write writes rows.
func (f *File) Write(r arrow.Record) error {
	return f.guard(func() error { return f.w.Write(r) })
}

// Close writes the end of the file, and it appears.
func (f *File) Close() error {
	if err := f.guard(f.w.Close); err != nil {
		return err
	}
	if f.out == nil {
		return nil
	}
	return f.out.Commit()
}

// Abort drops the file. After Close it does nothing.
func (f *File) Abort() {
	if f.out != nil {
		f.out.Abort()
	}
}

func (f *File) guard(do func() error) error { return parquet.Guard("write "+f.path, do) }

// counted is the writer for the Arrow library, which needs Seek to find its position.
type counted struct {
	w io.Writer
	n int64
}

// Write writes and counts.
func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Seek returns the position of the writer, which cannot be moved.
func (c *counted) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("an Arrow file is written from its beginning to its end")
	}
	return c.n, nil
}
