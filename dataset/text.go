package dataset

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Format is a text format of positions with outputs.
type Format int

// The formats.
const (
	FormatAuto Format = iota // by the content
	GNUbgText                // "KEY win wg wbg lg lbg", the key in 20 letters; # begins a comment
	WildbgCSV                // header position_id,win,win_g,win_bg,lose_g,lose_bg
)

var formatNames = map[string]Format{"auto": FormatAuto, "gnubg": GNUbgText, "wildbg": WildbgCSV}

// ParseFormat returns the format of a name: auto, gnubg or wildbg.
func ParseFormat(name string) (Format, error) {
	if f, ok := formatNames[name]; ok {
		return f, nil
	}
	return 0, fmt.Errorf("format %q is none of auto, gnubg, wildbg", name)
}

// String returns the name that --format takes.
func (f Format) String() string {
	for name, g := range formatNames {
		if f == g {
			return name
		}
	}
	return "unknown"
}

// lineReader reads the lines of a text, which may be compressed.
type lineReader struct {
	line int // number of the line that next returned, from 1
	sc   *bufio.Scanner
	done []func()
}

// maxLine is the length of the longest line that is read.
const maxLine = 64 << 10

// openLines opens a text file, plain or compressed by gzip, bzip2 or Zstandard,
// as its first bytes tell. Errors begin with the path.
func openLines(path string) (*lineReader, error) {
	f, err := os.Open(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l, err := newLineReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l.done = append(l.done, func() { f.Close() })
	return l, nil
}

func newLineReader(src io.Reader) (*lineReader, error) {
	in := bufio.NewReaderSize(src, 256<<10)
	head, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	l := &lineReader{}
	var text io.Reader = in
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		text = z
	case bytes.HasPrefix(head, []byte("BZh")):
		text = bzip2.NewReader(in)
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		l.done = append(l.done, z.Close)
		text = z
	}
	l.sc = bufio.NewScanner(text)
	l.sc.Buffer(make([]byte, 0, maxLine), maxLine)
	return l, nil
}

// next returns the next line without its end; io.EOF after the last.
func (l *lineReader) next() ([]byte, error) {
	l.line++
	if l.sc.Scan() {
		return l.sc.Bytes(), nil
	}
	switch err := l.sc.Err(); {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("the file is cut off: %w", err)
	default:
		return nil, err
	}
}

func (l *lineReader) close() {
	for _, f := range l.done {
		f()
	}
}

// IsText tells whether a file, plain or compressed, begins as GNUbg training
// text or wildbg CSV: whether its first line that is neither empty nor a comment
// is of one of these formats.
func IsText(path string) bool {
	l, err := openLines(path)
	if err != nil {
		return false
	}
	defer l.close()
	for {
		line, err := l.next()
		if err != nil {
			return false
		}
		if _, known, err := detect(line); known || err != nil {
			return err == nil
		}
	}
}
