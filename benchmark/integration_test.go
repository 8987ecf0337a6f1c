//go:build integration

package benchmark

import (
	"context"
	"os"
	"testing"
	"time"
)

// realGNUbg skips the test where GNU Backgammon is not installed.
func realGNUbg(t *testing.T, ply int) *GNUbg {
	t.Helper()
	g := &GNUbg{Ply: ply}
	if _, err := g.find(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return g
}

// GNU Backgammon's losses on these records, by its own scripting interface.
func TestScoreOfGNUbg(t *testing.T) {
	g := realGNUbg(t, 0)
	f, err := ReadFile("testdata/contact.bm", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := ScoreFile(context.Background(), g, f, ScoreOptions{Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0, 0.000111, 0.043503, 0, 0, 0, 0, 0, 0, 0.014258, 0, 0.06586}
	for i, d := range s.Decisions {
		if d.Loss != want[i] {
			t.Errorf("record %d: loss %v, %v expected", i, d.Loss, want[i])
		}
	}
}

func TestMatchAgainstGNUbg(t *testing.T) {
	start := time.Now()
	m := play(t, realGNUbg(t, 0), PubEval{}, MatchOptions{Games: 64, Seed: 1, Workers: 16})
	s := m.Summary()
	t.Logf("%+v in %v", s, time.Since(start))
	if s.Points.Mean < 0.63-4*s.Points.SE || s.Points.Mean > 0.63+4*s.Points.SE {
		t.Errorf("points per game %+v, 0.63 expected", s.Points)
	}
}
