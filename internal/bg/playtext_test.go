package bg

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseSteps(t *testing.T) {
	tests := []struct{ text, want string }{
		{"13/11 6/5", "13/11 6/5"},
		{"24/18*/13", "24/18* 18/13"},
		{"bar/22 6/4(2)", "25/22 6/4 6/4"},
		{"Bar/22* 6/Off", "25/22* 6/0"},
		{"8-5 6-5", "8/5 6/5"},
		{"24/22*/20(2)", "24/22* 22/20 24/22* 22/20"},
		{"", ""},
		{"13", "error"}, {"13/", "error"}, {"/5", "error"}, {"5/13", "error"}, {"26/20", "error"},
		{"13/x", "error"}, {"13/11(5)", "error"}, {"13/11(2", "error"}, {"6/6", "error"},
		{strings.Repeat("2/1(4) ", 9), "error"},
	}
	for _, tt := range tests {
		steps, err := ParseSteps(nil, tt.text)
		got := "error"
		if err == nil {
			var words []string
			for _, s := range steps {
				words = append(words, formatPaths([]path{{from: s.From, to: s.To, hit: s.Hit, n: 1}}))
			}
			got = strings.NewReplacer("bar", "25", "off", "0").Replace(strings.Join(words, " "))
		}
		if got != tt.want {
			t.Errorf("%q: %q (%v), want %q", tt.text, got, err, tt.want)
		}
	}
}

// TestFindReadsNotation writes every play of many positions, as words and as
// steps, and must find the same result again.
func TestFindReadsNotation(t *testing.T) {
	var p, q Plays
	rng := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		b := randomBoard(rng)
		d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
		for _, want := range p.Generate(&b, d1, d2) {
			text := Notation(&b, &want, d1, d2)
			steps, ok := Steps(&b, &want, d1, d2)
			if !ok {
				t.Fatalf("%s %d%d: no steps lead to %s", b.Key(), d1, d2, want.Key())
			}
			if got, err := q.Find(&b, d1, d2, steps); err != nil || got != want {
				t.Fatalf("%s %d%d, steps %v: %s, %v, want %s", b.Key(), d1, d2, steps, got.Key(), err, want.Key())
			}
			steps = nil
			if text != "cannot move" {
				var err error
				if steps, err = ParseSteps(nil, text); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := q.Find(&b, d1, d2, steps); err != nil || got != want {
				t.Fatalf("%s %d%d %q: %s, %v, want %s", b.Key(), d1, d2, text, got.Key(), err, want.Key())
			}
		}
	}
}

func TestFindRefuses(t *testing.T) {
	var p Plays
	either := Board{Me: Side{23: 1, 3: 2}, Opp: Side{6: 1, 5: 1, 0: 2}} // 24/13 of 65 hits on 18 or on 19
	tests := []struct {
		b      Board
		d1, d2 int
		text   string
	}{
		{Start, 3, 1, ""},
		{Start, 3, 1, "8/5"},
		{Start, 3, 1, "8/5 8/5"},
		{Start, 3, 1, "24/20* 13/12"},
		{Start, 6, 5, "24/14"},
		{Start, 5, 5, "24/19"},
		{Start, 3, 1, "7/4 6/5"},
		{either, 6, 5, "24/13"},
		{Board{Me: Side{Bar: 1, 5: 5}, Opp: Side{0: 2, 1: 2}}, 1, 2, "6/5 6/4"},
	}
	for _, tt := range tests {
		steps, err := ParseSteps(nil, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := p.Find(&tt.b, tt.d1, tt.d2, steps); !errors.Is(err, ErrIllegalPlay) {
			t.Errorf("%s %d%d %q: %s, %v, want an illegal play", tt.b.Key(), tt.d1, tt.d2, tt.text, r.Key(), err)
		}
	}
	steps, _ := ParseSteps(nil, "24/18*/13")
	if r, err := p.Find(&either, 6, 5, steps); err != nil || r.Me[Bar] != 1 || r.Me[5] != 1 {
		t.Errorf("24/18*/13: %s, %v", r.Key(), err)
	}
}

func FuzzParseSteps(f *testing.F) {
	for _, s := range []string{"13/11 6/5", "24/18*/13(2)", "bar/22 6/off", "8-5", "(((", "1/0(4)"} {
		f.Add(s)
	}
	var p Plays
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := ParseSteps(nil, text)
		if err != nil {
			return
		}
		for _, r := range Rolls {
			if after, err := p.Find(&Start, r.Hi, r.Lo, steps); err == nil {
				if err := after.Check(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
