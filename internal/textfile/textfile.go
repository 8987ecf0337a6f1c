// Package textfile reads text files line by line, plain or compressed by gzip,
// bzip2 or Zstandard, as their first bytes tell. It is the one opener of texts:
// training data, benchmark files, matches.
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

// ErrCutOff is returned with a last line that has no line end: it, or lines after
// it, may be missing in part.
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

// NewReader returns a Reader of a stream. A byte order mark at its beginning is
// skipped.
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

// Unpack returns what a stream holds, unpacked where its first bytes are those of
// gzip, bzip2 or Zstandard, and what frees the memory that this takes. The buffer
// has room for MaxLine bytes.
func Unpack(src io.Reader) (r *bufio.Reader, done func() error, err error) {
	in := bufio.NewReaderSize(src, 256<<10)
	done = func() error { return nil }
	head, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, fmt.Errorf("gzip: %w", cut(err))
		}
		in = bufio.NewReaderSize(whole{z}, MaxLine)
	case bytes.HasPrefix(head, []byte("BZh")):
		in = bufio.NewReaderSize(whole{bzip2.NewReader(in)}, MaxLine)
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, nil, fmt.Errorf("zstd: %w", err)
		}
		in, done = bufio.NewReaderSize(whole{z}, MaxLine), func() error { z.Close(); return nil }
	}
	return in, done, nil
}

// whole reads a compressed stream, and says of one that ends too early that it is
// cut off.
type whole struct{ r io.Reader }

func (w whole) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
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

// cut says of a compressed stream that ends too early what that means.
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
