package life

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

func random(hidden int, seed uint64) *Net {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := &Net{hidden, make([]float32, Size(hidden))}
	for i := range n.Weights {
		n.Weights[i] = float32(rng.NormFloat64()) * 0.3
	}
	return n
}

var odds = Odds{Win: 0.6, Take: 0.22, Cash: 0.79, Won: 1.3, Lost: -1.2}

// The inputs are the checkers and the odds, and all other weights have no influence.
func TestInputs(t *testing.T) {
	n := random(8, 1)
	b := bg.Start
	b.Me[5]--
	b.Me[23]--
	b.Me[bg.Bar]++
	var a Active
	a.Set(&b, &odds)
	var units [MaxHidden]float32
	before := n.Of(&a, units[:])
	active := map[int]bool{}
	for k := range a.n {
		if active[int(a.index[k])] {
			t.Errorf("input %d twice", a.index[k])
		}
		active[int(a.index[k])] = true
	}
	for _, want := range []int{5*perPlace + 1, 5*perPlace + 2, 23 * perPlace, bg.Bar * perPlace,
		(perSide+23)*perPlace + 1, offInputs, oddsInputs} {
		if !active[want] {
			t.Errorf("input %d is 0", want)
		}
	}
	for i := range Inputs {
		if !active[i] {
			n.row(i)[3] += 5
		}
	}
	if after := n.Of(&a, units[:]); after != before {
		t.Errorf("%v, then %v", before, after)
	}
	wide := odds
	wide.Volatility = 0.05
	a.Set(&b, &wide)
	if after := n.Of(&a, units[:]); after == before {
		t.Error("the spread has no influence")
	}
}

// No position has more inputs than there is room for.
func TestMostInputs(t *testing.T) {
	b := bg.Board{}
	for i := range bg.Checkers - 1 {
		b.Me[i], b.Opp[i] = 2, 2 // more checkers than there are
	}
	var a Active
	full := odds
	full.Volatility, full.Dead = 0.1, [4]bool{true, true, true, true}
	a.Set(&b, &full)
	if a.n > maxActive {
		t.Errorf("%d inputs", a.n)
	}
}

// The gradient is that of finite differences.
func TestBackward(t *testing.T) {
	n := random(6, 2)
	var a Active
	a.Set(&bg.Start, &odds)
	var units [MaxHidden]float32
	weights := [Indices]float32{0.5, -1, 2, 0.25}
	loss := func() (sum float64) {
		for k, x := range n.Of(&a, units[:]) {
			sum += float64(weights[k]) * x
		}
		return sum
	}
	loss()
	x := n.Of(&a, units[:])
	var d [Indices]float32
	for k := range d {
		d[k] = weights[k] * float32(x[k]*(1-x[k]))
	}
	gradient := make([]float32, len(n.Weights))
	n.Backward(&a, units[:], &d, gradient)
	for i := range n.Weights {
		const step = 1e-3
		was := n.Weights[i]
		n.Weights[i] = was + step
		up := loss()
		n.Weights[i] = was - step
		down := loss()
		n.Weights[i] = was
		if want := (up - down) / (2 * step); math.Abs(want-float64(gradient[i])) > 2e-3 {
			t.Errorf("weight %d: %v, by differences %v", i, gradient[i], want)
		}
	}
}

func TestFile(t *testing.T) {
	s := &Set{Spread: true, Nets: [Kinds]*Net{random(3, 1), random(5, 2), random(1, 3)}, Provenance: map[string]string{"a": "b"}}
	var buf bytes.Buffer
	if err := s.Write(&buf); err != nil {
		t.Fatal(err)
	}
	text := buf.Bytes()
	back, err := Parse(text)
	if err != nil || back.Provenance["a"] != "b" || !back.Spread {
		t.Fatal(back, err)
	}
	for k, n := range back.Nets {
		if n.Hidden != s.Nets[k].Hidden || !bytes.Equal(bits(n), bits(s.Nets[k])) {
			t.Errorf("net %d differs", k)
		}
	}
	for i := range text {
		bad := bytes.Clone(text)
		bad[i] ^= 4
		if _, err := Parse(bad); err == nil || strings.Contains(err.Error(), "\n") {
			t.Fatalf("byte %d flipped: %v", i, err)
		}
		if _, err := Parse(text[:i]); err == nil {
			t.Fatalf("cut off at %d: read", i)
		}
	}
	if _, err := Shipped(); err != nil {
		t.Error(err)
	}
	if _, err := ReadFile("life.go"); err == nil || !strings.HasPrefix(err.Error(), "life.go: not a file of cube life") {
		t.Error(err)
	}
}

func bits(n *Net) (all []byte) {
	for _, w := range n.Weights {
		v := math.Float32bits(w)
		all = append(all, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return all
}

func FuzzParse(f *testing.F) {
	var buf bytes.Buffer
	s := &Set{Nets: [Kinds]*Net{random(1, 1), random(1, 2), random(1, 3)}}
	if err := s.Write(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = Parse(data) })
}

func BenchmarkOf(b *testing.B) {
	s, err := Shipped()
	if err != nil {
		b.Fatal(err)
	}
	var units [MaxHidden]float32
	b.ReportAllocs()
	for b.Loop() {
		var a Active
		a.Set(&bg.Start, &odds)
		s.Nets[Contact].Of(&a, units[:])
	}
}
