package nets

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// gnubgOrder is the order of the nets in GNU Backgammon's weights files, with
// the inputs that it gives them.
var gnubgOrder = [...]struct {
	role   Role
	inputs *features.Set
}{
	{Contact, features.GNUbgContact}, {Race, features.GNUbgRace}, {Crashed, features.GNUbgCrashed},
	{PruneContact, features.GNUbgPrune}, {PruneCrashed, features.GNUbgPrune}, {PruneRace, features.GNUbgPrune},
}

// gnubgHeader begins the text form; a version follows it.
const gnubgHeader = "GNU Backgammon "

// gnubgMagic begins the binary form; a version follows it.
const gnubgMagic float32 = 472.3782

// GNUbgVersions are the versions of GNU Backgammon's weights that are read and
// written: 1.00 is what GNU Backgammon 1.07 loads, 1.01 what 1.08 does. They
// differ in nothing else.
var GNUbgVersions = []string{"1.00", "1.01"}

// gnubgBinaryVersions are the same as the binary form has them.
var gnubgBinaryVersions = []float32{1.00, 1.01}

// maxHidden bounds the hidden units of a net: more is a damaged file.
const maxHidden = 1 << 14

// ReadGNUbg reads a gnubg.weights or gnubg.wd file, the form by its content.
// The nets get GNU Backgammon's approximation of the sigmoid.
func ReadGNUbg(r io.Reader) (*Set, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	start, err := br.Peek(8)
	if err != nil {
		return nil, fmt.Errorf("cut off in the header: %w", noEOF(err))
	}
	if isGNUbgBinary(start) {
		br.Discard(len(start))
		v := math.Float32frombits(binary.LittleEndian.Uint32(start[4:]))
		if !slices.Contains(gnubgBinaryVersions, v) {
			return nil, fmt.Errorf("binary weights of version %g; known are %s", v, knownVersions())
		}
		return readGNUbgNets(&binaryNumbers{r: br})
	}
	t := &textNumbers{s: bufio.NewScanner(br)}
	t.s.Split(wholeLines)
	first, err := t.line()
	if err != nil {
		return nil, err
	}
	version, ok := strings.CutPrefix(first, gnubgHeader)
	if !ok {
		return nil, fmt.Errorf("line 1: %.40q, %q and a version expected", first, gnubgHeader)
	}
	if version = strings.TrimSpace(version); !slices.Contains(GNUbgVersions, version) {
		return nil, fmt.Errorf("line 1: weights of version %.20q; known are %s", version, knownVersions())
	}
	return readGNUbgNets(t)
}

func isGNUbgBinary(start []byte) bool {
	return len(start) >= 4 && math.Float32frombits(binary.LittleEndian.Uint32(start)) == gnubgMagic
}

func knownVersions() string { return strings.Join(GNUbgVersions, " and ") }

// numbers is a source of a weights file's numbers, in either form.
type numbers interface {
	// head returns a net's sizes and betas.
	head() (gnubgHead, error)
	// next fills dst with the next numbers.
	next(dst []float32) error
	// end reports anything after the last net.
	end() error
}

// gnubgHead is what precedes the weights of a net.
type gnubgHead struct {
	In, Hidden, Out        uint32
	Trained                int32
	BetaHidden, BetaOutput float32
}

func readGNUbgNets(src numbers) (*Set, error) {
	f := &Set{Nets: map[Role]*Entry{}, Provenance: map[string]string{}}
	for _, o := range gnubgOrder {
		n, err := readGNUbgNet(src, o.inputs)
		if err != nil {
			return nil, fmt.Errorf("%s net: %w", o.role, err)
		}
		f.Nets[o.role] = &Entry{Net: n, Inputs: o.inputs.Name, InputsVersion: o.inputs.Version}
	}
	if err := src.end(); err != nil {
		return nil, err
	}
	return f, f.Check()
}

func readGNUbgNet(src numbers, set *features.Set) (*nn.Net, error) {
	h, err := src.head()
	if err != nil {
		return nil, err
	}
	if int64(h.In) != int64(set.Size) || h.Out != bg.NumOutputs {
		return nil, fmt.Errorf("%d inputs and %d outputs; GNU Backgammon's have %d and %d", h.In, h.Out, set.Size,
			bg.NumOutputs)
	}
	if h.Hidden < 1 || h.Hidden > maxHidden {
		return nil, fmt.Errorf("%d hidden units, 1 to %d expected", h.Hidden, maxHidden)
	}
	in, hidden, out := set.Size, int(h.Hidden), bg.NumOutputs
	first := nn.Layer{In: in, Out: hidden, Weights: make([]float32, in*hidden), Bias: make([]float32, hidden),
		Activation: nn.SigmoidGNUbg, Beta: h.BetaHidden}
	second := nn.Layer{In: hidden, Out: out, Bias: make([]float32, out),
		Activation: nn.SigmoidGNUbg, Beta: h.BetaOutput}
	w2 := make([]float32, hidden*out) // all hidden units of the first output first
	for _, part := range [][]float32{first.Weights, w2, first.Bias, second.Bias} {
		if err := src.next(part); err != nil {
			return nil, err
		}
	}
	second.Weights = transposed(w2, out, hidden)
	return &nn.Net{Layers: []nn.Layer{first, second}}, nil
}

// binaryNumbers reads the binary form.
type binaryNumbers struct{ r *bufio.Reader }

func (b *binaryNumbers) head() (h gnubgHead, err error) {
	if err := binary.Read(b.r, binary.LittleEndian, &h); err != nil {
		return h, fmt.Errorf("cut off in the sizes: %w", noEOF(err))
	}
	return h, nil
}

func (b *binaryNumbers) next(dst []float32) error {
	if err := binary.Read(b.r, binary.LittleEndian, dst); err != nil {
		return fmt.Errorf("cut off in the weights: %w", noEOF(err))
	}
	return nil
}

func (b *binaryNumbers) end() error {
	switch _, err := b.r.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return fmt.Errorf("more bytes after the last net")
	default:
		return err
	}
}

// textNumbers reads the text form: numbers with white space between them, one a
// line as GNU Backgammon's own files have them or otherwise.
type textNumbers struct {
	s     *bufio.Scanner
	n     int      // lines read
	words []string // of the line, those still to come
}

// wholeLines is bufio.ScanLines for a text whose last line ends like the others:
// in one that does not, the last number may have lost digits.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if atEOF && bytes.IndexByte(data, '\n') < 0 && len(data) > 0 {
		return 0, nil, errors.New("cut off: the last line has no end")
	}
	return bufio.ScanLines(data, atEOF)
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

func (t *textNumbers) word() (string, error) {
	for len(t.words) == 0 {
		line, err := t.line()
		if err != nil {
			return "", err
		}
		t.words = strings.Fields(line)
	}
	w := t.words[0]
	t.words = t.words[1:]
	return w, nil
}

func (t *textNumbers) head() (h gnubgHead, err error) {
	for _, p := range []*uint32{&h.In, &h.Hidden, &h.Out} {
		w, err := t.word()
		if err != nil {
			return h, err
		}
		v, err := strconv.ParseUint(w, 10, 32)
		if err != nil {
			return h, fmt.Errorf("line %d: a net's inputs, hidden units, outputs, times trained and two betas "+
				"expected: %.20q", t.n, w)
		}
		*p = uint32(v)
	}
	if _, err := t.word(); err != nil { // how often it was trained: of no use
		return h, err
	}
	for _, p := range []*float32{&h.BetaHidden, &h.BetaOutput} {
		if *p, err = t.number(); err != nil {
			return h, err
		}
	}
	return h, nil
}

func (t *textNumbers) number() (float32, error) {
	w, err := t.word()
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(w, 32)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("line %d: %.20q is not a finite number", t.n, w)
	}
	return float32(v), nil
}

func (t *textNumbers) next(dst []float32) (err error) {
	for i := range dst {
		if dst[i], err = t.number(); err != nil {
			return err
		}
	}
	return nil
}

func (t *textNumbers) end() error {
	w, err := t.word()
	switch {
	case err == nil:
		return fmt.Errorf("line %d: %.20q after the last net", t.n, w)
	case t.s.Err() != nil:
		return err
	}
	return nil
}

// noEOF turns a plain end of file into an unexpected one.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
