package bg

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestNotation(t *testing.T) {
	tests := []struct {
		name   string
		before Board
		me     Side // my checkers afterwards
		d1, d2 int
		want   string
	}{
		{"two checkers", Start, Side{4: 2, 5: 4, 7: 2, 12: 5, 23: 2}, 3, 1, "8/5 6/5"},
		{"one checker both dice", Start, Side{5: 5, 7: 3, 12: 6, 23: 1}, 6, 5, "24/13"},
		{"through a point of one's own", Start, Side{4: 1, 5: 5, 7: 3, 12: 4, 23: 2}, 5, 3, "13/5"},
		{"doubles in pairs", Start, Side{3: 2, 5: 3, 7: 3, 10: 2, 12: 3, 23: 2}, 2, 2, "13/11(2) 6/4(2)"},
		{"doubles, four alike", Start, Side{5: 5, 7: 3, 9: 4, 12: 1, 23: 2}, 3, 3, "13/10(4)"},
		{"doubles, different lengths", Start, Side{5: 5, 7: 3, 12: 5, 21: 1, 17: 1}, 2, 2, "24/18 24/22"},
		{"hit on the way", Board{Me: Side{23: 1, 3: 2}, Opp: Side{6: 1}}, Side{12: 1, 3: 2}, 6, 5, "24/18*/13"},
		{"hit twice", Board{Me: Side{23: 1, 3: 2}, Opp: Side{6: 1, 11: 1}}, Side{12: 1, 3: 2}, 6, 5, "24/18*/13*"},
		{"two checkers onto a blot", Board{Me: Side{7: 2, 5: 2}, Opp: Side{19: 1}}, Side{7: 1, 5: 1, 4: 2}, 3, 1,
			"8/5* 6/5"},
		{"two alike onto a blot", Board{Me: Side{7: 3}, Opp: Side{19: 1}}, Side{7: 1, 4: 2}, 3, 3, "8/5*(2)"},
		{"from the bar", Board{Me: Side{Bar: 1, 5: 3}, Opp: Side{8: 1}}, Side{21: 1, 5: 2, 3: 1}, 3, 2, "bar/22 6/4"},
		{"two from the bar", Board{Me: Side{Bar: 2, 5: 3}, Opp: Side{4: 1}}, Side{20: 1, 18: 1, 5: 3}, 4, 6,
			"bar/21 bar/19"},
		{"not a play", Start, Side{5: 7, 7: 5, 12: 1, 23: 2}, 1, 1, "illegal play"},
		{"two from the bar, hitting", Board{Me: Side{Bar: 2, 5: 3}, Opp: Side{3: 1}}, Side{20: 1, 18: 1, 5: 3}, 4, 6,
			"bar/21* bar/19"},
		{"bearing off", Board{Me: Side{5: 1, 4: 2}, Opp: Side{0: 2}}, Side{4: 1}, 6, 5, "6/off 5/off"},
		{"bearing off doubles", Board{Me: Side{5: 2, 4: 3}, Opp: Side{0: 2}}, Side{4: 1}, 6, 6, "6/off(2) 5/off(2)"},
		{"one checker in and off", Board{Me: Side{7: 1}, Opp: Side{0: 2}}, Side{}, 6, 5, "8/off"},
		{"dance", Board{Me: Side{Bar: 1}, Opp: Side{0: 2, 1: 2}}, Side{Bar: 1}, 1, 2, "cannot move"},
	}
	for _, tt := range tests {
		after := Board{Opp: tt.me, Me: tt.before.Opp}
		for i, n := range tt.before.Opp[:Bar] { // hit what stands where I now do
			if n == 1 && strings.Contains(tt.want, strconv.Itoa(Bar-i)+"*") {
				after.Me[i]--
				after.Me[Bar]++
			}
		}
		if got := Notation(&tt.before, &after, tt.d1, tt.d2); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got := Notation(&tt.before, &after, tt.d2, tt.d1); got != tt.want {
			t.Errorf("%s, dice exchanged: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNotationReplays reads the notation of every result back, checker by
// checker, and must arrive at the result.
func TestNotationReplays(t *testing.T) {
	var p Plays
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		b := randomBoard(rng)
		d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
		results := p.Generate(&b, d1, d2)
		for i := range results {
			text := Notation(&b, &results[i], d1, d2)
			if text == "cannot move" {
				if results[i] != b.Swapped() {
					t.Fatalf("%s %d%d: %q, but the board changed", b.Key(), d1, d2, text)
				}
				continue
			}
			if got := replay(t, b, text); got != results[i] {
				t.Fatalf("%s %d%d: %q leads to %s, not %s", b.Key(), d1, d2, text, got.Key(), results[i].Key())
			}
		}
	}
}

func replay(t *testing.T, b Board, text string) Board {
	t.Helper()
	number := func(s string) int {
		switch s {
		case "bar":
			return 25
		case "off":
			return 0
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("notation %q: %v", text, err)
		}
		return n
	}
	hits := 0
	for _, move := range strings.Fields(text) {
		times := 1
		if way, n, ok := strings.Cut(strings.TrimSuffix(move, ")"), "("); ok {
			move, times = way, number(n)
		}
		hits += strings.Count(move, "*")
		points := strings.Split(move, "/")
		b.Me[number(points[0])-1] -= uint8(times)
		for i, pt := range points[1:] {
			at := number(strings.TrimSuffix(pt, "*"))
			if at > 0 && strings.HasSuffix(pt, "*") {
				b.Opp[24-at]--
				b.Opp[Bar]++
				hits--
			}
			if i == len(points)-2 && at > 0 {
				b.Me[at-1] += uint8(times)
			}
		}
	}
	if hits != 0 {
		t.Fatalf("notation %q: star at a bar or off", text)
	}
	return b.Swapped()
}

func BenchmarkNotation(b *testing.B) {
	var p Plays
	r := p.Generate(&Start, 2, 2)
	for b.Loop() {
		sink ^= Notation(&Start, &r[len(r)-1], 2, 2)[0]
	}
}
