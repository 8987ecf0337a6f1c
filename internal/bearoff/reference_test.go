package bearoff

import (
	"math"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
)

// The reference takes its plays from the move generator of the whole game, with
// the opponent's last checker out of the way, and computes by plain recursion.
type reference struct {
	plays   bg.Plays
	results map[home]*[numRolls][]home
	rolls   map[home]*rollsOf
	wins    map[[2]home]float64
}

func newReference() *reference {
	return &reference{
		results: map[home]*[numRolls][]home{},
		rolls:   map[home]*rollsOf{},
		wins:    map[[2]home]float64{},
	}
}

// of returns what roll r leads to.
func (ref *reference) of(h home, r int) []home {
	all := ref.results[h]
	if all == nil {
		all = new([numRolls][]home)
		b := boardOf(h, home{1})
		for i, roll := range bg.Rolls {
			for _, after := range ref.plays.Generate(&b, roll.Hi, roll.Lo) {
				all[i] = append(all[i], home(after.Opp[:Points]))
			}
		}
		ref.results[h] = all
	}
	return all[r]
}

// rollsOf is a distribution of a number of rolls and its mean.
type rollsOf struct {
	p    [40]float64
	mean float64
}

func checkers(h home) (n int) {
	for _, c := range h {
		n += int(c)
	}
	return n
}

// distribution returns the rolls from h until fewer than stay checkers are left,
// if plays keep their mean small; of equals the smaller index is played.
func (ref *reference) distribution(h home, stay int) *rollsOf {
	if d := ref.rolls[h]; d != nil {
		return d
	}
	d := &rollsOf{}
	ref.rolls[h] = d
	if checkers(h) < stay {
		d.p[0] = 1
		return d
	}
	for r := range numRolls {
		w := float64(bg.Rolls[r].Weight) / 36
		var best *rollsOf
		least := 0
		for _, to := range ref.of(h, r) {
			next := ref.distribution(to, stay)
			id, _ := Index(&to)
			if best == nil || next.mean < best.mean-1e-9 || next.mean < best.mean+1e-9 && id < least {
				best, least = next, id
			}
		}
		d.mean += w * (1 + best.mean)
		for k := range 39 {
			d.p[k+1] += w * best.p[k]
		}
	}
	return d
}

// win returns the winning chance of the side at me on roll.
func (ref *reference) win(me, opp home) float64 {
	if checkers(opp) == 0 {
		return 0
	}
	if w, ok := ref.wins[[2]home{me, opp}]; ok {
		return w
	}
	sum := 0.0
	for r := range numRolls {
		best := 0.0
		for _, to := range ref.of(me, r) {
			best = max(best, 1-ref.win(opp, to))
		}
		sum += float64(bg.Rolls[r].Weight) / 36 * best
	}
	ref.wins[[2]home{me, opp}] = sum
	return sum
}

func TestOneSidedAgainstReference(t *testing.T) {
	db := testDB(t)
	ref := newReference()
	sample := Homes(Positions(5))
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5 { // some of many checkers, and all positions they lead to
		sample = append(sample, randomHome(rng, 8))
	}
	// All on the board and low, where there are few others after.
	sample = append(sample, home{9, 6}, home{10, 2, 3}, home{13, 0, 0, 2})
	for _, h := range sample {
		ref.distribution(h, 1)
	}
	for h, want := range ref.rolls {
		for n, p := range db.Rolls(&h).P {
			if math.Abs(float64(p)-want.p[n]) > 1e-6 {
				t.Errorf("%v: P[%d] = %v, want %v", h, n, p, want.p[n])
			}
		}
	}
	t.Logf("%d positions", len(ref.rolls))
}

// TestFirstOffAgainstReference checks the rolls to the first checker off from
// nearly all positions of fifteen.
func TestFirstOffAgainstReference(t *testing.T) {
	if testing.Short() {
		t.Skip("only numbers")
	}
	db := testDB(t)
	ref := newReference()
	ref.distribution(home{3: 2, 4: 3, 5: 10}, 15)
	for h, want := range ref.rolls {
		for n, p := range db.Rolls(&h).First {
			if math.Abs(float64(p)-want.p[n]) > 1e-6 {
				t.Errorf("%v: First[%d] = %v, want %v", h, n, p, want.p[n])
			}
		}
	}
	t.Logf("%d positions", len(ref.rolls))
}

func TestTwoSidedAgainstReference(t *testing.T) {
	if testing.Short() {
		t.Skip("only numbers")
	}
	db := testDB(t)
	ref := newReference()
	check := func(me, opp home) {
		b := boardOf(me, opp)
		var out bg.Outputs
		db.Evaluate(&b, &out)
		if want := ref.win(me, opp); math.Abs(float64(out[bg.Win])-want) > 1e-7 {
			t.Errorf("%v against %v: %v, want %v", me, opp, out[bg.Win], want)
		}
	}
	small := Homes(Positions(3))[1:]
	for _, me := range small {
		for _, opp := range small {
			check(me, opp)
		}
	}
	check(home{1, 0, 2, 1, 0, 1}, home{0, 1, 2, 0, 2})
	check(home{2, 0, 2, 1, 0, 1}, home{0, 2, 2, 0, 1, 1})
}

// TestRunOutAgainstReference checks running out of the opponent's home board
// against the rule read out: any checker moves by any die, and is out when it
// passes the last point.
func TestRunOutAgainstReference(t *testing.T) {
	type dist struct {
		p    [12]float64
		mean float64
	}
	known := map[home]*dist{{}: {p: [12]float64{1}}}
	move := func(from map[home]bool, die int) map[home]bool {
		to := map[home]bool{}
		for h := range from {
			for i, c := range h {
				if c == 0 {
					continue
				}
				next := h
				next[i]--
				if i >= die {
					next[i-die]++
				}
				to[next] = true
			}
			if h == (home{}) {
				to[h] = true
			}
		}
		return to
	}
	var solve func(h home) *dist
	solve = func(h home) *dist {
		if d := known[h]; d != nil {
			return d
		}
		d := &dist{}
		for d1 := 1; d1 <= 6; d1++ {
			for d2 := 1; d2 <= 6; d2++ {
				after := move(move(map[home]bool{h: true}, d1), d2)
				if d1 == d2 {
					after = move(move(after, d1), d1)
				} else {
					for to := range move(move(map[home]bool{h: true}, d2), d1) {
						after[to] = true
					}
				}
				var best *dist
				for to := range after {
					if next := solve(to); best == nil || next.mean < best.mean {
						best = next
					}
				}
				d.mean += (1 + best.mean) / 36
				for k := range 11 {
					d.p[k+1] += best.p[k] / 36
				}
			}
		}
		known[h] = d
		return d
	}
	table := runOut()
	for id, h := range Homes(Positions(5)) {
		want := solve(h)
		for k, p := range table[id] {
			w := want.p[k]
			if k == 5 {
				for _, more := range want.p[6:] {
					w += more
				}
			}
			if math.Abs(float64(p)-w) > 1e-6 {
				t.Errorf("%v out in %d: %v, want %v", h, k, p, w)
			}
		}
	}
}
