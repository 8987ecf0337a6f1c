package cube

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// allModels is one of each kind.
func allModels(t testing.TB) (ms []Model) {
	for _, name := range []string{"dead", "live", "janowski=0.7", "janowski=0.6:0.75", "gnubg", "jump=0.08",
		"jump=local"} {
		m, err := ParseModel(name)
		if err != nil {
			t.Fatal(err)
		}
		if m.String() != name {
			t.Errorf("%s reads as %s", name, m)
		}
		ms = append(ms, m)
	}
	return ms
}

// allStates is every state of a 25-point match with cubes up to 64, and money.
func allStates(t testing.TB, length, maxCube int) (all []State) {
	add := func(s State) {
		if s.Check() == nil {
			all = append(all, s)
		}
	}
	for c := 1; c <= maxCube; c *= 2 {
		for h := Centered; h <= OpponentOwned; h++ {
			add(State{Cube: c, Owner: h})
			add(State{Cube: c, Owner: h, Jacoby: true})
			for a := 1; a <= length; a++ {
				for o := 1; o <= length; o++ {
					add(State{Cube: c, Owner: h, Table: defaultTable(t), Away: a, Opponent: o})
					add(State{Cube: c, Owner: h, Table: defaultTable(t), Away: a, Opponent: o, Crawford: true})
				}
			}
		}
	}
	return all
}

// at is a position with fixed shares of gammons and backgammons among wins and
// losses.
func at(p, gammons, backgammons, lostGammons float64) Position {
	return Position{Class: bg.Contact, Pips: 100, Volatility: 0.06,
		Outputs: bg.Outputs{float32(p), float32(p * gammons), float32(p * backgammons),
			float32((1 - p) * lostGammons), 0}}
}

// Equities of every model at every score of a 25-point match, cubes to 1024: they
// lie between losing and winning all, end as the game does, rise with the chance
// to win, and do not jump.
func TestEquitiesContinuousAndMonotone(t *testing.T) {
	states := allStates(t, 25, MaxCube)
	step, grid := 1, 40
	if testing.Short() {
		step = 13 // shares no factor with the states' order
	}
	for k, m := range allModels(t) {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, uint64(k)))
			for i := 0; i < len(states); i += step {
				s := &states[i]
				g := []float64{0, 0.1, 0.3}[rng.IntN(3)]
				l := []float64{0, 0.15, 0.35}[rng.IntN(3)]
				r := ratesOf(&bg.Outputs{0.5, float32(0.5 * g), 0, float32(0.5 * l), 0})
				won, lost := endWorths(&r, s)
				won, lost = s.Normalized(won), s.Normalized(lost)
				last := math.Inf(-1)
				for k := 0; k <= grid; k++ {
					p := at(float64(k)/float64(grid), g, 0, l)
					e := m.Equity(&p, s)
					if math.IsNaN(e) || e < last-2e-3*(won-lost) {
						t.Fatalf("%+v gammons %v %v: %v at %d/%d, before %v", *s, g, l, e, k, grid, last)
					}
					if last > lost-1 && e-last > (won-lost)*0.5 {
						t.Fatalf("%+v: from %v to %v at %d/%d", *s, last, e, k, grid)
					}
					if e < lost-1e-6 || e > won+1e-6 {
						t.Fatalf("%+v: %v is not from %v to %v", *s, e, lost, won)
					}
					last = e
				}
			}
		})
	}
}

// The equity of one side is the other's with the sign turned.
func TestEquitiesSymmetric(t *testing.T) {
	states := allStates(t, 9, 16)
	for _, m := range allModels(t) {
		if m == (Janowski{0.6, 0.75}) || m == (GNUbg{}) {
			continue // they know who is on roll
		}
		for i := range states {
			s := states[i]
			o := s.Swapped()
			p := at(0.37, 0.2, 0, 0.3)
			q := p
			q.Outputs = p.Outputs.Inverted()
			if a, b := m.Equity(&p, &s), m.Equity(&q, &o); math.Abs(a+b) > 1e-5 {
				t.Fatalf("%s %+v: %v and %v for the opponent", m, s, a, b)
			}
		}
	}
	two := Janowski{0.6, 0.75}
	p := at(0.37, 0.2, 0, 0.3)
	q := p
	q.Outputs = p.Outputs.Inverted()
	if a, b := two.Equity(&p, &Money), (Janowski{0.75, 0.6}).Equity(&q, &Money); math.Abs(a+b) > 1e-6 {
		t.Errorf("two indices: %v and %v", a, b)
	}
}

// No better action than Best is left: it is what both sides reach by choosing the
// best for themselves.
func TestBestAction(t *testing.T) {
	states := allStates(t, 7, 8)
	for _, m := range allModels(t) {
		for i := range states {
			for k := 1; k < 20; k++ {
				p := at(float64(k)/20, 0.25, 0, 0.2)
				d := Decide(m, &p, &states[i])
				want := d.NoDouble
				if d.Available {
					want = max(want, min(d.DoubleTake, d.DoublePass))
				}
				if d.Best() != want || d.Action.Doubles() && !d.Available {
					t.Fatalf("%s %+v: %+v, best %v", m, states[i], d, want)
				}
				if d.Available && d.Action.Takes() != (d.DoubleTake < d.DoublePass) {
					t.Fatalf("%s %+v: %+v", m, states[i], d)
				}
			}
		}
	}
}

// A long match with both far away is played like money.
func TestMoneyIsTheLimitOfLongMatches(t *testing.T) {
	for _, m := range allModels(t) {
		for k := 1; k < 20; k++ {
			p := at(float64(k)/20, 0.2, 0.01, 0.25)
			money := m.Equity(&p, &Money)
			last := math.Inf(1)
			for _, away := range []int{5, 11, 25} {
				s := State{Cube: 1, Table: defaultTable(t), Away: away, Opponent: away}
				off := math.Abs(m.Equity(&p, &s) - money)
				if away == 25 && off > 0.06 || off > last+0.05 {
					t.Errorf("%s at %d/20, %d away: off by %v, before %v", m, k, away, off, last)
				}
				last = off
			}
		}
	}
}

// A cube that nobody has a use for is worth what the game is without it.
func TestDeadCube(t *testing.T) {
	table := defaultTable(t)
	for _, s := range []State{
		{Cube: 1, Table: table, Away: 1, Opponent: 1},
		{Cube: 4, Owner: Owned, Table: table, Away: 3, Opponent: 4},
		{Cube: 1024, Owner: OpponentOwned, Table: table, Away: 25, Opponent: 25},
		{Cube: 1, Table: table, Away: 1, Opponent: 5, Crawford: true},
		{Cube: MaxCube, Owner: Owned},
	} {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		for _, m := range allModels(t) {
			p := at(0.6, 0.3, 0.02, 0.2)
			if a, b := m.Equity(&p, &s), Cubeless(&p.Outputs, &s); math.Abs(a-b) > 1e-9 {
				t.Errorf("%s %+v: %v, cubeless %v", m, s, a, b)
			}
		}
	}
	// For money it is the cubeless equity, in points per cube.
	p := at(0.6, 0.3, 0.02, 0.2)
	for _, c := range []int{1, 2, 64} {
		s := State{Cube: c, Owner: Owned}
		if c == 1 {
			s.Owner = Centered
		}
		if e := (Dead{}).Equity(&p, &s); math.Abs(e-float64(p.Outputs.Equity())) > 1e-6 ||
			math.Abs(s.Value(e)-float64(c)*e) > 1e-9 {
			t.Errorf("cube %d: %v, cubeless %v", c, e, p.Outputs.Equity())
		}
	}
}

func TestParseModelErrors(t *testing.T) {
	for _, text := range []string{"", "janowski", "janowski=", "janowski=1.1", "janowski=-0.1", "janowski=0.5:2",
		"janowski=NaN", "jump", "jump=0",
		"jump=-1", "jump=0.21", "jump=NaN", "dead=1", "gnubg=0.7", "live ", "0.7"} {
		if m, err := ParseModel(text); err == nil {
			t.Errorf("%q reads as %s", text, m)
		} else if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "janowski=X1:X2") {
			t.Errorf("%q: %v", text, err)
		}
	}
	pair, err := ParsePair("janowski=0.7,0.5")
	if err != nil || pair[0] != (Janowski{0.7, 0.7}) || pair[1] != (Janowski{0.5, 0.5}) {
		t.Errorf("%v, %v", pair, err)
	}
	if pair, err = ParsePair("jump=0.08,gnubg"); err != nil || pair[1] != (GNUbg{}) {
		t.Errorf("%v, %v", pair, err)
	}
	for _, text := range []string{"janowski=0.7,", ",dead", "dead,0.5", "janowski=0.7,0.5,0.3"} {
		if _, err := ParsePair(text); err == nil {
			t.Errorf("%q is a pair", text)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	table := defaultTable(b)
	p := at(0.7, 0.2, 0.01, 0.2)
	match := State{Cube: 1, Table: table, Away: 7, Opponent: 5}
	for _, name := range []string{"janowski=0.7", "gnubg", "jump=0.08"} {
		m, err := ParseModel(name)
		if err != nil {
			b.Fatal(err)
		}
		for kind, s := range map[string]*State{"money": &Money, "match": &match} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Decide(m, &p, s)
				}
			})
		}
	}
}
