package nets

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

type writer func(io.Writer, *Set, string) error

var gnubgForms = map[string]writer{"text": WriteGNUbg, "binary": WriteGNUbgBinary}

func TestGNUbgRoundTrip(t *testing.T) {
	for form, write := range gnubgForms {
		for _, version := range GNUbgVersions {
			for seed, hidden := range [][]int{{8}, {16, 8, 24}, {128}} {
				want := gnubgPlayer(uint64(seed), hidden...)
				var b bytes.Buffer
				if err := write(&b, want, version); err != nil {
					t.Fatal(err)
				}
				got, err := ReadGNUbg(&b)
				if err != nil {
					t.Fatalf("%s %s %v: %v", form, version, hidden, err)
				}
				sameNets(t, got, want)
			}
		}
	}
}

// GNU Backgammon crashes on numbers of hidden units that its vectors do not
// divide.
func TestGNUbgHiddenUnitsAreFilledUp(t *testing.T) {
	for hidden, want := range map[int]int{1: 8, 7: 8, 8: 8, 9: 16, 20: 24} {
		f := gnubgPlayer(3, hidden)
		got := f
		for _, write := range gnubgForms {
			var b bytes.Buffer
			if err := write(&b, f, "1.00"); err != nil {
				t.Fatal(err)
			}
			var err error
			if got, err = ReadGNUbg(&b); err != nil {
				t.Fatal(err)
			}
			for r, e := range got.Nets {
				first, second, before := e.Net.Layers[0], e.Net.Layers[1], f.Nets[r].Net.Layers
				if first.Out != want || second.In != want {
					t.Fatalf("%d hidden units written as %d and %d, want %d", hidden, first.Out, second.In, want)
				}
				for i, w := range first.Weights {
					if in, unit := i/want, i%want; unit < hidden && w != before[0].Weights[in*hidden+unit] ||
						unit >= hidden && w != 0 {
						t.Fatalf("%s: weight of input %d, unit %d: %v", r, in, unit, w)
					}
				}
				for i, w := range second.Weights {
					if unit := i / bg.NumOutputs; unit < hidden && w != before[1].Weights[i] || unit >= hidden &&
						w != 0 {
						t.Fatalf("%s: output weight %d: %v", r, i, w)
					}
				}
			}
		}
	}
}

// The text is read by more programs than this one.
func TestGNUbgText(t *testing.T) {
	f := gnubgPlayer(1, 8)
	first := f.Nets[Contact].Net.Layers[0]
	first.Weights[0], first.Weights[1] = 0.1, 1e-8
	f.Nets[Contact].Net.Layers[0].Beta = 0.1
	f.Nets[Contact].Net.Layers[1].Beta = 1
	var b bytes.Buffer
	if err := WriteGNUbg(&b, f, "1.01"); err != nil {
		t.Fatal(err)
	}
	const want = "GNU Backgammon 1.01\n250 8 5 1 0.1 1\n0.1\n1e-08\n"
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Errorf("the file begins %q, want %q", got[:len(want)], want)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	sizes := 0
	for _, in := range []int{250, 214, 250, 200, 200, 200} {
		sizes += 1 + in*8 + 8*5 + 8 + 5
	}
	if len(lines) != 1+sizes {
		t.Errorf("%d lines, want %d", len(lines), 1+sizes)
	}
	// All hidden units of the first output first.
	w := f.Nets[Contact].Net.Layers[1].Weights
	var second float32
	fmt.Sscan(lines[2+250*8+1], &second)
	if second != w[1*bg.NumOutputs+0] {
		t.Errorf("second output weight %v, want %v", second, w[1*bg.NumOutputs+0])
	}
	// Carriage returns, blank lines, several numbers a line: GNU Backgammon takes
	// them all.
	var loose strings.Builder
	for i, l := range lines {
		sep := []string{"\r\n", " ", "\n\n", "\t"}[i%4]
		if i == 0 {
			sep = "\r\n"
		}
		loose.WriteString(l + sep)
	}
	got, err := ReadGNUbg(strings.NewReader(loose.String()))
	if err != nil {
		t.Fatal(err)
	}
	sameNets(t, got, f)
}

func TestGNUbgBadInput(t *testing.T) {
	f := gnubgPlayer(1, 8)
	var text, binary bytes.Buffer
	if err := WriteGNUbg(&text, f, "1.00"); err != nil {
		t.Fatal(err)
	}
	if err := WriteGNUbgBinary(&binary, f, "1.00"); err != nil {
		t.Fatal(err)
	}
	line := func(n int, with string) string {
		lines := strings.Split(text.String(), "\n")
		lines[n-1] = with
		return strings.Join(lines, "\n")
	}
	patch := func(at int, with ...byte) string {
		b := bytes.Clone(binary.Bytes())
		copy(b[at:], with)
		return string(b)
	}
	for _, tt := range []struct{ name, content, message string }{
		{"empty", "", "cut off in the header"},
		{"short", "GNU", "cut off in the header"},
		{"header only", "GNU Backgammon 1.00\n", "cut off after line 1"},
		{"other text", "# a comment\nand more\n", `line 1: "# a comment"`},
		{"version 0.15", line(1, "GNU Backgammon 0.15"), `weights of version "0.15"; known are 1.00 and 1.01`},
		{"version 1.02", line(1, "GNU Backgammon 1.02"), `weights of version "1.02"; known are`},
		{"no version", line(1, "GNU Backgammon "), `weights of version ""; known are`},
		{"long line", "GNU Backgammon 1.00\n" + strings.Repeat("1", 1<<17), "line 2: bufio.Scanner: token too long"},
		{"other inputs", line(2, "251 8 5 1 0.1 1"),
			"contact net: 251 inputs and 5 outputs; GNU Backgammon's have 250 and 5"},
		{"other outputs", line(2, "250 8 6 1 0.1 1"), "contact net: 250 inputs and 6 outputs"},
		{"no hidden units", line(2, "250 0 5 1 0.1 1"), "contact net: 0 hidden units"},
		{"too many hidden units", line(2, "250 4000000000 5 1 0.1 1"),
			"contact net: 4000000000 hidden units, 1 to 16384"},
		{"negative size", line(2, "250 -8 5 1 0.1 1"), `contact net: line 2: a net's inputs, hidden units`},
		{"one unit more", line(2, "250 9 5 1 0.1 1"), "race net: line"},
		{"one unit less", line(2, "250 7 5 1 0.1 1"), "race net: line"},
		{"no beta", line(2, "250 8 5 1 0 1"), "contact net: layer 0: a sigmoid-gnubg with beta 0"},
		{"negative beta", line(2, "250 8 5 1 0.1 -1"), "contact net: layer 1: a sigmoid-gnubg with beta -1"},
		{"letters", line(77, "seven"), `contact net: line 77: "seven" is not a finite number`},
		{"NaN", line(77, "nan"), `line 77: "nan" is not a finite number`},
		{"infinity", line(77, "-Inf"), `line 77: "-Inf" is not a finite number`},
		{"too large", line(77, "1e39"), `line 77: "1e39" is not a finite number`},
		{"a number more", text.String() + "0.5\n", `"0.5" after the last net`},
		{"a word more", text.String() + "x\n", `"x" after the last net`},
		{"no line end", text.String()[:text.Len()-1], "cut off: the last line has no end"},
		{"binary version", patch(4, 0, 0, 0, 0x40), "binary weights of version 2; known are 1.00 and 1.01"},
		{"binary header only", binary.String()[:8], "contact net: cut off in the sizes"},
		{"binary inputs", patch(8, 251), "contact net: 251 inputs"},
		{"binary hidden units", patch(12, 0, 0, 0, 0x80), "contact net: 2147483648 hidden units"},
		{"binary outputs", patch(16, 4), "contact net: 250 inputs and 4 outputs"},
		{"binary beta", patch(24, 0, 0, 0, 0), "contact net: layer 0: a sigmoid-gnubg with beta 0"},
		{"binary NaN", patch(32, 0, 0, 0xc0, 0x7f), "contact net: layer 0: value 0 is NaN"},
		{"binary infinity", patch(32, 0, 0, 0x80, 0x7f), "contact net: layer 0: value 0 is +Inf"},
		{"binary more", binary.String() + "x", "more bytes after the last net"},
		{"big-endian", "\x43\xec\x30\x69" + binary.String()[4:], `line 1: "C\xec0i`},
	} {
		_, err := ReadGNUbg(strings.NewReader(tt.content))
		if err == nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.message)
		}
	}
}

// A file that ends early, wherever, is never taken for a whole one; nor does an
// error of the medium get lost.
func TestGNUbgCutOff(t *testing.T) {
	f := gnubgPlayer(1, 8)
	for form, write := range gnubgForms {
		var b bytes.Buffer
		if err := write(&b, f, "1.00"); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		step := len(whole) / 97
		for n := 0; n < len(whole); n += step {
			if _, err := ReadGNUbg(bytes.NewReader(whole[:n])); err == nil {
				t.Errorf("%s: %d of %d bytes read without an error", form, n, len(whole))
			}
			_, err := ReadGNUbg(io.MultiReader(bytes.NewReader(whole[:n]), broken{}))
			if err == nil || !strings.Contains(err.Error(), "broken") {
				t.Errorf("%s: error %v after %d bytes of a broken medium", form, err, n)
			}
		}
		for n := range 12 {
			if _, err := ReadGNUbg(bytes.NewReader(whole[:len(whole)-1-n])); err == nil {
				t.Errorf("%s: read without its last %d bytes", form, 1+n)
			}
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }

func TestGNUbgRefuses(t *testing.T) {
	change := func(do func(f *Set)) *Set {
		f := gnubgPlayer(1, 8)
		do(f)
		return f
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for _, tt := range []struct {
		name    string
		f       *Set
		version string
		message string
	}{
		{"version", gnubgPlayer(1, 8), "1.02", `weights of version "1.02": known are 1.00 and 1.01`},
		{"no contact net", change(func(f *Set) { delete(f.Nets, Contact) }), "1.00", "no contact net"},
		{"no pruning", change(func(f *Set) { delete(f.Nets, PruneRace) }), "1.00", ErrNoPruning.Error()},
		{"deep", change(func(f *Set) {
			f.Nets[Race] = randomNet(rng, features.GNUbgRace, nn.Sigmoid, 16, 8)
		}), "1.00", "race net: 2 hidden layers; GNU Backgammon's nets have one"},
		{"no hidden layer", change(func(f *Set) {
			f.Nets[Race] = randomNet(rng, features.GNUbgRace, nn.Sigmoid)
		}), "1.00", "race net: 0 hidden layers"},
		{"relu", change(func(f *Set) {
			f.Nets[Crashed] = randomNet(rng, features.GNUbgCrashed, nn.ReLU, 8)
		}), "1.00", "crashed net: its hidden units are relu; GNU Backgammon's are sigmoids"},
		{"tanh", change(func(f *Set) {
			f.Nets[Crashed] = randomNet(rng, features.GNUbgCrashed, nn.Tanh, 8)
		}), "1.00", "crashed net: its hidden units are tanh"},
		{"inputs", change(func(f *Set) {
			f.Nets[Race] = randomNet(rng, features.GNUbgContact, nn.Sigmoid, 8)
		}), "1.00", "race net: it takes inputs gnubg-contact version 1; GNU Backgammon has gnubg-race"},
		{"NaN", change(func(f *Set) { f.Nets[Race].Net.Layers[1].Bias[2] = float32(math.NaN()) }), "1.00",
			"race net: layer 1: value 2 is NaN"},
	} {
		for form, write := range gnubgForms {
			err := write(io.Discard, tt.f, tt.version)
			if err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%s, %s: error %v, want one with %q", tt.name, form, err, tt.message)
			}
		}
	}
	for form, write := range gnubgForms {
		for _, room := range []int{0, 100, 1 << 17} {
			if err := write(&full{room}, gnubgPlayer(1, 256), "1.00"); err == nil || err.Error() != "full" {
				t.Errorf("%s: error %v of a medium with room for %d bytes", form, err, room)
			}
		}
	}
}

// full is a medium with limited room.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, fmt.Errorf("full")
	}
	return len(b), nil
}

// The sums of hidden units on tesauro inputs are the same on GNU Backgammon's.
func TestTesauroOnGNUbgInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const units = 3
	l := nn.Layer{In: features.Tesauro.Size, Out: units, Activation: nn.Sigmoid, Beta: 1,
		Weights: make([]float32, features.Tesauro.Size*units), Bias: []float32{0.5, -1, 2}}
	for i := range l.Weights {
		l.Weights[i] = float32(rng.NormFloat64())
	}
	sums := func(l *nn.Layer, set *features.Set, b *bg.Board) (out [units]float64) {
		x := make([]float32, set.Size)
		set.Encode(b, x)
		for u := range units {
			out[u] = float64(l.Bias[u])
			for i, v := range x {
				out[u] += float64(v) * float64(l.Weights[i*units+u])
			}
		}
		return out
	}
	layers := map[bg.Class]nn.Layer{}
	sets := map[bg.Class]*features.Set{bg.Contact: features.GNUbgContact, bg.Crashed: features.GNUbgCrashed,
		bg.Race: features.GNUbgRace}
	for c, set := range sets {
		layers[c] = tesauroOnGNUbg(&l, set)
	}
	seen := map[bg.Class]int{}
	for _, b := range randomPositions(9, 4000) {
		c := bg.Classify(&b)
		rewritten, ok := layers[c]
		if !ok {
			continue
		}
		seen[c]++
		want, got := sums(&l, features.Tesauro, &b), sums(&rewritten, sets[c], &b)
		for u := range units {
			if math.Abs(got[u]-want[u]) > 2e-5 {
				t.Fatalf("%v %s: sums %v, want %v", c, b.Key(), got, want)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("positions by class: %v", seen)
	}
	var b bytes.Buffer
	f := tesauroPlayer(1, nn.Sigmoid, 10).WithoutPruning()
	for _, r := range []Role{Contact, Crashed, Race} {
		for k := range 2 { // the odd values would overflow in sums
			fillSmall(rng, f.Nets[r].Net.Layers[k].Weights)
			fillSmall(rng, f.Nets[r].Net.Layers[k].Bias)
		}
	}
	if err := WriteGNUbg(&b, f, "1.00"); err != nil {
		t.Fatal(err)
	}
	got, err := ReadGNUbg(&b)
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Nets[Race]; n.Inputs != "gnubg-race" || n.Net.Layers[0].Out != 16 {
		t.Errorf("race net with inputs %s, %d hidden units", n.Inputs, n.Net.Layers[0].Out)
	}
}

func fillSmall(rng *rand.Rand, v []float32) {
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
}

// randomPositions returns positions of games with random plays.
func randomPositions(seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 3))
	var plays bg.Plays
	var out []bg.Board
	for b := bg.Start; len(out) < n; {
		if bg.Classify(&b) == bg.Over {
			b = bg.Start
		}
		results := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
		b = results[rng.IntN(len(results))]
		out = append(out, b)
	}
	return out
}

func TestWithPruning(t *testing.T) {
	f, other := tesauroPlayer(1, nn.Sigmoid, 8), gnubgPlayer(2, 8)
	got, err := f.WithPruning(other)
	if err != nil {
		t.Fatal(err)
	}
	if got.Nets[Contact] != f.Nets[Contact] || got.Nets[PruneRace] != other.Nets[PruneRace] {
		t.Error("not the player's nets with the other's pruning nets")
	}
	if f.Nets[PruneRace] != nil {
		t.Error("the player itself has changed")
	}
	if _, err := other.WithPruning(f); err == nil || !strings.Contains(err.Error(), "no prune.contact net") {
		t.Errorf("error %v", err)
	}
	none := f.WithoutPruning()
	if err := none.Check(); err != nil {
		t.Error(err)
	}
	if err := WriteGNUbg(io.Discard, none, "1.00"); err != nil {
		t.Error(err)
	}
}
