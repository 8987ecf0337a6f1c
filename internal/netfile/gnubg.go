package netfile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// gnubgOrder is the order of the nets in GNU Backgammon's weights files, with
// the inputs that it gives them.
var gnubgOrder = [...]struct {
	role   Role
	inputs string
}{
	{Contact, "gnubg-contact"}, {Race, "gnubg-race"}, {Crashed, "gnubg-crashed"},
	{PruneContact, "gnubg-prune"}, {PruneCrashed, "gnubg-prune"}, {PruneRace, "gnubg-prune"},
}

// gnubgHeader begins the text form; the versions that are read and written
// follow it.
const gnubgHeader = "GNU Backgammon "

// GNUbgVersions are the versions of gnubg.weights that are read and written:
// 1.00 is what GNU Backgammon 1.07 loads, 1.01 what 1.08 does.
var GNUbgVersions = []string{"1.00", "1.01"}

// The binary form begins with these two numbers.
const (
	binaryMagic   float32 = 472.3782
	binaryVersion float32 = 1.0
)

const maxUnits = 1 << 14 // of a layer: more is a damaged file

// numbers is a source of a weights file's numbers, in either form.
type numbers interface {
	// head returns a net's sizes, how often it was trained, and its betas.
	head() (inputs, hidden, outputs int, betaHidden, betaOutput float32, err error)
	// next fills dst with the next numbers.
	next(dst []float32) error
	// end reports anything after the last net.
	end() error
}

// ReadGNUbg reads a gnubg.weights or gnubg.wd file, the form by its content.
func ReadGNUbg(r io.Reader) (*File, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	start, err := br.Peek(8)
	if err != nil {
		return nil, fmt.Errorf("cut off: no header: %w", noEOF(err))
	}
	if math.Float32frombits(binary.LittleEndian.Uint32(start)) == binaryMagic {
		if v := math.Float32frombits(binary.LittleEndian.Uint32(start[4:])); v != binaryVersion {
			return nil, fmt.Errorf("binary weights of version %g, %g expected", v, binaryVersion)
		}
		if _, err := br.Discard(8); err != nil {
			return nil, err
		}
		return readGNUbgNets(&binaryNumbers{r: br})
	}
	t := &textNumbers{s: bufio.NewScanner(br)}
	first, err := t.line()
	if err != nil {
		return nil, err
	}
	version, ok := strings.CutPrefix(first, gnubgHeader)
	if !ok {
		return nil, fmt.Errorf("line 1: %.40q, %q and a version expected", first, gnubgHeader)
	}
	for _, v := range GNUbgVersions {
		if strings.TrimSpace(version) == v {
			return readGNUbgNets(t)
		}
	}
	return nil, fmt.Errorf("line 1: weights of version %q, known are %s", strings.TrimSpace(version), strings.Join(GNUbgVersions, " and "))
}

func readGNUbgNets(src numbers) (*File, error) {
	f := &File{Nets: map[Role]*Entry{}, Provenance: map[string]string{"from": "GNU Backgammon weights"}}
	for _, o := range gnubgOrder {
		e, err := readGNUbgNet(src)
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", o.role, err)
		}
		e.Inputs, e.InputsVersion = o.inputs, 1
		f.Nets[o.role] = e
	}
	if err := src.end(); err != nil {
		return nil, err
	}
	return f, f.Check()
}

func readGNUbgNet(src numbers) (*Entry, error) {
	in, hidden, out, betaHidden, betaOutput, err := src.head()
	if err != nil {
		return nil, err
	}
	if in < 1 || hidden < 1 || in > maxUnits || hidden > maxUnits || out != bg.NumOutputs {
		return nil, fmt.Errorf("sizes %d-%d-%d: 1 to %d inputs and hidden units, %d outputs expected", in, hidden, out, maxUnits, bg.NumOutputs)
	}
	first := nn.Layer{In: in, Out: hidden, Weights: make([]float32, in*hidden), Bias: make([]float32, hidden),
		Activation: nn.SigmoidGNUbg, Beta: betaHidden}
	second := nn.Layer{In: hidden, Out: out, Bias: make([]float32, out), Activation: nn.SigmoidGNUbg, Beta: betaOutput}
	w2 := make([]float32, hidden*out) // all hidden units of the first output first
	for _, part := range [][]float32{first.Weights, w2, first.Bias, second.Bias} {
		if err := src.next(part); err != nil {
			return nil, err
		}
	}
	second.Weights = transposed(w2, out, hidden)
	return &Entry{Net: &nn.Net{Layers: []nn.Layer{first, second}}}, nil
}

// binaryNumbers reads the binary form.
type binaryNumbers struct{ r *bufio.Reader }

func (b *binaryNumbers) head() (in, hidden, out int, betaHidden, betaOutput float32, err error) {
	var h struct {
		In, Hidden, Out        uint32
		Trained                int32
		BetaHidden, BetaOutput float32
	}
	if err := binary.Read(b.r, binary.LittleEndian, &h); err != nil {
		return 0, 0, 0, 0, 0, fmt.Errorf("cut off in the sizes: %w", noEOF(err))
	}
	return int(h.In), int(h.Hidden), int(h.Out), h.BetaHidden, h.BetaOutput, nil
}

func (b *binaryNumbers) next(dst []float32) error {
	raw := make([]byte, 4*len(dst))
	if _, err := io.ReadFull(b.r, raw); err != nil {
		return fmt.Errorf("cut off in the weights: %w", noEOF(err))
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return nil
}

func (b *binaryNumbers) end() error {
	if _, err := b.r.ReadByte(); err != io.EOF {
		return fmt.Errorf("more bytes after the last net")
	}
	return nil
}

// textNumbers reads the text form, a number a line.
type textNumbers struct {
	s *bufio.Scanner
	n int // lines read
}

func (t *textNumbers) line() (string, error) {
	if !t.s.Scan() {
		if err := t.s.Err(); err != nil {
			return "", fmt.Errorf("line %d: %w", t.n+1, err)
		}
		return "", fmt.Errorf("cut off after line %d: %w", t.n, io.ErrUnexpectedEOF)
	}
	t.n++
	return t.s.Text(), nil
}

func (t *textNumbers) head() (in, hidden, out int, betaHidden, betaOutput float32, err error) {
	line, err := t.line()
	if err != nil {
		return 0, 0, 0, 0, 0, err
	}
	words := strings.Fields(line)
	if len(words) != 6 {
		return 0, 0, 0, 0, 0, fmt.Errorf("line %d: %.60q: inputs, hidden, outputs, trained and two betas expected", t.n, line)
	}
	var sizes [4]int
	for i := range sizes {
		if sizes[i], err = strconv.Atoi(words[i]); err != nil {
			return 0, 0, 0, 0, 0, fmt.Errorf("line %d: %w", t.n, err)
		}
	}
	var betas [2]float64
	for i := range betas {
		if betas[i], err = strconv.ParseFloat(words[4+i], 32); err != nil {
			return 0, 0, 0, 0, 0, fmt.Errorf("line %d: %w", t.n, err)
		}
	}
	return sizes[0], sizes[1], sizes[2], float32(betas[0]), float32(betas[1]), nil
}

func (t *textNumbers) next(dst []float32) error {
	for i := range dst {
		line, err := t.line()
		if err != nil {
			return err
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(line), 32)
		if err != nil {
			return fmt.Errorf("line %d: %w", t.n, err)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("line %d: %v is no weight", t.n, v)
		}
		dst[i] = float32(v)
	}
	return nil
}

func (t *textNumbers) end() error {
	for t.s.Scan() {
		t.n++
		if strings.TrimSpace(t.s.Text()) != "" {
			return fmt.Errorf("line %d: more numbers after the last net", t.n)
		}
	}
	return t.s.Err()
}

// noEOF turns a plain end of file into an unexpected one.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
