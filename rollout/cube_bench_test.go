//go:build unix

package rollout

import (
	"math"
	"testing"
	"time"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
)

// cubefulDecisions are of data/benchmarks/cube.bm, two of each class.
var cubefulDecisions = []struct {
	key            string
	away, opponent int
	cube           int
}{
	{"IFHDPAAADIOAHDOBBBEA", 0, 0, 2}, {"IMHDMMABAGMGJOMNAAAC", 0, 0, 1}, {"GMKNOAAEAGOAPHAOAMAA", 0, 0, 1},
	{"MMGOAIAHAGMMBOOHAAEA", 4, 3, 2}, {"LNPDCGAAAAHGHHAHACAA", 4, 3, 2},
}

// BenchmarkCubefulDecision rolls decisions out with the cube to the end, by the net
// "default". It reports processor time and how much of it a decision of a standard error of
// 0.01 takes, of the difference of double and take to no double.
func BenchmarkCubefulDecision(b *testing.B) {
	for _, model := range []string{"gnubg", "learned"} {
		for _, luck := range []Luck{LuckPicked, LuckSmall} {
			b.Run(model+" "+string(luck), func(b *testing.B) { benchmarkCubeful(b, model, luck) })
		}
	}
}

func benchmarkCubeful(b *testing.B, model string, luck Luck) {
	set, _, err := data.Net("default")
	if err != nil {
		b.Fatal(err)
	}
	db, err := bearoff.Open(b.Context(), bearoff.Options{})
	if err != nil {
		b.Fatal(err)
	}
	small, err := player.New(set.PruningPlayer(), nil, player.Options{})
	if err != nil {
		b.Fatal(err)
	}
	m, err := cube.ParseModel(model)
	if err != nil {
		b.Fatal(err)
	}
	table, err := met.Open("")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var spent time.Duration
	errors, n := [2]float64{}, 0.0
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		p, err := player.New(set, db, player.Options{CacheMB: 64})
		if err != nil {
			b.Fatal(err)
		}
		o := Options{Trials: 36, Luck: luck, Picks: 4, Small: small, Seed: uint64(i)}
		e := newCubeEngine(b, p, o, cube.Handling{Model: m})
		b.StartTimer()
		begun := processorTime(b)
		for _, d := range cubefulDecisions {
			key, err := bg.ParseKey(d.key)
			if err != nil {
				b.Fatal(err)
			}
			board, err := key.Board()
			if err != nil {
				b.Fatal(err)
			}
			s := cube.State{Cube: d.cube}
			if d.cube > 1 {
				s.Owner = cube.Owned
			}
			if d.away > 0 {
				s.Table, s.Away, s.Opponent = table, d.away, d.opponent
			}
			r := rollCube(b, e, &board, s, 1)
			errors[0] += r.NoDouble.SE * r.NoDouble.SE
			errors[1] += r.Gain.SE * r.Gain.SE
			n++
		}
		spent += processorTime(b) - begun
	}
	ms := 1000 * spent.Seconds() / n
	b.ReportMetric(ms, "cpu-ms/decision")
	b.ReportMetric(math.Sqrt(errors[0]/n), "se")
	b.ReportMetric(math.Sqrt(errors[1]/n), "se-gain")
	b.ReportMetric(ms*errors[1]/n/1e-4, "cpu-ms-at-0.01")
}
