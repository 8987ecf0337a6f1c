package bearoff

import (
	"context"
	"testing"

	"bgtrain/internal/setting"
)

// None opens nothing, and no two-sided database goes with it.
func TestNone(t *testing.T) {
	if db, err := Open(context.Background(), Options{Dir: t.TempDir(), OneSidedPoints: None}); db != nil || err != nil {
		t.Errorf("%v, %v", db, err)
	}
	o := Options{Dir: t.TempDir(), OneSidedPoints: None, TwoSidedCheckers: 6}
	if _, err := Open(context.Background(), o); err == nil {
		t.Error("a two-sided database without the one-sided one")
	}
}

func TestPointsOfOneAndOfTwo(t *testing.T) {
	for _, c := range []struct {
		text string
		want [2]int
		back string // "": the text is refused
	}{
		{"0", [2]int{0, 0}, "0"}, {"none", [2]int{None, None}, "none"}, {"-1", [2]int{None, None}, "none"},
		{"9", [2]int{9, 9}, "9"}, {"none,9", [2]int{None, 9}, "none,9"}, {"6,-1", [2]int{6, None}, "6,none"},
		{"5", [2]int{}, ""}, {"11", [2]int{}, ""}, {"-2", [2]int{}, ""}, {"none,", [2]int{}, ""},
		{"6,7,8", [2]int{}, ""}, {"x", [2]int{}, ""}, {"", [2]int{}, ""},
	} {
		var pair [2]int
		pairs := setting.List{PairSetting(&pair)}
		one, two := 0, 0
		single := SettingsOrNone(&one, &two)
		if err := pairs.Set("one-sided", c.text); (err == nil) != (c.back != "") || pair != c.want {
			t.Errorf("%q: %v, %v", c.text, pair, err)
		} else if err == nil && pairs[0].Text() != c.back {
			t.Errorf("%q comes back as %q", c.text, pairs[0].Text())
		}
		if err := single.Set("one-sided", c.text); (err == nil) != (c.back != "" && c.want[0] == c.want[1] &&
			c.text == c.back || c.text == "-1") {
			t.Errorf("%q for one: %d, %v", c.text, one, err)
		}
	}
}
