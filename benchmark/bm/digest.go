package bm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/textfile"
)

// digestMark begins the line that has the digest of the lines below it: SHA-256, as
// 'tail -n +2 FILE | sha256sum' prints it. To other programs it is a comment.
const digestMark = "#sha256 "

// digestLine returns the line of a digest.
func digestLine(h hash.Hash) string { return digestMark + hex.EncodeToString(h.Sum(nil)) + "\n" }

// section is the lines of a file from a digest line to the next, or to the end: files
// that were joined have several.
type section struct {
	h     hash.Hash // nil before the first digest line
	want  string    // what the digest line has
	begin int       // its number
	last  int       // that of the last line
	bare  bool      // there were lines before the first one
}

// add takes the next line in, whose end does not count. Its error begins with the number
// of a line.
func (s *section) add(line []byte, number int) error {
	if digest, ok := bytes.CutPrefix(line, []byte(digestMark)); ok {
		if err := s.end(); err != nil {
			return err
		}
		if len(digest) != 2*sha256.Size {
			return fmt.Errorf("%d: digest of %d digits, %d expected", number, len(digest), 2*sha256.Size)
		}
		*s = section{h: sha256.New(), want: string(digest), begin: number, last: number, bare: s.bare}
		return nil
	}
	if s.h == nil {
		s.bare = s.bare || len(line) > 0
		return nil
	}
	s.h.Write(line)
	s.h.Write([]byte{'\n'})
	s.last = number
	return nil
}

// checked reports whether all lines had a digest.
func (s *section) checked() bool { return s.h != nil && !s.bare }

// end compares the digest of the lines so far, if there is one to compare with.
func (s *section) end() error {
	if s.h == nil || hex.EncodeToString(s.h.Sum(nil)) == s.want {
		return nil
	}
	return fmt.Errorf("%d: lines %d to %d do not have the digest of this line: damaged, or changed since they were "+
		"written (without this line they are read unchecked)", s.begin, s.begin+1, s.last)
}

// AddDigest writes a digest line into a benchmark file, not a compressed one, that lacks
// one and in which Validate finds nothing, and reports whether it did.
func AddDigest(path string) (added bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	f, err := Read(bytes.NewReader(text), path, ReadOptions{})
	if err != nil || f.Checked {
		return false, err
	}
	if textfile.Packed(text) {
		return false, fmt.Errorf("%s: compressed: the digest goes into the text, unpack it first", path)
	}
	for _, err := range Validate(f).First {
		if err != nil {
			return false, fmt.Errorf("%w: no digest for a file with a fault", err)
		}
	}
	h := sha256.New()
	lines, err := textfile.NewReader(bytes.NewReader(text))
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	defer lines.Close()
	for {
		line, err := lines.Next()
		if err != nil || bytes.HasPrefix(line, []byte(digestMark)) {
			break // Read met no error
		}
		h.Write(line)
		h.Write([]byte{'\n'})
	}
	return true, atomicfile.Write(path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%s", digestLine(h), bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")))
		return err
	})
}
