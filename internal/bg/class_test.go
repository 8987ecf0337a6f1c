package bg

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestClassifyGolden compares with GNU Backgammon's classes.
func TestClassifyGolden(t *testing.T) {
	for _, f := range readLines(t, "testdata/classes.txt.gz") {
		b, err := ParsePosition(f[0])
		if err != nil {
			t.Fatal(err)
		}
		want := f[1]
		if strings.HasPrefix(want, "bearoff") {
			want = "race"
		}
		if got := Classify(&b).String(); got != want {
			t.Errorf("%s: %s, want %s", f[0], got, want)
		}
	}
}

// TestCrashedCases compares with the rule as GNU Backgammon's cases state it,
// for every number of checkers on board, 1-point and 2-point.
func TestCrashedCases(t *testing.T) {
	for total := 0; total <= Checkers; total++ {
		for a := 0; a <= total; a++ {
			for b := 0; a+b <= total; b++ {
				want := total <= 6
				switch {
				case a > 1:
					want = want || total <= 6+a || b > 1 && 1+total-(a+b) <= 6
				case b == 0:
					want = want || total <= 5
				default:
					want = want || total <= 6+(b-1)
				}
				s := Side{0: uint8(a), 1: uint8(b), 12: uint8(total - a - b)}
				if s.crashed() != want {
					t.Errorf("%d on board, %d and %d on the first points: %v, want %v", total, a, b, !want, want)
				}
			}
		}
	}
}

func TestClassifyEdges(t *testing.T) {
	full := Side{6: 15}
	tests := []struct {
		name string
		b    Board
		want Class
	}{
		{"opening", Start, Contact},
		{"I have none left", Board{Opp: full}, Over},
		{"none left, opponent on the bar", Board{Opp: Side{Bar: 1, 6: 14}}, Over},
		{"the opponent has none left", Board{Me: Side{Bar: 1, 6: 14}}, Over},
		{"rearmost checkers next to each other, passed", Board{Me: Side{11: 15}, Opp: Side{11: 15}}, Race},
		{"rearmost checkers next to each other, not passed", Board{Me: Side{12: 15}, Opp: Side{12: 15}}, Contact},
		{"on the bar against the 1-point", Board{Me: Side{Bar: 1, 3: 14}, Opp: Side{0: 15}}, Crashed},
		{"on the bar against the 6-point", Board{Me: Side{Bar: 1, 3: 14}, Opp: Side{5: 15}}, Contact},
	}
	for _, tt := range tests {
		if got := Classify(&tt.b); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		swapped := tt.b.Swapped()
		if got := Classify(&swapped); got != tt.want {
			t.Errorf("%s, sides swapped: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSideCounts holds the counts that read eight points at a time to loops.
func TestSideCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100_000 {
		b := randomBoard(rng)
		n, back, occ, made, held, theirs := 0, -1, uint32(0), uint32(0), uint32(0), uint32(0)
		for i, c := range b.Me {
			n += int(c)
			if c > 0 {
				back = i
				occ |= 1 << i
			}
			if c > 1 && i < Bar {
				made |= 1 << i
			}
		}
		for i := range Bar {
			if b.Opp[i] > 0 {
				held |= 1 << (23 - i)
			}
			if b.Opp[i] > 1 {
				theirs |= 1 << (23 - i)
			}
		}
		if b.Me.OnBoard() != n || b.Me.Off() != Checkers-n || b.Me.Back() != back {
			t.Fatalf("%v: on board %d, back %d; want %d, %d", b.Me, b.Me.OnBoard(), b.Me.Back(), n, back)
		}
		if b.Me.occupied() != occ || b.Me.made() != made || heldBy(&b.Opp) != held || madeBy(&b.Opp) != theirs {
			t.Fatalf("%s: a point set is wrong", b.Key())
		}
	}
}
