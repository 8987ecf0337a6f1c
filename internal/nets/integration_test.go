//go:build integration

package nets_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// TestGNUbgsOwnWeights reads the weights that come with GNU Backgammon and
// writes them again, byte for byte.
func TestGNUbgsOwnWeights(t *testing.T) {
	path := gnubgtest.Weights(t)
	f, err := nets.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[nets.Role][3]int{
		nets.Contact: {250, 128, 5}, nets.Crashed: {250, 128, 5}, nets.Race: {214, 128, 5},
		nets.PruneContact: {200, 16, 5}, nets.PruneCrashed: {200, 16, 5}, nets.PruneRace: {200, 8, 5},
	}
	for role, sizes := range want {
		n := f.Nets[role].Net
		if got := [3]int{n.Inputs(), n.Layers[0].Out, n.Outputs()}; got != sizes {
			t.Errorf("%s net: %v, want %v", role, got, sizes)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var text, binary bytes.Buffer
	if err := nets.WriteGNUbg(&text, f, "1.00"); err != nil {
		t.Fatal(err)
	}
	if f, err = nets.ReadGNUbg(&text); err != nil {
		t.Fatal(err)
	}
	if err := nets.WriteGNUbgBinary(&binary, f, "1.00"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(binary.Bytes(), raw) {
		t.Error("other bytes after reading, writing as text, reading, writing as binary")
	}
}

// TestExportedNetsInGNUbg loads players written here into GNU Backgammon and
// compares its 0-ply outputs with ours, class by class.
func TestExportedNetsInGNUbg(t *testing.T) {
	own, err := nets.Read(gnubgtest.Weights(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		t.Fatal(err)
	}
	gnubgSets := map[nets.Role]string{nets.Contact: "gnubg-contact", nets.Crashed: "gnubg-crashed",
		nets.Race: "gnubg-race"}
	tesauro := map[nets.Role]string{nets.Contact: "tesauro", nets.Crashed: "tesauro", nets.Race: "tesauro"}
	for _, tt := range []struct {
		file string
		f    *nets.Set
	}{
		{"gnubg.weights", own},
		{"gnubg.wd", randomPlayer(t, 1, 128, gnubgSets)},
		{"gnubg.weights", randomPlayer(t, 2, 256, gnubgSets)},
		{"gnubg.weights", randomPlayer(t, 3, 512, gnubgSets)},
		{"gnubg.weights", randomPlayer(t, 4, 101, tesauro)},
	} {
		name := fmt.Sprintf("%s %s %d", tt.file, tt.f.Nets[nets.Contact].Inputs,
			tt.f.Nets[nets.Contact].Net.Layers[0].Out)
		t.Run(name, func(t *testing.T) {
			full, err := tt.f.WithPruning(own)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), tt.file)
			if err := nets.Write(path, full); err != nil {
				t.Fatal(err)
			}
			p, err := player.New(tt.f, db, player.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, p.NewEvaluator(), gnubgtest.DataDir(t, path))
		})
	}
}

// compare holds our outputs to GNU Backgammon's on 200 positions of each class.
func compare(t *testing.T, e *player.Evaluator, dataDir string) {
	tolerance := gnubgtest.Tolerance()
	positions := classPositions(11, 200)
	worst, spread := map[bg.Class]float64{}, map[bg.Class][2]float64{}
	for i, theirs := range gnubgtest.Evaluate(t, dataDir, positions, 0, false) {
		b := &positions[i]
		class := e.Class(b)
		if class.String() != theirs.Class {
			t.Errorf("%s: class %v, GNU Backgammon's %s", b.Key(), class, theirs.Class)
			continue
		}
		ours := e.Evaluate(b, 0)
		if win := float64(ours[bg.Win]); win > 0 && win < 1 { // not settled without a net
			s, ok := spread[class]
			if !ok {
				s = [2]float64{1, 0}
			}
			spread[class] = [2]float64{min(s[0], win), max(s[1], win)}
		}
		for k := range ours {
			d := math.Abs(float64(ours[k] - theirs.Outputs[k]))
			worst[class] = max(worst[class], d)
			if d > tolerance {
				t.Errorf("%s, %v: outputs %v, GNU Backgammon's %v", b.Key(), class, ours, theirs.Outputs)
				break
			}
		}
	}
	t.Logf("largest difference %v; wins between %v", worst, spread)
	for _, class := range []bg.Class{bg.Contact, bg.Crashed, bg.Race} {
		if s := spread[class]; s[1]-s[0] < 0.2 {
			t.Errorf("%v: wins between %v, too much alike to tell nets apart", class, s)
		}
	}
}

// classPositions returns n positions of each class that nets evaluate, from
// games with random plays.
func classPositions(seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 1))
	left := map[bg.Class]int{bg.Contact: n, bg.Crashed: n, bg.Race: n}
	var plays bg.Plays
	var out []bg.Board
	for b := bg.Start; len(out) < 3*n; {
		c := bg.Classify(&b)
		if c == bg.Over {
			b = bg.Start
			continue
		}
		// Races that GNU Backgammon's databases cover are not for its net.
		inDatabase := c == bg.Race && b.Me.Back() < 6 && b.Opp.Back() < 6
		if left[c] > 0 && !inDatabase && rng.IntN(4) == 0 {
			left[c]--
			out = append(out, b)
		}
		results := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
		b = results[rng.IntN(len(results))]
	}
	return out
}

// randomPlayer returns a player of random nets, with the sigmoids that GNU
// Backgammon computes and betas of all kinds.
func randomPlayer(t *testing.T, seed uint64, hidden int, inputs map[nets.Role]string) *nets.Set {
	rng := rand.New(rand.NewPCG(seed, 2))
	f := &nets.Set{Nets: map[nets.Role]*nets.Entry{}}
	for _, role := range nets.Main {
		set, err := features.ByName(inputs[role])
		if err != nil {
			t.Fatal(err)
		}
		layer := func(in, out int, scale, beta float64) nn.Layer {
			l := nn.Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out),
				Activation: nn.SigmoidGNUbg, Beta: float32(beta)}
			for i := range l.Weights {
				l.Weights[i] = float32(rng.NormFloat64() * scale / beta)
			}
			for i := range l.Bias {
				l.Bias[i] = float32(rng.NormFloat64() * 0.1 / beta)
			}
			return l
		}
		f.Nets[role] = &nets.Entry{Inputs: set.Name, InputsVersion: set.Version, Net: &nn.Net{Layers: []nn.Layer{
			layer(set.Size, hidden, 0.5, 0.1+rng.Float64()),
			layer(hidden, bg.NumOutputs, 2/math.Sqrt(float64(hidden)), 0.5+rng.Float64()),
		}}}
	}
	return f
}
