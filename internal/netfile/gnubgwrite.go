package netfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// ErrNoPruning is returned for a player without pruning nets, which GNU
// Backgammon's weights files must hold.
var ErrNoPruning = errors.New("the player has no pruning nets, and GNU Backgammon needs them")

// WriteGNUbg writes a player as gnubg.weights text of a version of
// GNUbgVersions. All six nets must have one hidden layer of sigmoids and GNU
// Backgammon's inputs; whether the sigmoids are exact or GNU Backgammon's
// approximation is not in the file: it computes its own.
func WriteGNUbg(w io.Writer, f *File, version string) error {
	if !slices.Contains(GNUbgVersions, version) {
		return fmt.Errorf("weights of version %q, known are %s", version, strings.Join(GNUbgVersions, " and "))
	}
	if err := f.Check(); err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "%s%s\n", gnubgHeader, version)
	for _, o := range gnubgOrder {
		e := f.Nets[o.role]
		if e == nil {
			return fmt.Errorf("no %s net: %w", o.role, ErrNoPruning)
		}
		if e.Inputs != o.inputs || e.InputsVersion != 1 {
			return fmt.Errorf("%s net takes inputs %s version %d; GNU Backgammon computes %s for it", o.role, e.Inputs, e.InputsVersion, o.inputs)
		}
		if err := writeGNUbgNet(b, e.Net); err != nil {
			return fmt.Errorf("%s net: %w", o.role, err)
		}
	}
	return b.Flush()
}

func writeGNUbgNet(w *bufio.Writer, n *nn.Net) error {
	if len(n.Layers) != 2 {
		return fmt.Errorf("%d hidden layers; GNU Backgammon's nets have one", len(n.Layers)-1)
	}
	for i := range n.Layers {
		if a := n.Layers[i].Activation; a != nn.Sigmoid && a != nn.SigmoidGNUbg {
			return fmt.Errorf("layer %d is %v; GNU Backgammon's are sigmoids", i, a)
		}
	}
	first, second := &n.Layers[0], &n.Layers[1]
	number := func(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 32) }
	fmt.Fprintf(w, "%d %d %d 1 %s %s\n", first.In, first.Out, second.Out, number(first.Beta), number(second.Beta))
	for _, values := range [][]float32{
		first.Weights, transposed(second.Weights, second.In, bg.NumOutputs), first.Bias, second.Bias,
	} {
		for _, v := range values {
			w.WriteString(number(v)) // a failure stays with the writer until Flush
			w.WriteByte('\n')
		}
	}
	return nil
}

// WithPruning returns the player with the pruning nets of another one.
func (f *File) WithPruning(other *File) (*File, error) {
	out := &File{Nets: map[Role]*Entry{}, Provenance: f.Provenance}
	for r, e := range f.Nets {
		out.Nets[r] = e
	}
	for _, r := range []Role{PruneContact, PruneCrashed, PruneRace} {
		if other.Nets[r] == nil {
			return nil, fmt.Errorf("no %s net to take over", r)
		}
		out.Nets[r] = other.Nets[r]
	}
	return out, nil
}

// WithSigmoids returns the player with every sigmoid, exact or GNU
// Backgammon's, replaced by the given one of the two.
func (f *File) WithSigmoids(a nn.Activation) *File {
	out := &File{Nets: map[Role]*Entry{}, Provenance: f.Provenance}
	for r, e := range f.Nets {
		copied := *e
		copied.Net = &nn.Net{Layers: slices.Clone(e.Net.Layers)}
		for i := range copied.Net.Layers {
			if l := &copied.Net.Layers[i]; l.Activation == nn.Sigmoid || l.Activation == nn.SigmoidGNUbg {
				l.Activation = a
			}
		}
		out.Nets[r] = &copied
	}
	return out
}
