package web

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/features"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/player"
)

// fixture is what testdata/check.js compares a folder with.
type fixture struct {
	Positions []example `json:"positions"`
}

// example is a position with what this program makes of it.
type example struct {
	ID      string    `json:"id"`
	Raw     []float64 `json:"raw"`               // outputs of the net, rounded to 16 bits
	Outputs []float32 `json:"outputs,omitempty"` // of the player
	Dice    [2]int    `json:"dice"`
	Plays   uint32    `json:"plays"`           // FNV-1a of the results' Position IDs, sorted
	Ahead   *float32  `json:"ahead,omitempty"` // equity at 1-ply
}

// checked is what testdata/check.js found: the largest differences, and counts of
// what is not equal.
type checked struct {
	SIMD      bool    `json:"simd"`
	Positions int     `json:"positions"`
	Raw       float64 `json:"raw"`
	Outputs   float64 `json:"outputs"`
	Where     string  `json:"where"` // the worst
	Twin      int     `json:"twin"`  // outputs of which plain JavaScript has other bits
	Plays     int     `json:"plays"`
	IDs       int     `json:"ids"`
	Ahead     float64 `json:"ahead"`
}

// newFixture makes a fixture of n positions of each class; the first few of each are
// looked at one roll ahead.
func newFixture(t testing.TB, s *nets.Set, n int) *fixture {
	t.Helper()
	in16 := rounded(s)
	wide := false // layers in fixed point, which only outputs of the net are compared with
	evaluate := map[bg.Class]func([]float32) []float64{}
	for _, role := range nets.Main {
		e := in16.Nets[role]
		f, err := nets.Reference(e.Net)
		if err != nil {
			t.Fatal(err)
		}
		set, err := features.Lookup(e.Inputs, e.InputsVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range e.Net.Layers {
			wide = wide || l.Out >= 128 && l.Activation != nn.SigmoidGNUbg
		}
		evaluate[role.Class()] = func(key []float32) []float64 { return f(key[:set.Size]) }
	}
	p, err := player.New(in16, nil, player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := p.NewEvaluator()
	var f fixture
	var plays bg.Plays
	rng := rand.New(rand.NewPCG(3, 4))
	count := map[bg.Class]int{}
	x := make([]float32, 1024)
	for _, b := range bgtest.Positions(400 * n) {
		class := bg.Classify(&b)
		if count[class] == n {
			continue
		}
		count[class]++
		role := in16.Nets[nets.Role(class.String())]
		set, err := features.Lookup(role.Inputs, role.InputsVersion)
		if err != nil {
			t.Fatal(err)
		}
		set.Encode(&b, x)
		one := example{ID: b.Key().PositionID(), Raw: evaluate[class](x), Dice: [2]int{1 + rng.IntN(6), 1 + rng.IntN(6)}}
		var ids []string
		for _, r := range plays.Generate(&b, one.Dice[0], one.Dice[1]) {
			ids = append(ids, r.Key().PositionID())
		}
		slices.Sort(ids)
		h := fnv.New32a()
		h.Write([]byte(strings.Join(ids, " ")))
		one.Plays = h.Sum32()
		if !wide {
			out := e.Evaluate(&b, 0)
			one.Outputs = out[:]
			if count[class] <= 8 {
				ahead := e.Evaluate(&b, 1)
				equity := ahead.Equity()
				one.Ahead = &equity
			}
		}
		f.Positions = append(f.Positions, one)
	}
	if len(f.Positions) != 3*n {
		t.Fatalf("%v positions", count)
	}
	return &f
}

// check fails where what was found differs from a fixture of so many positions.
func (c *checked) check(t *testing.T, positions int) {
	t.Helper()
	t.Logf("%d positions: outputs %.1e off at most, the player's %.1e, equities at 1-ply %.1e", c.Positions, c.Raw,
		c.Outputs, c.Ahead)
	if c.Positions != positions || !c.SIMD || c.Twin != 0 || c.Plays != 0 || c.IDs != 0 ||
		!(c.Raw <= 1e-5) || !(c.Outputs <= 1e-5) || !(c.Ahead <= 1e-5) {
		t.Errorf("%d positions expected; %+v", positions, *c)
	}
}

// readNet reads a net that ships.
func readNet(t testing.TB, name string) *nets.Set {
	t.Helper()
	s, err := nets.Read(filepath.Join("..", "..", "data", "nets", name+".safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everyActivation has small nets of every activation and odd widths on the other input
// sets.
func everyActivation() *nets.Set {
	rng := rand.New(rand.NewPCG(5, 6))
	entry := func(set *features.Set, hidden nn.Activation, sizes ...int) *nets.Entry {
		sizes = append(append([]int{set.Size}, sizes...), bg.NumOutputs)
		return &nets.Entry{Net: nets.Random(rng, nets.ByInputs, hidden, sizes...), Inputs: set.Name,
			InputsVersion: set.Version}
	}
	s := &nets.Set{Nets: map[nets.Role]*nets.Entry{
		nets.Contact: entry(features.Tesauro, nn.Tanh, 37, 12),
		nets.Crashed: entry(features.GNUbgPrune, nn.ReLU, 70, 3),
		nets.Race:    entry(features.GNUbgRace, nn.Sigmoid),
	}}
	s.Nets[nets.Crashed].Net.Layers[1].Activation = nn.SquaredReLU
	for i := range s.Nets[nets.Contact].Net.Layers {
		s.Nets[nets.Contact].Net.Layers[i].Beta = 0.3 + float32(i)
	}
	return s
}

// node runs testdata/node.js on a player's folder and decodes what it prints.
func node(t *testing.T, s *nets.Set, f *fixture, to any, more ...string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := Write(filepath.Join(dir, "web"), "test", s); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "fixture.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", append([]string{"testdata/node.js", filepath.Join(dir, "web"), file}, more...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, to); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// A folder computes what this program does with the rounded nets, in Node.js; the
// integration test does it in Chromium, with more nets and positions.
func TestNode(t *testing.T) {
	const each = 100
	for name, s := range map[string]*nets.Set{"fast": readNet(t, "fast"), "gnubg-size": readNet(t, "gnubg-size"),
		"every activation": everyActivation()} {
		t.Run(name, func(t *testing.T) {
			var got checked
			f := newFixture(t, s, each)
			node(t, s, f, &got)
			got.check(t, 3*each)
		})
	}
}

// Rounded weights are within half a unit of the 16 bits, and what is written is them.
func TestRounded(t *testing.T) {
	s := readNet(t, "gnubg-size")
	r := rounded(s)
	for _, role := range nets.Main {
		for k, l := range s.Nets[role].Net.Layers {
			scales := scalesOf(&l)
			for i, w := range l.Weights {
				got := r.Nets[role].Net.Layers[k].Weights[i]
				if d := math.Abs(float64(w - got)); !(d <= 0.51*float64(scales[i%l.Out])) {
					t.Fatalf("%s layer %d weight %d: %v rounded to %v", role, k, i, w, got)
				}
			}
		}
	}
	if err := r.Check(); err != nil || r.CanPrune() {
		t.Error(err)
	}
	zero := &nn.Layer{In: 2, Out: 1, Weights: []float32{0, 0}, Bias: []float32{1}}
	if n := whole(0, scalesOf(zero)[0]); n != 0 {
		t.Errorf("a weight of 0 is %d", n)
	}
}

// Players that a browser would compute otherwise, or not at all, are refused, and
// nothing is written.
func TestWriteRefuses(t *testing.T) {
	unknown := everyActivation()
	unknown.Nets[nets.Crashed] = &nets.Entry{Inputs: features.Blog35.Name, InputsVersion: features.Blog35.Version,
		Net: nets.Random(rand.New(rand.NewPCG(1, 1)), nets.ByInputs, nn.Sigmoid, features.Blog35.Size, 4, bg.NumOutputs)}
	mixed := everyActivation()
	mixed.Nets[nets.Contact].Net.Layers[1].Activation = nn.SigmoidGNUbg
	for message, s := range map[string]*nets.Set{
		"crashed net: inputs blog-3.5 version": unknown,
		"layer 1: sigmoid-gnubg after tanh":    mixed,
		"no contact net":                       {},
	} {
		dir := filepath.Join(t.TempDir(), "web")
		if err := Write(dir, "test", s); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%v, %q expected", err, message)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// What rounding to 16 bits costs: equities of the nets that ship change by
// ten-thousandths of a point.
func TestRoundingCosts(t *testing.T) {
	positions := bgtest.Positions(6000)
	for _, name := range []string{"fast", "gnubg-size", "default"} {
		s := readNet(t, name)
		r := rounded(s)
		for _, role := range nets.Main {
			set, err := features.Lookup(s.Nets[role].Inputs, s.Nets[role].InputsVersion)
			if err != nil {
				t.Fatal(err)
			}
			before, after := reference(t, s.Nets[role].Net), reference(t, r.Nets[role].Net)
			x := make([]float32, set.Size)
			n, squares, most := 0, 0.0, 0.0
			for i := range positions {
				if b := &positions[i]; bg.Classify(b) == role.Class() && n < 100 {
					set.Encode(b, x)
					d := math.Abs(equity(after(x)) - equity(before(x)))
					squares += d * d
					most = max(most, d)
					n++
				}
			}
			rms := math.Sqrt(squares / float64(n))
			t.Logf("%s %s: equities change by %.5f rms, %.5f at most, in %d positions", name, role, rms, most, n)
			if !(rms < 0.001) {
				t.Errorf("%s %s: equities change by %.5f rms", name, role, rms)
			}
		}
	}
}

// reference computes a net.
func reference(t testing.TB, n *nn.Net) func([]float32) []float64 {
	t.Helper()
	f, err := nets.Reference(n)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// equity is that of bg.Outputs.
func equity(o []float64) float64 {
	return 2*o[bg.Win] - 1 + o[bg.WinGammon] + o[bg.WinBackgammon] - o[bg.LoseGammon] - o[bg.LoseBackgammon]
}

// rounded returns the player that a folder holds: each weight is a whole number of 16
// bits times its unit's scale, float32, which the unit's largest weight decides; biases
// are as they were. Pruning nets are left out.
func rounded(s *nets.Set) *nets.Set {
	out := &nets.Set{Nets: map[nets.Role]*nets.Entry{}, Provenance: s.Provenance}
	for _, role := range nets.Main {
		e := *s.Nets[role]
		n := &nn.Net{Layers: append([]nn.Layer(nil), e.Net.Layers...)}
		for k := range n.Layers {
			l := &n.Layers[k]
			scales := scalesOf(l)
			weights := make([]float32, len(l.Weights))
			for i, w := range l.Weights {
				scale := scales[i%l.Out]
				weights[i] = float32(whole(w, scale)) * scale
			}
			l.Weights = weights
		}
		e.Net = n
		out.Nets[role] = &e
	}
	return out
}
