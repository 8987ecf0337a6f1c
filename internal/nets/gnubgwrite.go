package nets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// ErrNoPruning is returned for a player without pruning nets, which GNU
// Backgammon's weights files must hold.
var ErrNoPruning = errors.New("GNU Backgammon needs pruning nets, and the player has none")

// ErrLayers is wrapped by the error about a net with other than one hidden layer.
var ErrLayers = errors.New("GNU Backgammon's nets have one")

// hiddenMultiple divides the number of hidden units of every net written: GNU
// Backgammon computes with vectors of 4 or, built for AVX, 8 units, and crashes
// on any other number.
const hiddenMultiple = 8

// WriteGNUbg writes a player as gnubg.weights text of a version of
// GNUbgVersions, with all the digits that float32 has.
//
// All nets must have one hidden layer of sigmoids. Whether they are exact or
// GNU Backgammon's approximation is not in the file: it computes its own. Nets
// on other inputs than GNU Backgammon's are refused, but for tesauro, of which
// GNU Backgammon's are a finer division: those are rewritten to compute the same
// from them. Hidden units without effect fill a layer up to a multiple of 8.
func WriteGNUbg(w io.Writer, f *Set, version string) error {
	if !slices.Contains(GNUbgVersions, version) {
		return unknownVersion(version)
	}
	b := bufio.NewWriterSize(w, 1<<16) // keeps an error until Flush
	number := func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
	fmt.Fprintf(b, "%s%s\n", gnubgHeader, version)
	err := eachGNUbgNet(f, func(h gnubgHead, parts [4][]float32) {
		fmt.Fprintf(b, "%d %d %d %d %s %s\n", h.In, h.Hidden, h.Out, h.Trained, number(h.BetaHidden),
			number(h.BetaOutput))
		for _, p := range parts {
			for _, v := range p {
				b.WriteString(number(v))
				b.WriteByte('\n')
			}
		}
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

// WriteGNUbgBinary writes a player in the binary form, gnubg.wd; see WriteGNUbg.
func WriteGNUbgBinary(w io.Writer, f *Set, version string) error {
	i := slices.Index(GNUbgVersions, version)
	if i < 0 {
		return unknownVersion(version)
	}
	b := bufio.NewWriterSize(w, 1<<16)
	binary.Write(b, binary.LittleEndian, [2]float32{gnubgMagic, gnubgBinaryVersions[i]})
	err := eachGNUbgNet(f, func(h gnubgHead, parts [4][]float32) {
		binary.Write(b, binary.LittleEndian, h)
		for _, p := range parts {
			binary.Write(b, binary.LittleEndian, p)
		}
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

func unknownVersion(version string) error {
	return fmt.Errorf("weights of version %q: known are %s", version, knownVersions())
}

// eachGNUbgNet passes the nets in the order of the file, each as its sizes and
// betas and its four runs of numbers.
func eachGNUbgNet(f *Set, write func(gnubgHead, [4][]float32)) error {
	if err := f.Check(); err != nil {
		return err
	}
	for _, o := range gnubgOrder {
		e := f.Nets[o.role]
		if e == nil {
			return fmt.Errorf("no %s net: %w", o.role, ErrNoPruning)
		}
		if err := fitsGNUbg(e.Net); err != nil {
			return fmt.Errorf("%s net: %w", o.role, err)
		}
		first, err := onGNUbgInputs(e, o.inputs)
		if err != nil {
			return fmt.Errorf("%s net: %w", o.role, err)
		}
		second := e.Net.Layers[1]
		filled := (first.Out + hiddenMultiple - 1) / hiddenMultiple * hiddenMultiple
		write(gnubgHead{uint32(first.In), uint32(filled), uint32(second.Out), 1, first.Beta, second.Beta}, [4][]float32{
			widened(first.Weights, first.Out, filled),
			widened(transposed(second.Weights, second.In, second.Out), second.In, filled),
			widened(first.Bias, first.Out, filled),
			second.Bias,
		})
	}
	return nil
}

// fitsGNUbg reports a net of a kind that GNU Backgammon does not compute.
func fitsGNUbg(n *nn.Net) error {
	if len(n.Layers) != 2 {
		return fmt.Errorf("%d hidden layers; %w", len(n.Layers)-1, ErrLayers)
	}
	if a := n.Layers[0].Activation; !a.IsSigmoid() {
		return fmt.Errorf("its hidden units are %v; GNU Backgammon's are sigmoids", a)
	}
	return nil
}

// widened returns rows of n numbers as rows of more, filled up with zeros.
func widened(m []float32, n, width int) []float32 {
	if n == width {
		return m
	}
	out := make([]float32, len(m)/n*width)
	for r := range len(m) / n {
		copy(out[r*width:], m[r*n:(r+1)*n])
	}
	return out
}

// WithPruning returns the player with the pruning nets of another one.
func (s *Set) WithPruning(other *Set) (*Set, error) {
	out := s.clone()
	for _, r := range Roles[len(Main):] {
		if other.Nets[r] == nil {
			return nil, fmt.Errorf("no %s net to take over", r)
		}
		out.Nets[r] = other.Nets[r]
	}
	return out, nil
}

// WithoutPruning returns the player with pruning nets that rate all plays
// alike. A program that prunes with them keeps arbitrary plays, so it has to be
// told not to: with them, GNU Backgammon's 2-ply equities are off by 0.037 in
// the mean.
func (s *Set) WithoutPruning() *Set {
	out := s.clone()
	for _, r := range Roles[len(Main):] {
		set := features.GNUbgPrune
		layer := func(in, out int) nn.Layer {
			return nn.Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out),
				Activation: nn.SigmoidGNUbg, Beta: 1}
		}
		out.Nets[r] = &Entry{Inputs: set.Name, InputsVersion: set.Version,
			Net: &nn.Net{Layers: []nn.Layer{layer(set.Size, hiddenMultiple), layer(hiddenMultiple, bg.NumOutputs)}}}
	}
	return out
}
