package opponents

import (
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
)

func mustPlay(t *testing.T, p Player, b *bg.Board, d1, d2 int) bg.Board {
	t.Helper()
	m, err := p.NewMover()
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Play(b, d1, d2)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pubEvalDense is PubEval as its author describes it: a vector of 122 numbers
// from a board of 28, times the weights.
func pubEvalDense(after *bg.Board, race bool) float64 {
	var pos [28]int // 1..24 and 25, the bar: the mover's checkers, positive
	for i := range 24 {
		pos[i+1] = int(after.Opp[i]) - int(after.Me[23-i])
	}
	pos[25], pos[0] = int(after.Opp[24]), -int(after.Me[24])
	pos[26], pos[27] = after.Opp.Off(), -after.Me.Off()
	var x [122]float64
	for j := 1; j <= 24; j++ {
		v := x[5*(j-1) : 5*j]
		switch n := pos[25-j]; n {
		case -1:
			v[0] = 1
		case 1:
			v[1] = 1
		case 2:
			v[2] = 1
		case 3:
			v[2], v[3] = 1, 1
		default:
			if n > 3 {
				v[2], v[4] = 1, float64(n-3)/2
			}
		}
	}
	x[120], x[121] = -float64(pos[0])/2, float64(pos[26])/15
	w := &pubEvalContact
	if race {
		w = &pubEvalRace
	}
	sum := 0.0
	for i := range x {
		sum += x[i] * float64(w[i])
	}
	return sum
}

func TestPubEvalAgainstDescription(t *testing.T) {
	for i, b := range bgtest.Positions(5000) {
		if b.Opp.Back() < 0 {
			continue
		}
		for _, race := range []bool{false, true} {
			got, want := float64(pubEvalScore(&b, race)), pubEvalDense(&b, race)
			if d := got - want; d > 1e-4 || d < -1e-4 {
				t.Fatalf("position %d: %v, %v expected", i, got, want)
			}
		}
	}
}

func TestPubEvalOpenings(t *testing.T) {
	for _, c := range []struct {
		d1, d2 int
		want   string
	}{
		{3, 1, "8 5 6 5"}, {4, 2, "8 4 6 4"}, {6, 1, "13 7 8 7"}, {5, 3, "8 3 6 3"}, {6, 5, "24 18 18 13"},
	} {
		after := mustPlay(t, PubEval{}, &bg.Start, c.d1, c.d2)
		want, err := applyPlay(&bg.Start, c.want)
		if err != nil {
			t.Fatal(err)
		}
		if after != want {
			t.Errorf("%d-%d: %s, %s expected", c.d1, c.d2, after.Key(), want.Key())
		}
	}
}

// The weights go by the position before the play: this play breaks contact, and
// the race weights would choose another.
func TestPubEvalChoosesWeightsBeforeThePlay(t *testing.T) {
	differ := 0
	for _, b := range bgtest.Positions(20000) {
		if bg.Classify(&b) == bg.Race {
			continue
		}
		var plays bg.Plays
		for _, r := range bg.Rolls {
			ps := plays.Generate(&b, r.Hi, r.Lo)
			best, other, breaks := 0, 0, false
			for i := range ps {
				breaks = breaks || bg.Classify(&ps[i]) == bg.Race
				if pubEvalDense(&ps[i], false) > pubEvalDense(&ps[best], false)+1e-4 {
					best = i
				}
				if s := pubEvalDense(&ps[i], bg.Classify(&ps[i]) == bg.Race); s > pubEvalDense(&ps[other],
					bg.Classify(&ps[other]) == bg.Race)+1e-4 {
					other = i
				}
			}
			if !breaks || best == other || ps[best].Opp.Back() < 0 || ps[other].Opp.Back() < 0 {
				continue
			}
			differ++
			want := pubEvalDense(&ps[best], false)
			if got := mustPlay(t, PubEval{}, &b, r.Hi, r.Lo); pubEvalDense(&got, false) < want-1e-4 {
				t.Fatalf("%s %d-%d: played %s, %s expected", b.Key(), r.Hi, r.Lo, got.Key(), ps[best].Key())
			}
		}
		if differ > 20 {
			return
		}
	}
	t.Errorf("only %d positions tell the two rules apart", differ)
}

func TestPipShare(t *testing.T) {
	if s := pipShare(&bg.Start); s != 0.5 {
		t.Errorf("opening: %v", s)
	}
	b := bg.Start
	b.Me = bg.Side{0: 1}
	if s := pipShare(&b); s != 167.0/168 {
		t.Errorf("one pip to go: %v", s)
	}
}

// With a checker left on the ace point the next roll wins: any reply of the
// opponent is worth the share of pips it leaves, and bearing off at once 1.
func TestPipCountPrefersToWin(t *testing.T) {
	b := bg.Board{Me: bg.Side{0: 2, 5: 1}, Opp: bg.Side{0: 3}}
	after := mustPlay(t, PipCount{}, &b, 6, 5)
	if after.Opp.OnBoard() != 1 || after.Opp[0] != 1 {
		t.Errorf("left %v", after.Opp)
	}
	b.Me = bg.Side{0: 2}
	if after := mustPlay(t, PipCount{}, &b, 2, 1); after.Opp.OnBoard() != 0 {
		t.Error("did not bear off")
	}
}

// The checker moves from the 11-point to the 7-point either way, but one way
// sends a blot on the 8-point back.
func TestPipCountHits(t *testing.T) {
	b := bg.Board{Me: bg.Side{10: 1}, Opp: bg.Side{16: 1}}
	if after := mustPlay(t, PipCount{}, &b, 3, 1); after.Me[bg.Bar] != 1 {
		t.Errorf("did not hit: %s", after.Key())
	}
}

// Without look-ahead a play that hits is worth what it takes from the opponent's pips,
// and where no play does more they all tie.
func TestStaticPipCount(t *testing.T) {
	b := bg.Board{Me: bg.Side{10: 1}, Opp: bg.Side{16: 1}}
	if after := mustPlay(t, PipCount{Static: true}, &b, 3, 1); after.Me[bg.Bar] != 1 {
		t.Errorf("did not hit: %s", after.Key())
	}
	b.Me = bg.Side{0: 2}
	if after := mustPlay(t, PipCount{Static: true}, &b, 2, 1); after.Opp.OnBoard() != 0 {
		t.Error("did not bear off")
	}
}

func TestRandomIsUniformAndSeeded(t *testing.T) {
	m, _ := Random{}.NewMover()
	count := map[bg.Board]int{}
	var plays bg.Plays
	n := len(plays.Generate(&bg.Start, 6, 5))
	const games = 20000
	for i := range games {
		StartGame(m, uint64(i))
		b, _ := m.Play(&bg.Start, 6, 5)
		count[b]++
	}
	if len(count) != n {
		t.Fatalf("%d of %d plays seen", len(count), n)
	}
	for b, c := range count {
		if want := games / n; c < want*8/10 || c > want*12/10 {
			t.Errorf("%s %d times, about %d expected", b.Key(), c, want)
		}
	}
	var first [10]bg.Board
	for round := range 2 {
		StartGame(m, 99)
		for i := range first {
			b, _ := m.Play(&bg.Start, 6, 5)
			if round == 1 && b != first[i] {
				t.Fatal("the same seed gave other plays")
			}
			first[i] = b
		}
	}
}
