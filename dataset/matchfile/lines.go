package matchfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the length of the longest line of a text file that is read.
const maxLine = 16 << 10

// lineReader reads the lines of a text.
type lineReader struct {
	r      *bufio.Reader
	number int   // of the line that next returned, from 1
	at     int64 // its offset
	end    int64 // and where the next one begins
}

func newLineReader(r *bufio.Reader) *lineReader { return &lineReader{r: r} }

// next returns the next line without its end, as UTF-8 and without a byte-order
// mark. Text that is not UTF-8 is taken for Latin-1.
func (l *lineReader) next() (string, error) {
	line, err := l.r.ReadSlice('\n')
	l.number++
	l.at = l.end
	l.end += int64(len(line))
	switch {
	case len(line) > maxLine, errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("line longer than %d bytes", maxLine)
	case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
	default:
		return "", err
	}
	if l.at == 0 {
		if bytes.HasPrefix(line, []byte{0xff, 0xfe}) || bytes.HasPrefix(line, []byte{0xfe, 0xff}) {
			return "", errors.New("the text is UTF-16; UTF-8 expected")
		}
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return toUTF8(bytes.TrimRight(line, "\r\n")), nil
}

// toUTF8 returns text as UTF-8: what is not is taken for Latin-1.
func toUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var t strings.Builder
	for _, c := range text {
		t.WriteRune(rune(c))
	}
	return t.String()
}

// word is a word of a line and the column, in characters from 0, where it begins.
type word struct {
	text string
	col  int
}

// words appends the words of a line to dst.
func words(dst []word, line string) []word {
	col, start, startCol := 0, -1, 0
	for i, c := range line {
		if blank := unicode.IsSpace(c); blank && start >= 0 {
			dst = append(dst, word{line[start:i], startCol})
			start = -1
		} else if !blank && start < 0 {
			start, startCol = i, col
		}
		col++
	}
	if start >= 0 {
		dst = append(dst, word{line[start:], startCol})
	}
	return dst
}
