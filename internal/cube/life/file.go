package life

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"sync"
)

// Set are the nets of all kinds, as a file has them.
type Set struct {
	Nets       [Kinds]*Net
	Spread     bool // they ask for Odds.Volatility
	Provenance map[string]string
}

// title begins a file: a line of it and the head as JSON; then come the weights of the nets
// in the order of the kinds, little-endian float32, and the CRC-32C of all before.
const title = "bgtrain cube life 1 "

type head struct {
	Hidden     [Kinds]int        `json:"hidden"`
	Spread     bool              `json:"spread,omitempty"`
	Provenance map[string]string `json:"provenance,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write writes the file.
func (s *Set) Write(w io.Writer) error {
	h := head{Spread: s.Spread, Provenance: s.Provenance}
	for k, n := range s.Nets {
		h.Hidden[k] = n.Hidden
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	buf := append([]byte(title), text...)
	buf = append(buf, '\n')
	for _, n := range s.Nets {
		for _, v := range n.Weights {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
	}
	_, err = w.Write(binary.LittleEndian.AppendUint32(buf, crc32.Checksum(buf, castagnoli)))
	return err
}

// Parse reads what Write wrote, and refuses anything that is not whole.
func Parse(data []byte) (*Set, error) {
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	text, titled := bytes.CutPrefix(line, []byte(title))
	if !ok || !titled {
		return nil, fmt.Errorf("not a file of cube life nets: it does not begin with %q", title)
	}
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	size := 4
	for k, hidden := range h.Hidden {
		if hidden < 1 || hidden > MaxHidden {
			return nil, fmt.Errorf("%s net of %d hidden units, 1 to %d expected", KindNames[k], hidden, MaxHidden)
		}
		size += 4 * Size(hidden)
	}
	if len(rest) != size {
		return nil, fmt.Errorf("%d bytes of weights and checksum, %d expected", len(rest), size)
	}
	end := len(data) - 4
	if crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, fmt.Errorf("damaged: its checksum is wrong")
	}
	s := &Set{Spread: h.Spread, Provenance: h.Provenance}
	for k, hidden := range h.Hidden {
		n := &Net{hidden, make([]float32, Size(hidden))}
		for i := range n.Weights {
			v := math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, fmt.Errorf("%s net: weight %d is not a number", KindNames[k], i)
			}
			n.Weights[i] = v
		}
		rest = rest[4*len(n.Weights):]
		s.Nets[k] = n
	}
	return s, nil
}

// ReadFile reads a file.
func ReadFile(path string) (*Set, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

//go:embed learned.life
var shipped []byte

// Shipped returns the nets that ship with the program.
var Shipped = sync.OnceValues(func() (*Set, error) { return Parse(shipped) })
