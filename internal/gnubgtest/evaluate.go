package gnubgtest

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

//go:embed evaluate.py
var evaluateScript string

// Evaluation is GNU Backgammon's value of a position.
type Evaluation struct {
	Class   string     // contact, crashed, race; bearoff for all its databases; over
	Outputs bg.Outputs // cubeless, of the player on roll
}

// Evaluate returns GNU Backgammon's values of positions at a ply, without noise
// and with its pruning nets only if prune says so. Each takes it at least ten
// milliseconds. dataDir is as in Run.
func Evaluate(t testing.TB, dataDir string, positions []bg.Board, ply int, prune bool) []Evaluation {
	t.Helper()
	var in strings.Builder
	for i := range positions {
		for _, s := range []*bg.Side{&positions[i].Opp, &positions[i].Me} {
			for _, n := range s {
				fmt.Fprintf(&in, "%d ", n)
			}
		}
		in.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "positions")
	if err := os.WriteFile(path, []byte(in.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	pruning := 0
	if prune {
		pruning = 1
	}
	out := Run(t, dataDir, evaluateScript, "IN="+path, fmt.Sprintf("PLY=%d", ply), fmt.Sprintf("PRUNE=%d", pruning))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(positions) {
		t.Fatalf("gnubg: %d evaluations of %d positions", len(lines), len(positions))
	}
	evaluations := make([]Evaluation, len(positions))
	for i, line := range lines {
		e := &evaluations[i]
		o := &e.Outputs
		if _, err := fmt.Sscan(line, &e.Class, &o[0], &o[1], &o[2], &o[3], &o[4]); err != nil {
			t.Fatalf("gnubg: %q: %v", line, err)
		}
	}
	return evaluations
}
