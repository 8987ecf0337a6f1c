package cube

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube/life"
)

// boards are positions of games of random plays, the last ones bearoffs.
func boards(t testing.TB, n int) (all []bg.Board) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	var plays bg.Plays
	for len(all) < n {
		b := bg.Start
		for k := 0; bg.Classify(&b) != bg.Over; k++ {
			if k%7 == 3 {
				all = append(all, b)
			}
			results := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
			best := results[rng.IntN(len(results))]
			for _, r := range results { // towards a race, so that games end
				if r.Opp.Pips() < best.Opp.Pips() || r.Me.Back() < best.Me.Back() && k > 40 {
					best = r
				}
			}
			b = best
		}
	}
	return all[:n]
}

func onBoard(b *bg.Board, p, gammons, lostGammons float64) Position {
	o := bg.Outputs{float32(p), float32(p * gammons), 0, float32((1 - p) * lostGammons), 0}
	return PositionOf(b, &o)
}

func parsed(t testing.TB, name string) *Learned {
	t.Helper()
	m, err := ParseModel(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Learned)
}

// At every position and state the equities rise with the chance to win, do not jump, and lie
// between those of a dead and a live cube for the two holders whose part they take.
func TestLearnedContinuousMonotoneAndBounded(t *testing.T) {
	m := parsed(t, "learned")
	rng := rand.New(rand.NewPCG(1, 2))
	states := allStates(t, 15, 16)
	const grid = 60
	for _, b := range boards(t, 300) {
		s := &states[rng.IntN(len(states))]
		if rng.IntN(2) == 0 {
			s = &[]State{Money, {Cube: 2, Owner: Owned}, {Cube: 2, Owner: OpponentOwned}}[rng.IntN(3)]
		}
		g, l := []float64{0, 0.1, 0.3}[rng.IntN(3)], []float64{0, 0.15, 0.35}[rng.IntN(3)]
		r := ratesOf(&bg.Outputs{0.5, float32(0.5 * g), 0, float32(0.5 * l), 0})
		won, lost := endWorths(&r, s)
		span := s.Normalized(won) - s.Normalized(lost)
		last := math.Inf(-1)
		for k := 0; k <= grid; k++ {
			p := onBoard(&b, float64(k)/grid, g, l)
			e := m.Equity(&p, s)
			if math.IsNaN(e) || e < last-2e-3*span || k > 0 && e-last > 0.3*span {
				t.Fatalf("%s %+v gammons %v %v: %v at %d/%d, before %v", b.Key(), *s, g, l, e, k, grid, last)
			}
			last = e
			corners := []float64{Janowski{0, 0}.Equity(&p, s), Janowski{1, 0}.Equity(&p, s), Janowski{0, 1}.Equity(&p, s),
				Janowski{1, 1}.Equity(&p, s)}
			low, high := math.Inf(1), math.Inf(-1)
			for _, c := range corners {
				low, high = min(low, c), max(high, c)
			}
			if e < low-1e-9 || e > high+1e-9 {
				t.Fatalf("%s %+v: %v is not from %v to %v", b.Key(), *s, e, low, high)
			}
		}
	}
}

// constant are nets whose indices are all x.
func constant(x float64) *life.Set {
	s := &life.Set{}
	for k := range s.Nets {
		n := &life.Net{Hidden: 1, Weights: make([]float32, life.Size(1))}
		for i := range life.Indices {
			n.Weights[len(n.Weights)-1-int(i)] = float32(math.Log(x / (1 - x)))
		}
		s.Nets[k] = n
	}
	return s
}

// With nets that know nothing it is Janowski's model, whose ends are a dead and a live cube.
func TestLearnedLimits(t *testing.T) {
	states := allStates(t, 9, 8)
	bs := boards(t, 20)
	for _, c := range []struct {
		x    float64
		want Model
	}{{1e-12, Dead{}}, {1 - 1e-12, Live{}}, {0.7, Janowski{0.7, 0.7}}} {
		m := NewLearned(constant(c.x), "test")
		for i := range states {
			p := onBoard(&bs[i%len(bs)], float64(i%19+1)/20, 0.2, 0.1)
			if a, b := m.Equity(&p, &states[i]), c.want.Equity(&p, &states[i]); math.Abs(a-b) > 1e-5 {
				t.Fatalf("%v %+v: %v, %v expected", c.x, states[i], a, b)
			}
		}
	}
}

// The nets that ship know a cube that nobody has a use for, and that no better action is left
// than the best.
func TestLearnedDecides(t *testing.T) {
	m := parsed(t, "learned")
	states := allStates(t, 9, 8)
	for k, b := range boards(t, 200) {
		for i := k % 7; i < len(states); i += 7 {
			s := &states[i]
			p := onBoard(&b, float64(k%19+1)/20, 0.25, 0.2)
			d := Decide(m, &p, s)
			if c := Cubeless(&p.Outputs, s); s.dead() && math.Abs(d.NoDouble-c) > 1e-6 && (s.Away != 2 || s.Opponent != 2) {
				t.Fatalf("%s %+v: %v with a dead cube, cubeless %v", b.Key(), *s, d.NoDouble, c)
			}
			want := d.NoDouble
			if d.Available {
				want = max(want, min(d.DoubleTake, 1))
			}
			if d.Best() != want || d.Action.Doubles() && !d.Available || d.Available && d.Action.Takes() != (d.DoubleTake < 1) {
				t.Fatalf("%s %+v: %+v, best %v", b.Key(), *s, d, want)
			}
		}
	}
}

// What it tells of a position is the same seen from either side: the indices change places.
func TestLearnedSymmetric(t *testing.T) {
	m := parsed(t, "learned")
	states := allStates(t, 9, 8)
	for k, b := range boards(t, 40) {
		s := states[(k*37)%len(states)]
		p := onBoard(&b, 0.37, 0.2, 0.3)
		j := p.tell(m.nets, &s).of(s.Owner)
		q := Position{Outputs: p.Outputs.Inverted()}
		other := s.Swapped()
		a, c := m.Equity(&p, &s), Janowski{j.Opponent, j.Life}.Equity(&q, &other)
		if math.Abs(a+c) > 1e-5 {
			t.Errorf("%+v: %v and %v for the opponent", s, a, c)
		}
	}
}

// Exact values count for money; without a board the usual index does.
func TestLearnedKnowsWhatIsExact(t *testing.T) {
	m := parsed(t, "learned")
	b := bg.Board{Me: bg.Side{5: 1}, Opp: bg.Side{0: 1}}
	p := onBoard(&b, 0.75, 0, 0)
	p.Exact = &Exact{Cubeless: 0.5, Centered: 0.51, Owned: 0.52, OpponentOwned: 0.53}
	if e := m.Equity(&p, &Money); e != 0.51 {
		t.Errorf("%v", e)
	}
	p.Board, p.Exact = bg.Board{}, nil
	if a, b := m.Equity(&p, &Money), (Janowski{ContactLife, ContactLife}).Equity(&p, &Money); a != b {
		t.Errorf("%v, %v expected", a, b)
	}
}

func TestParseLearned(t *testing.T) {
	if m := parsed(t, "learned"); m.String() != "learned" {
		t.Errorf("%s", m)
	}
	if a, b := parsed(t, "learned"), parsed(t, "learned"); Model(a) != Model(b) {
		t.Error("one model is two")
	}
	for _, text := range []string{"learned=", "learned=nothing.life", "learned=learned_test.go"} {
		if m, err := ParseModel(text); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q reads as %v, %v", text, m, err)
		}
	}
	path := filepath.Join("life", "learned.life")
	if m := parsed(t, "learned="+path); m.String() != "learned="+path {
		t.Errorf("%s", m)
	}
}

func BenchmarkLearned(b *testing.B) {
	m, err := ParseModel("learned")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p := onBoard(&bg.Start, 0.7, 0.2, 0.1)
		Decide(m, &p, &Money)
	}
}
