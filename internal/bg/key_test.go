package bg

import (
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// slowKey writes the key bit by bit, as it is defined.
func slowKey(b *Board) (k Key) {
	bit := 0
	for _, s := range []*Side{&b.Opp, &b.Me} {
		for _, n := range s {
			for range n {
				k[bit/8] |= 1 << (bit % 8)
				bit++
			}
			bit++
		}
	}
	return k
}

func TestKeyStart(t *testing.T) {
	k := Start.Key()
	if got := k.String(); got != "OAHDPAABDAOAHDPAABDA" {
		t.Errorf("letters %s", got)
	}
	if got := k.PositionID(); got != "4HPwATDgc/ABMA" {
		t.Errorf("position ID %s", got)
	}
}

// TestKeyRoundTrip takes a million random positions through every form of key.
func TestKeyRoundTrip(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 20_000
	}
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range n {
		b := randomBoard(rng)
		k := b.Key()
		if k != slowKey(&b) {
			t.Fatalf("%v: key %s, want %s", b, k, slowKey(&b))
		}
		if got, err := k.Board(); err != nil || got != b {
			t.Fatalf("%s: decoded %v, %v; want %v", k, got, err, b)
		}
		for _, text := range []string{k.String(), k.PositionID()} {
			if got, err := ParseKey(text); err != nil || got != k {
				t.Fatalf("%s: key %s, %v", text, got, err)
			}
			if got, err := ParsePosition(text); err != nil || got != b {
				t.Fatalf("%s: parsed %v, %v; want %v", text, got, err, b)
			}
		}
		swapped := b.Swapped()
		if swapped.Swapped() != b {
			t.Fatalf("%s: swapped twice is another position", k)
		}
	}
}

// TestBadKeys refuses keys that are not positions, with the reason.
func TestBadKeys(t *testing.T) {
	keyOf := func(opp, me Side) string {
		b := Board{Opp: opp, Me: me}
		return slowKey(&b).String()
	}
	left := (&Board{Opp: Side{5: 15}, Me: Side{5: 14}}).Key()
	left[9] |= 0x80
	all := Key{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	tests := []struct {
		name, text string
		reason     error
		message    string // part of the error
	}{
		{"16 checkers, not on roll", keyOf(Side{3: 16}, Side{}), ErrTooManyCheckers, "not on roll"},
		{"16 checkers over many points", keyOf(Side{0: 5, 9: 8, Bar: 3}, Side{}), ErrTooManyCheckers, "not on roll"},
		{"16 checkers, on roll", keyOf(Side{}, Side{3: 9, Bar: 7}), ErrTooManyCheckers, "player on roll: "},
		{"ones only", all.String(), ErrTooManyCheckers, "15 checkers"},
		{"both sides on one point", keyOf(Side{3: 2}, Side{20: 1}), ErrSharedPoint, "the 21-point"},
		{"both sides on the 1-point", keyOf(Side{23: 1}, Side{0: 1}), ErrSharedPoint, "the 1-point"},
		{"bit after the last point", left.String(), ErrLeftOver, left.String()},
		{"51 points", keyOf(Side{}, Side{})[:14] + "BAAAAA", ErrLeftOver, "left over"},
		{"position ID with such a bit", left.PositionID(), ErrLeftOver, left.PositionID()},
		{"letter outside A to P", "OAHDPAABDAOAHDPAABDQ", nil, "'Q' at character 20"},
		{"small letters", "oahdpaabdaoahdpaabda", nil, "'o' at character 1"},
		{"character outside base64", "4HPwATDgc_ABMA", nil, "position ID"},
		{"bits beyond the tenth byte", "4HPwATDgc/ABMB", nil, "no position is written so, from character 13 on"},
		{"line break in a position ID", "4HPwATDgc/AB\nM", nil, "position ID"},
		{"too short", "4HPwATDgc/ABM", nil, "13 characters"},
		{"position and match ID", "4HPwATDgc/ABMA:cIkqAAAAAAAA", nil, "27 characters"},
		{"empty", "", nil, "0 characters"},
	}
	for _, tt := range tests {
		_, err := ParseKey(tt.text)
		_, posErr := ParsePosition(tt.text)
		for _, err := range []error{err, posErr} {
			if err == nil || tt.reason != nil && !errors.Is(err, tt.reason) ||
				!strings.Contains(err.Error(), tt.message) {
				t.Errorf("%s: error %v, want %v with %q", tt.name, err, tt.reason, tt.message)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	if err := Start.Check(); err != nil {
		t.Errorf("opening position: %v", err)
	}
	b := Board{Me: Side{0: 255, 1: 255, 2: 2}} // 512 = 2 * 256
	if err := b.Check(); !errors.Is(err, ErrTooManyCheckers) {
		t.Errorf("512 checkers: %v", err)
	}
	b = Board{Me: Side{Bar: 2}, Opp: Side{Bar: 1}} // each its own bar
	if err := b.Check(); err != nil {
		t.Errorf("both on the bar: %v", err)
	}
}

func FuzzParsePosition(f *testing.F) {
	for _, s := range []string{
		"OAHDPAABDAOAHDPAABDA", "4HPwATDgc/ABMA", "////////////////", "", "PPPPPPPPPPPPPPPPPPPP",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
		"-a-B--E-B-a-dDB--b-bcb----:1:1:-1:00:0:0:0:3:8", "XGID=:::::", "xgid=oO",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParsePosition(text)
		if err != nil {
			return
		}
		if err := b.Check(); err != nil {
			t.Fatalf("%q accepted: %v", text, err)
		}
		if k, err := ParseKey(b.Key().PositionID()); err != nil || k != b.Key() {
			t.Fatalf("%q: does not come back: %v", text, err)
		}
	})
}

// FuzzKeyBoard checks that what Board accepts is exactly the keys of boards,
// and that their plays are positions too.
func FuzzKeyBoard(f *testing.F) {
	add := func(text string) {
		raw, err := base64.RawStdEncoding.DecodeString(text)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, byte(3), byte(1))
	}
	add("4HPwATDgc/ABMA")
	add("220DAKAAAAADAA")
	f.Add([]byte{0xff, 0x7f, 0, 0, 0, 0xff, 0xff, 0, 0, 0}, byte(0), byte(0))
	var p Plays
	f.Fuzz(func(t *testing.T, raw []byte, d1, d2 byte) {
		var k Key
		copy(k[:], raw)
		b, err := k.Board()
		if err != nil {
			if b != (Board{}) {
				t.Fatalf("%s: a board besides the error %v", k, err)
			}
			return
		}
		if b.Key() != k {
			t.Fatalf("%s: comes back as %s", k, b.Key())
		}
		for _, r := range p.Generate(&b, 1+int(d1%6), 1+int(d2%6)) {
			if err := r.Check(); err != nil {
				t.Fatalf("%s %d %d: %v", k, d1, d2, err)
			}
		}
	})
}
