// Package textfile reads text files line by line, plain or compressed by gzip, bzip2 or Zstandard, by their first
// bytes. It is the one opener of texts: training data, benchmark files, matches.
package textfile

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// MaxLine is the length of the longest line that is read.
const MaxLine = 128 << 10

// No text of positions, decisions or matches is packed to less than 1/mostPacked of its
// size: more than freeBytes of what is, say zeros, is refused.
const (
	mostPacked = 200
	freeBytes  = 32 << 20
)

// ErrCutOff is returned with a last line that has no line end: it, or lines after it, may be missing in part.
var ErrCutOff = errors.New("the last line has no line end: the file may be cut off")

// Reader reads the lines of a text.
type Reader struct {
	line int
	buf  *bufio.Reader
	done []func() error
}

// Open opens a text file. Errors begin with its path.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	r.done = append(r.done, f.Close)
	return r, nil
}

// NewReader returns a Reader of a stream. A byte order mark at its beginning is skipped.
func NewReader(src io.Reader) (*Reader, error) {
	in, done, err := Unpack(src)
	if err != nil {
		return nil, err
	}
	r := &Reader{buf: in, done: []func() error{done}}
	mark := []byte("\xEF\xBB\xBF")
	if head, _ := r.buf.Peek(len(mark)); bytes.Equal(head, mark) { // an error comes again
		_, err = r.buf.Discard(len(mark))
		return r, err
	}
	return r, nil
}

// What packed streams begin with.
var gzipMagic, bzip2Magic, zstdMagic = []byte{0x1F, 0x8B}, []byte("BZh"), []byte{0x28, 0xB5, 0x2F, 0xFD}

// Unpack returns what a stream holds, unpacked where its first bytes are those of gzip, bzip2 or Zstandard, and
// what frees the memory that this takes. The buffer has room for MaxLine bytes. What grows beyond all texts as it
// is unpacked is an error.
func Unpack(src io.Reader) (r *bufio.Reader, done func() error, err error) {
	from := &counted{r: src}
	in := bufio.NewReaderSize(from, 256<<10)
	done = func() error { return nil }
	head, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, fmt.Errorf("gzip: %w", cut(err))
		}
		in = bufio.NewReaderSize(&whole{r: z, from: from}, MaxLine)
	case bytes.HasPrefix(head, bzip2Magic):
		in = bufio.NewReaderSize(&whole{r: bzip2.NewReader(in), from: from}, MaxLine)
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, fmt.Errorf("zstd: %w", err)
		}
		in, done = bufio.NewReaderSize(&whole{r: z, from: from}, MaxLine), func() error { z.Close(); return nil }
	}
	return in, done, nil
}

// Packed reports whether a stream of these first bytes is one that Unpack unpacks.
func Packed(head []byte) bool {
	return bytes.HasPrefix(head, gzipMagic) || bytes.HasPrefix(head, bzip2Magic) || bytes.HasPrefix(head, zstdMagic)
}

// counted counts what is read of a stream.
type counted struct {
	r io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// whole reads a compressed stream; the error of one that ends too early is that of cut.
type whole struct {
	r    io.Reader
	from *counted // the compressed bytes
	n    int64
}

// Read implements io.Reader. It refuses what unpacks to more than a text does.
func (w *whole) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if w.n += int64(n); w.n > freeBytes && w.n/mostPacked > w.from.n {
		return 0, fmt.Errorf("%d bytes unpack to more than %d: no text of positions or matches does", w.from.n, w.n)
	}
	return n, cut(err)
}

// Next returns the next line without its end, valid until the next call; io.EOF
// after the last. A last line without a line end comes with ErrCutOff.
func (r *Reader) Next() ([]byte, error) {
	r.line++
	line, err := r.buf.ReadSlice('\n')
	switch {
	case len(line) > MaxLine || errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("a line of more than %d bytes", MaxLine)
	case err == nil:
		return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
	case errors.Is(err, io.EOF) && len(line) > 0:
		return line, ErrCutOff
	}
	return nil, err
}

// cut explains the error of a compressed stream that ends too early.
func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off: %w", err)
	}
	return err
}

// Line returns the number of the line that Next returned last, from 1.
func (r *Reader) Line() int { return r.line }

// Close frees what the Reader holds, and closes the file that Open opened.
func (r *Reader) Close() error {
	var errs []error
	for _, f := range r.done {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}
