// Package checkpoint keeps the state of a run in a file, so that the same command,
// ended at any moment, goes on from there.
package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/identity"
)

// version is that of the file format and of the sections of every kind, in the first
// line. Files of others are refused.
const version = 4

// Sections are the parts of a state, by name.
type Sections map[string][]byte

// header is the second line of a file.
type header struct {
	Identity string    `json:"identity"` // see identity.ID.String
	Sections []section `json:"sections"`
}

type section struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// magic is the first line of a file.
func magic(kind string) []byte { return fmt.Appendf(nil, "bgtrain %s checkpoint %d\n", kind, version) }

// Write writes the checkpoint of a run: a line with the kind and the version of the
// format, a line of JSON with the run's identity and the sections' names and lengths,
// the sections in the order of their names, and the SHA-256 of all before. An older
// file is replaced in one step.
func Write(path, kind string, id identity.ID, s Sections) error {
	h := header{Identity: id.String()}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		h.Sections = append(h.Sections, section{name, len(s[name])})
	}
	line, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(w, sum)
		if _, err := both.Write(slices.Concat(magic(kind), line, []byte{'\n'})); err != nil {
			return err
		}
		for _, part := range h.Sections {
			if _, err := both.Write(s[part.Name]); err != nil {
				return err
			}
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return nil
}

// Read returns what Write wrote, and nil where there is no such file. A checkpoint of
// another run is an identity.ErrOther that names what differs; one of another kind or
// version, cut off or damaged, is an error too.
func Read(path, kind string, id identity.ID) (Sections, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint: %w", err)
	}
	s, err := parse(raw, kind, id)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return s, nil
}

func parse(raw []byte, kind string, id identity.ID) (Sections, error) {
	first := magic(kind)
	if !bytes.HasPrefix(raw, first) {
		return nil, fmt.Errorf("it begins with %.40q, %q expected: of another version of the program, or no checkpoint",
			raw[:min(len(raw), len(first))], first)
	}
	end := len(raw) - sha256.Size
	if end < len(first) {
		return nil, errors.New("it is cut off")
	}
	if sum := sha256.Sum256(raw[:end]); !bytes.Equal(sum[:], raw[end:]) {
		return nil, errors.New("it is cut off or damaged: the checksum does not agree")
	}
	line, rest, _ := bytes.Cut(raw[len(first):end], []byte{'\n'})
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	there, err := identity.Parse(h.Identity)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := id.Check(there); err != nil {
		return nil, err
	}
	s := Sections{}
	for _, part := range h.Sections {
		if part.Bytes < 0 || part.Bytes > len(rest) {
			return nil, fmt.Errorf("section %s: %d bytes of %d left", part.Name, part.Bytes, len(rest))
		}
		s[part.Name], rest = rest[:part.Bytes:part.Bytes], rest[part.Bytes:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes after the last section", len(rest))
	}
	return s, nil
}

// AppendFloats appends x to buf, four bytes a number, little-endian.
func AppendFloats(buf []byte, x []float32) []byte {
	buf, _ = binary.Append(buf, binary.LittleEndian, x) // fails for types without a form only
	return buf
}

// ReadFloats fills x with what AppendFloats appended. It fails where there is not as
// much of it, and where a number is infinite or none.
func ReadFloats(x []float32, buf []byte) error {
	if len(buf) != 4*len(x) {
		return fmt.Errorf("%d bytes for %d numbers", len(buf), len(x))
	}
	if _, err := binary.Decode(buf, binary.LittleEndian, x); err != nil {
		return err
	}
	for i, v := range x {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("number %d is %v", i, v)
		}
	}
	return nil
}
