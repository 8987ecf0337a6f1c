//go:build integration

package player

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
)

// gnubgLine is a position with GNU Backgammon's 0-ply outputs.
type gnubgLine struct {
	board   bg.Board
	class   string
	outputs bg.Outputs
}

// readGNUbgLines reads a gzipped file of lines: key, class, five outputs.
func readGNUbgLines(t *testing.T, path string) []gnubgLine {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var lines []gnubgLine
	sc := bufio.NewScanner(z)
	for sc.Scan() {
		if sc.Text() == "" || sc.Text()[0] == '#' {
			continue
		}
		var l gnubgLine
		var key string
		o := &l.outputs
		if _, err := fmt.Sscan(sc.Text(), &key, &l.class, &o[0], &o[1], &o[2], &o[3], &o[4]); err != nil {
			t.Fatalf("%s: %q: %v", path, sc.Text(), err)
		}
		if l.board, err = bg.ParsePosition(key); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		lines = append(lines, l)
	}
	if err := sc.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return lines
}

// exactNet evaluates a net with the exact sigmoid in double precision, in the
// plainest way.
func exactNet(t *testing.T, e *nets.Entry, b *bg.Board) []float64 {
	t.Helper()
	set, err := features.Lookup(e.Inputs, e.InputsVersion)
	if err != nil {
		t.Fatal(err)
	}
	inputs := make([]float32, set.Size)
	set.Encode(b, inputs)
	values := make([]float64, len(inputs))
	for i, x := range inputs {
		values[i] = float64(x)
	}
	for _, l := range e.Net.Layers {
		next := make([]float64, l.Out)
		for o := range next {
			sum := float64(l.Bias[o])
			for i, x := range values {
				sum += x * float64(l.Weights[i*l.Out+o])
			}
			next[o] = 1 / (1 + math.Exp(-float64(l.Beta)*sum))
		}
		values = next
	}
	return values
}

// With the exact sigmoid its nets do not give GNU Backgammon's outputs, since it
// computes with an approximation of it: a difference of 0.004 is common. Our exact
// sigmoid is right all the same, as double precision shows, and with the
// approximation we give its outputs. BGTRAIN_EVAL0 may name a greater file of the
// same lines.
func TestExactSigmoidOnGNUbgNets(t *testing.T) {
	path := os.Getenv("BGTRAIN_EVAL0")
	if path == "" {
		path = "../../features/testdata/gnubg-eval0.txt.gz"
	}
	f, err := nets.Read(gnubgtest.Weights(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(t.Context(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exact := f.WithSigmoids(nn.Sigmoid)
	evaluators := map[nn.Activation]*Evaluator{}
	for a, f := range map[nn.Activation]*nets.Set{nn.Sigmoid: exact, nn.SigmoidGNUbg: f} {
		p, err := New(f, db, Options{})
		if err != nil {
			t.Fatal(err)
		}
		evaluators[a] = p.NewEvaluator()
	}
	type tally struct {
		lines, far  int     // far: an output further than 0.004
		worst       float64 // from GNU Backgammon's outputs
		approximate float64 // the same with its sigmoid
		double      float64 // from the net in double precision
	}
	tallies := map[string]*tally{}
	for _, l := range readGNUbgLines(t, path) {
		c := tallies[l.class]
		if c == nil {
			c = &tally{}
			tallies[l.class] = c
		}
		c.lines++
		ours := evaluators[nn.Sigmoid].Evaluate(&l.board, 0)
		theirs := evaluators[nn.SigmoidGNUbg].Evaluate(&l.board, 0)
		off := 0.0
		for k, want := range l.outputs {
			off = max(off, math.Abs(float64(ours[k]-want)))
			c.approximate = max(c.approximate, math.Abs(float64(theirs[k]-want)))
		}
		c.worst = max(c.worst, off)
		if off > 0.004 {
			c.far++
		}
		role := nets.Role(l.class)
		if exact.Nets[role] == nil {
			continue // a position of the databases
		}
		// What the position itself makes certain is settled after the net, alike.
		var want bg.Outputs
		for k, v := range exactNet(t, exact.Nets[role], &l.board) {
			want[k] = float32(v)
		}
		e := evaluators[nn.Sigmoid]
		e.finish(e.Class(&l.board), &waiting{board: l.board, out: &want})
		for k, v := range ours {
			c.double = max(c.double, math.Abs(float64(v-want[k])))
		}
	}
	far, lines, worst := 0, 0, 0.0
	for _, class := range slices.Sorted(maps.Keys(tallies)) {
		c := tallies[class]
		t.Logf("%-7s %4d positions: exact sigmoid up to %.4f from GNU Backgammon, %4d by more than 0.004; its "+
			"sigmoid up to %.6f; exact up to %.1g from double precision",
			class, c.lines, c.worst, c.far, c.approximate, c.double)
		far, lines, worst = far+c.far, lines+c.lines, max(worst, c.worst)
		if c.double > 1e-3 { // in fixed point
			t.Errorf("%s: %.2g from double precision", class, c.double)
		}
		if c.approximate > 1e-4 {
			t.Errorf("%s: %.5f from GNU Backgammon with its sigmoid", class, c.approximate)
		}
	}
	t.Logf("%d of %d positions differ by more than 0.004, the most by %.4f", far, lines, worst)
	if share := float64(far) / float64(lines); share < 0.2 || share > 0.4 || worst < 0.02 || worst > 0.04 {
		t.Errorf("%.0f %% of the positions differ by more than 0.004, the most by %.4f", 100*share, worst)
	}
}
