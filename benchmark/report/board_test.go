package report

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestBoardGolden compares the drawing of the opening position with the one that
// was looked at.
func TestBoardGolden(t *testing.T) {
	const golden = "testdata/opening.svg"
	b := bg.Start
	got := Board(&b, Drawing{Dice: [2]int{3, 1}, Plays: []Arrow{{Play: "8/5 6/5", Color: bestColor, Bend: 9}}})
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the drawing is not %s any more; if it should not be, look at it and run go test -update", golden)
	}
}

// elements parses a picture and counts its elements.
func elements(t *testing.T, picture string) map[string]int {
	t.Helper()
	count := map[string]int{}
	dec := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, picture)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestBoardCheckers(t *testing.T) {
	for _, c := range []struct {
		name    string
		board   bg.Board
		circles int // checkers drawn as circles
		words   []string
		has     []string
	}{
		{"opening", bg.Start, 30, []string{"24-point 2, 13-point 5, 8-point 3, 6-point 5"}, nil},
		{"stacks over five get a number", bg.Board{Me: bg.Side{0: 7, 1: 8}, Opp: bg.Side{2: 15}}, 5 + 5 + 5,
			[]string{"2-point 8, 1-point 7", "3-point 15"}, []string{">7</text>", ">8</text>", ">15</text>"}},
		{"bar", bg.Board{Me: bg.Side{bg.Bar: 6, 0: 9}, Opp: bg.Side{bg.Bar: 1, 0: 14}}, 4 + 5 + 1 + 5,
			[]string{"bar 6, 1-point 9", "bar 1, 1-point 14"}, []string{">6</text>", ">14</text>"}},
		{"four on the bar", bg.Board{Me: bg.Side{bg.Bar: 4, 0: 5}, Opp: bg.Side{0: 5}}, 4 + 5 + 5,
			[]string{"bar 4"}, []string{">6</text>", ">10</text>"}}, // borne off
		{"empty", bg.Board{}, 0, []string{"off 15"}, []string{">15</text>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Board(&c.board, Drawing{})
			if n := elements(t, got)["circle"]; n != c.circles {
				t.Errorf("%d circles, want %d", n, c.circles)
			}
			for _, w := range append(c.words, c.has...) {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
		})
	}
}

// TestPointX checks the corners: points go round the board against the clock from
// the lower right.
func TestPointX(t *testing.T) {
	for p := 1; p <= 12; p++ {
		if a, b := pointX(p), pointX(25-p); a != b {
			t.Errorf("points %d and %d are not opposite: %v, %v", p, 25-p, a, b)
		}
		if p > 1 && pointX(p) >= pointX(p-1) {
			t.Errorf("point %d is not left of point %d", p, p-1)
		}
	}
	if pointX(1)+pointWidth/2 != rightField+6*pointWidth || pointX(12)-pointWidth/2 != leftField {
		t.Errorf("1-point at %v, 12-point at %v", pointX(1), pointX(12))
	}
}

func TestParsePlay(t *testing.T) {
	for _, c := range []struct {
		play string
		want []leg
	}{
		{"8/5 6/5", []leg{{8, 5}, {6, 5}}},
		{"bar/20*", []leg{{25, 20}}},
		{"24/18*/13", []leg{{24, 18}, {18, 13}}},
		{"6/4(2)", []leg{{6, 4}, {6, 4}}},
		{"8/4*(2) 6/off", []leg{{8, 4}, {8, 4}, {6, 0}}},
		{"cannot move", nil},
		{"illegal play", nil},
		{"8/", nil},
		{"8", nil},
		{"26/5", nil},
		{"8/5(9)", nil},
		{"8/5(x)", nil},
		{"", nil},
	} {
		if got := parsePlay(c.play); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, want %v", c.play, got, c.want)
		}
	}
}

// TestArrows checks that every play of every roll of some positions is drawn,
// one arrow a leg.
func TestArrows(t *testing.T) {
	for _, b := range []bg.Board{
		bg.Start,
		{Me: bg.Side{bg.Bar: 2, 5: 8, 7: 5}, Opp: bg.Side{23: 1, 22: 1, 5: 6, 7: 7}},
		{Me: bg.Side{0: 3, 2: 4, 5: 2}, Opp: bg.Side{0: 5, 1: 5}},
	} {
		var plays bg.Plays
		plain := elements(t, Board(&b, Drawing{}))
		for _, r := range bg.Rolls {
			for _, after := range plays.Generate(&b, r.Hi, r.Lo) {
				play := bg.Notation(&b, &after, r.Hi, r.Lo)
				legs := parsePlay(play)
				if legs == nil && play != "cannot move" {
					t.Errorf("%d-%d: %q is not understood", r.Hi, r.Lo, play)
				}
				drawn := elements(t, Board(&b, Drawing{Plays: []Arrow{{Play: play, Color: "red", Bend: 9}}}))
				if n := drawn["circle"] - plain["circle"]; n != len(legs) {
					t.Errorf("%d-%d %s: %d arrows", r.Hi, r.Lo, play, n)
				}
			}
		}
	}
}
