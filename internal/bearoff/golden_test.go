package bearoff

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// golden is a position with the outputs of GNU Backgammon 1.07.001 at 0-ply.
type golden struct {
	key     string
	bearoff bool // else a race outside its databases
	board   bg.Board
	out     bg.Outputs
}

func readGolden(t *testing.T, path string) []golden {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []golden
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		var g golden
		var class string
		o := &g.out
		if _, err := fmt.Sscan(s.Text(), &g.key, &class, &o[0], &o[1], &o[2], &o[3], &o[4]); err != nil {
			t.Fatalf("%s: %q: %v", path, s.Text(), err)
		}
		if g.board, err = bg.ParsePosition(g.key); err != nil {
			t.Fatal(err)
		}
		g.bearoff = strings.HasPrefix(class, "bearoff")
		list = append(list, g)
	}
	if len(list) == 0 {
		t.Fatalf("%s: no positions", path)
	}
	return list
}

const goldenFile = "testdata/gnubg-eval0.txt"

// TestEvaluateGolden compares outputs with GNU Backgammon's, whose databases
// hold rounded numbers.
func TestEvaluateGolden(t *testing.T) {
	db := testDB(t)
	worst := 0.0
	for _, g := range readGolden(t, goldenFile) {
		if db.Covers(&g.board) != g.bearoff {
			t.Errorf("%s: covered %v, want %v", g.key, !g.bearoff, g.bearoff)
		}
		if !g.bearoff {
			continue
		}
		var out bg.Outputs
		db.Evaluate(&g.board, &out)
		for i := range out {
			d := math.Abs(float64(out[i] - g.out[i]))
			worst = max(worst, d)
			if d > 5e-4 {
				t.Errorf("%s: outputs %v, want %v", g.key, out, g.out)
				break
			}
		}
	}
	t.Logf("worst difference %.6f", worst)
}

// TestRaceBackgammonGolden compares backgammon chances. GNU Backgammon limits
// them by the gammons that its race net gives, so where they are equal ours may
// be larger.
func TestRaceBackgammonGolden(t *testing.T) {
	db := testDB(t)
	worst, positive := 0.0, 0
	for _, g := range readGolden(t, goldenFile) {
		b := &g.board
		check := func(mine bool, gammon, backgammon float32) {
			got := db.RaceBackgammon(b, mine)
			d := math.Abs(float64(got - backgammon))
			if gammon == backgammon && got > backgammon {
				return
			}
			if backgammon > 0 {
				positive++
			}
			worst = max(worst, d)
			if d > 1e-4 {
				t.Errorf("%s: mine %v: backgammon %v, want %v", g.key, mine, got, backgammon)
			}
		}
		if b.Opp.Back() >= 18 && b.Opp.OnBoard() == bg.Checkers {
			check(true, g.out[bg.WinGammon], g.out[bg.WinBackgammon])
		}
		if b.Me.Back() >= 18 && b.Me.OnBoard() == bg.Checkers {
			check(false, g.out[bg.LoseGammon], g.out[bg.LoseBackgammon])
		}
	}
	t.Logf("%d positive, worst difference %.6f", positive, worst)
	if positive == 0 {
		t.Error("no position with backgammons")
	}
}
