package bearoff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
)

func BenchmarkBuildOneSided(b *testing.B) {
	for b.Loop() {
		if _, err := buildOneSided(context.Background(), 1, func(int) {}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuildTwoSided(b *testing.B) {
	for _, checkers := range []int{6, 9} {
		b.Run(fmt.Sprint(checkers), func(b *testing.B) {
			for b.Loop() {
				if _, err := buildTwoSided(context.Background(), checkers, 1, func(int) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpen reads the databases from the cache.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if _, err := Open(context.Background(), Options{Dir: dir}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvaluate evaluates random positions one after the other, and those of
// two sides near each other as the plays of one roll are.
func BenchmarkEvaluate(b *testing.B) {
	db := testDB(b)
	for _, bb := range []struct {
		name     string
		checkers int
		near     bool
	}{{"two-sided", 6, false}, {"one-sided", 14, false}, {"gammons", 15, false}, {"one-sided-near", 14, true}} {
		rng := rand.New(rand.NewPCG(1, 2))
		boards := make([]bg.Board, 1<<14)
		for i := range boards {
			var board bg.Board
			if bb.near && i%16 > 0 {
				board = boards[i-1]
				from := rng.IntN(5)
				if board.Opp[from+1] > 0 {
					board.Opp[from+1]--
					board.Opp[from]++
				}
			} else {
				for range bb.checkers {
					board.Me[rng.IntN(6)]++
					board.Opp[rng.IntN(6)]++
				}
			}
			boards[i] = board
		}
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			var out bg.Outputs
			i := 0
			for b.Loop() {
				db.Evaluate(&boards[i], &out)
				i = (i + 1) & (len(boards) - 1)
			}
		})
	}
}

// BenchmarkOneSidedAgainstTwoSided reports how far the one-sided database is from
// the truth over all positions of up to 9 checkers a side.
func BenchmarkOneSidedAgainstTwoSided(b *testing.B) {
	db, err := Open(context.Background(), Options{Dir: b.TempDir(), TwoSidedCheckers: 9})
	if err != nil {
		b.Fatal(err)
	}
	var s Stats
	for b.Loop() {
		if s, err = db.Compare(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(s.Pairs), "pairs")
	b.ReportMetric(s.Mean, "mean")
	b.ReportMetric(s.SD, "sd")
	b.ReportMetric(s.Min, "min")
	b.ReportMetric(s.Max, "max")
	b.Logf("%+v", s)
}
