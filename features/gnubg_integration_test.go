//go:build integration

package features

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"strconv"
	"testing"

	"bgtrain/internal/bg"
)

const weights = "/usr/lib/gnubg/gnubg.wd"

// net is one of GNU Backgammon's, as its weights file lays it out.
type net struct {
	in, hidden, out     int
	betaHidden, betaOut float32
	hiddenWeights       []float32 // in×hidden
	outWeights          []float32 // out×hidden
	hiddenBias, outBias []float32
}

func readNet(t *testing.T, r io.Reader) *net {
	t.Helper()
	read := func(v any) {
		if err := binary.Read(r, binary.LittleEndian, v); err != nil {
			t.Fatalf("%s: %v", weights, err)
		}
	}
	var head struct {
		In, Hidden, Out uint32
		Trained         int32
		BetaHidden      float32
		BetaOut         float32
	}
	read(&head)
	n := &net{in: int(head.In), hidden: int(head.Hidden), out: int(head.Out), betaHidden: head.BetaHidden,
		betaOut: head.BetaOut}
	for _, part := range []struct {
		dst  *[]float32
		size int
	}{{&n.hiddenWeights, n.in * n.hidden}, {&n.outWeights, n.hidden * n.out}, {&n.hiddenBias, n.hidden}, {&n.outBias,
		n.out}} {
		*part.dst = make([]float32, part.size)
		read(*part.dst)
	}
	return n
}

// eval computes the net as the release does on an Intel processor.
func (n *net) eval(x []float32) (out bg.Outputs) {
	hidden := append([]float32(nil), n.hiddenBias...)
	for i, v := range x {
		for j, w := range n.hiddenWeights[i*n.hidden : (i+1)*n.hidden] {
			hidden[j] += float32(v * w)
		}
	}
	for j, v := range hidden {
		hidden[j] = sigmoid(n.betaHidden*v, rcpss)
	}
	for o := range out {
		sum := n.outBias[o]
		for j, w := range n.outWeights[o*n.hidden : (o+1)*n.hidden] {
			sum += float32(hidden[j] * w)
		}
		out[o] = sigmoid(n.betaOut*sum, func(x float32) float32 { return 1 / x })
	}
	return out
}

// sigmoid takes e^|x| from its tangent at the largest multiple of 0.1 not above
// |x|, and a reciprocal as given.
func sigmoid(x float32, reciprocal func(float32) float32) float32 {
	ten := 10 * min(float32(math.Abs(float64(x))), 10)
	i := math.Floor(float64(ten))
	e := float32(math.Exp(min(i, 99)/10) / 10)
	y := reciprocal(1 + e*float32(ten-float32(i)+10))
	if x < 0 {
		return y
	}
	return 1 - y
}

// rcpss is the approximate reciprocal of Intel's RCPPS instruction, which GNU
// Backgammon uses in the hidden layer: the first 11 bits of the fraction decide,
// and the result is that of the middle of their range, rounded to 13 bits.
func rcpss(x float32) float32 {
	fraction, exponent := math.Frexp(float64(x)) // fraction in [0.5, 1)
	middle := (math.Floor(fraction*4096) + 0.5) / 4096
	return float32(math.Ldexp(math.Round(4096/middle)/4096, -exponent))
}

// TestGNUbgOutputs runs GNU Backgammon's nets on our inputs and compares with
// its own outputs.
func TestGNUbgOutputs(t *testing.T) {
	f, err := os.Open(weights)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer f.Close()
	if _, err := io.CopyN(io.Discard, f, 8); err != nil {
		t.Fatal(err)
	}
	nets := map[string]*net{}
	for _, class := range []string{"contact", "race", "crashed"} {
		nets[class] = readNet(t, f)
	}
	for _, line := range readLines(t, "testdata/gnubg-eval0.txt.gz") {
		b := parseBoard(t, line[0])
		s, err := ByName("gnubg-" + line[1])
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float32, s.Size)
		s.Encode(&b, x)
		out := nets[line[1]].eval(x)
		compareOutputs(t, line, &out)
	}
}

// compareOutputs leaves out what GNU Backgammon corrects after its net: gammons
// and backgammons that are certain, impossible, or exceed wins or gammons, and
// in races certain wins and all backgammons.
func compareOutputs(t *testing.T, line []string, got *bg.Outputs) {
	t.Helper()
	var want bg.Outputs
	for i, text := range line[2:] {
		v, err := strconv.ParseFloat(text, 32)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = float32(v)
	}
	race := line[1] == "race"
	for i := range want {
		corrected := want[i] == 0 || want[i] == 1
		switch i {
		case bg.Win:
			corrected = corrected && race
		case bg.WinGammon, bg.LoseGammon:
			corrected = corrected || want[i] == want[bg.Win] || want[i] == 1-want[bg.Win]
		default:
			corrected = corrected || race || want[i] == want[i-1]
		}
		if d := math.Abs(float64(got[i] - want[i])); !corrected && d > 1e-5 {
			t.Errorf("%s %s, output %d: got %v, want %v", line[0], line[1], i, got[i], want[i])
		}
	}
}
