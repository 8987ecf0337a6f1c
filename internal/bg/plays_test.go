package bg

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reference is the rules read out: every order of every checker, then only the
// plays that use most dice, and of single dice the larger.
type reference struct {
	results map[Board]bool // as the mover sees them, sides not swapped
	moves   int            // dice played in results
	die     int            // the die played where moves is 1
}

func referencePlays(b Board, d1, d2 int) map[Board]bool {
	r := reference{results: map[Board]bool{}}
	if d1 == d2 {
		r.try(b, []int{d1, d1, d1, d1}, 0, d1)
	} else {
		r.try(b, []int{d1, d2}, 0, d1)
		r.try(b, []int{d2, d1}, 0, d2)
	}
	swapped := map[Board]bool{}
	for b := range r.results {
		swapped[b.Swapped()] = true
	}
	return swapped
}

// try plays the dice in the order given from a position after made moves.
func (r *reference) try(b Board, dice []int, made, first int) {
	stuck := true
	if len(dice) > 0 {
		for from := range b.Me {
			if next, ok := referenceMove(b, from, dice[0]); ok {
				stuck = false
				r.try(next, dice[1:], made+1, first)
			}
		}
	}
	if !stuck {
		return
	}
	if made > r.moves || made == 1 && r.moves == 1 && first > r.die {
		clear(r.results)
		r.moves, r.die = made, first
	}
	if made == r.moves && (made != 1 || first == r.die) {
		r.results[b] = true
	}
}

// referenceMove moves one checker, if that is legal.
func referenceMove(b Board, from, die int) (Board, bool) {
	if b.Me[from] == 0 || b.Me[Bar] > 0 && from != Bar {
		return b, false
	}
	to := from - die
	b.Me[from]--
	if to < 0 {
		for i := 6; i <= Bar; i++ {
			if b.Me[i] > 0 {
				return b, false // a checker outside the home board
			}
		}
		if from >= 6 {
			return b, false // the checker itself was outside
		}
		for i := from + 1; to < -1 && i < 6; i++ {
			if b.Me[i] > 0 {
				return b, false // a larger number takes the rearmost only
			}
		}
		return b, true
	}
	switch opp := &b.Opp[23-to]; {
	case *opp > 1:
		return b, false
	case *opp == 1:
		*opp = 0
		b.Opp[Bar]++
	}
	b.Me[to]++
	return b, true
}

// compare checks the plays of one roll against the reference.
func compare(t *testing.T, p *Plays, b *Board, d1, d2 int) {
	t.Helper()
	want := referencePlays(*b, d1, d2)
	got := p.Generate(b, d1, d2)
	seen := map[Board]bool{}
	for i := range got {
		if !want[got[i]] {
			t.Fatalf("%s %d%d: result %s is not legal", b.Key(), d1, d2, got[i].Key())
		}
		if seen[got[i]] {
			t.Fatalf("%s %d%d: result %s twice", b.Key(), d1, d2, got[i].Key())
		}
		seen[got[i]] = true
	}
	if len(seen) != len(want) {
		t.Fatalf("%s %d%d: %d results, want %d", b.Key(), d1, d2, len(seen), len(want))
	}
}

func TestGenerateAgainstReference(t *testing.T) {
	var p Plays
	rng := rand.New(rand.NewPCG(1, 2))
	t.Run("random positions", func(t *testing.T) {
		for range 20_000 {
			b := randomBoard(rng)
			compare(t, &p, &b, 1+rng.IntN(6), 1+rng.IntN(6))
		}
	})
	t.Run("random games", func(t *testing.T) {
		n := 0
		selfPlay(rng, func(b *Board, d1, d2 int) bool {
			compare(t, &p, b, d1, d2)
			n++
			return n < 10_000
		})
	})
	t.Run("bearing off", func(t *testing.T) {
		for range 10_000 {
			var b Board
			for range 1 + rng.IntN(6) {
				b.Me[rng.IntN(7+rng.IntN(6))]++
			}
			if q := rng.IntN(8); b.Me[23-q] == 0 {
				b.Opp[q] = 1 // a blot on the way, or behind
			}
			for d1 := 1; d1 <= 6; d1++ {
				compare(t, &p, &b, d1, 1+rng.IntN(6))
			}
		}
	})
	t.Run("real games", func(t *testing.T) {
		for i, b := range gamePositions(t) {
			r := Rolls[i%len(Rolls)]
			compare(t, &p, &b, r.Lo, r.Hi)
		}
	})
}

// TestGenerateGolden compares number and digest of the results with another
// generator's, which GNU Backgammon's plays confirmed.
func TestGenerateGolden(t *testing.T) {
	var p Plays
	for _, f := range readLines(t, "testdata/legal-moves.txt.gz") {
		b, err := ParsePosition(f[0])
		if err != nil {
			t.Fatal(err)
		}
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(f[1+i]); err != nil {
				t.Fatal(err)
			}
		}
		var keys []string
		for _, r := range p.Generate(&b, n[0], n[1]) {
			keys = append(keys, r.Key().String())
		}
		slices.Sort(keys)
		sum := sha256.Sum256([]byte(strings.Join(keys, "\n")))
		if digest := hex.EncodeToString(sum[:8]); len(keys) != n[2] || digest != f[4] {
			t.Errorf("%s %d%d: %d results, digest %s; want %d, %s", f[0], n[0], n[1], len(keys), digest, n[2], f[4])
		}
	}
}

// TestGenerateProperties checks what holds after any play: a valid position,
// no checker lost, no more pips moved than rolled, and exactly those rolled
// where both dice were played and none was used to bear off.
func TestGenerateProperties(t *testing.T) {
	var p Plays
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		b := randomBoard(rng)
		d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
		rolled := d1 + d2
		if d1 == d2 {
			rolled = 4 * d1
		}
		for _, r := range p.Generate(&b, d1, d2) {
			if err := r.Check(); err != nil {
				t.Fatalf("%s %d%d: %v", b.Key(), d1, d2, err)
			}
			if r.Me.OnBoard() != b.Opp.OnBoard() {
				t.Fatalf("%s %d%d: the opponent lost a checker", b.Key(), d1, d2)
			}
			off := b.Me.OnBoard() - r.Opp.OnBoard()
			pips := b.Me.Pips() - r.Opp.Pips()
			if off < 0 || pips < 0 || pips > rolled || off > 0 && pips < off {
				t.Fatalf("%s %d%d: %d off, %d pips", b.Key(), d1, d2, off, pips)
			}
			// Short of the roll only by dice not played, or bearing off.
			whole := pips == 0 || pips == d1 || pips == d2 || pips == rolled || d1 == d2 && pips%d1 == 0
			if off == 0 && !whole {
				t.Fatalf("%s %d%d: moved %d pips", b.Key(), d1, d2, pips)
			}
			hit := 0
			for i := range Bar {
				if r.Me[i] != b.Opp[i] {
					hit++
					if b.Opp[i] != 1 || r.Me[i] != 0 {
						t.Fatalf("%s %d%d: the opponent's %d-point changed", b.Key(), d1, d2, i+1)
					}
				}
			}
			if int(r.Me[Bar]) != int(b.Opp[Bar])+hit {
				t.Fatalf("%s %d%d: %d on the bar after %d hits", b.Key(), d1, d2, r.Me[Bar], hit)
			}
		}
	}
}

// TestGenerateSpecial names the rules one by one.
func TestGenerateSpecial(t *testing.T) {
	prime := Side{12: 2, 13: 2, 14: 2, 15: 2, 16: 2, 17: 2} // my 7-point to 12-point
	tests := []struct {
		name   string
		b      Board
		d1, d2 int
		want   []Side // my checkers afterwards
	}{
		{"dance", Board{Me: Side{Bar: 1, 5: 3}, Opp: Side{0: 2, 1: 2}}, 1, 2, []Side{{Bar: 1, 5: 3}}},
		{"all on the bar, one enters", Board{Me: Side{Bar: 2, 5: 1}, Opp: Side{0: 2}}, 1, 2,
			[]Side{{Bar: 1, 22: 1, 5: 1}}},
		{"larger die when only one can be played", Board{Me: Side{12: 1}, Opp: Side{23 - 8: 2}}, 3, 1, []Side{{9: 1}}},
		{"only the smaller die", Board{Me: Side{12: 1}, Opp: Side{23 - 8: 2, 23 - 9: 2}}, 3, 1, []Side{{11: 1}}},
		{"no die passes a prime", Board{Me: Side{12: 2}, Opp: prime}, 6, 6, []Side{{12: 2}}},
		{"doubles as far as they go", Board{Me: Side{12: 1, 14: 1}, Opp: prime}, 2, 2, []Side{{12: 2}}},
		{"bear off exactly", Board{Me: Side{3: 1, 1: 1}, Opp: Side{0: 1}}, 4, 2, []Side{{1: 1}, {}}},
		{"larger die from the rearmost", Board{Me: Side{2: 2}, Opp: Side{0: 1}}, 6, 5, []Side{{}}},
		{"dice exchanged", Board{Me: Side{1: 1, 0: 1}, Opp: Side{0: 1}}, 6, 5, []Side{{}}},
	}
	for _, tt := range tests {
		var p Plays
		var got []Side
		for _, r := range p.Generate(&tt.b, tt.d1, tt.d2) {
			got = append(got, r.Opp)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestGenerateAllocatesNothing(t *testing.T) {
	boards := gamePositions(t)
	var p Plays
	all := func() {
		for i := range boards {
			for _, r := range Rolls {
				p.Generate(&boards[i], r.Hi, r.Lo)
			}
		}
	}
	all() // grows the memory
	if n := testing.AllocsPerRun(1, all); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
