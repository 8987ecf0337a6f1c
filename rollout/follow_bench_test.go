//go:build unix

package rollout

import (
	"math"
	"syscall"
	"testing"
	"time"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// BenchmarkFollow labels positions of games of the net "fast" as rollout --follow
// does, twice with other dice. It reports rows a second of processor time, the noise of
// the label of a trial's first position, in points, and how many rows with a noise of
// 0.03 points say as much as those of a second.
func BenchmarkFollow(b *testing.B) {
	for _, c := range []struct {
		name  string
		picks int
	}{{"picks 2", 2}, {"picks 4", 4}, {"picks 8", 8}} {
		b.Run(c.name, func(b *testing.B) { benchmarkFollow(b, c.picks) })
	}
}

func benchmarkFollow(b *testing.B, picks int) {
	set, _, err := data.Net("fast")
	if err != nil {
		b.Fatal(err)
	}
	p, err := player.New(set, nil, player.Options{})
	if err != nil {
		b.Fatal(err)
	}
	small, err := player.New(set.PruningPlayer(), nil, player.Options{})
	if err != nil {
		b.Fatal(err)
	}
	positions := gameOf(b, newEngine(b, p, Options{Trials: 36, Luck: LuckNone, Seed: 1}))
	o := Options{Trials: 36, Truncate: 7, Luck: LuckPicked, Picks: picks, Small: small}
	f := &follower{e: newEngine(b, p, o), lambda: 0.7}
	f.x = newExpander(f.e.p, &f.e.o)
	var rows []dataset.Row
	n, squares := 0, 0.0
	b.ReportAllocs()
	begun := processorTime(b)
	for i := 0; b.Loop(); i++ {
		start := &positions[i%len(positions)]
		var label [2]bg.Outputs
		for k := range label {
			f.x.o.Seed = uint64(2*(i/len(positions)) + k)
			rows = f.follow(&dataset.Row{}, start, rows[:0])
			label[k] = rows[0].Outputs
			n += len(rows)
		}
		d := float64(label[0].Equity() - label[1].Equity())
		squares += d * d / 2
	}
	rate, variance := float64(n)/(processorTime(b)-begun).Seconds(), squares/float64(b.N)
	b.ReportMetric(rate, "rows/cpu-s")
	b.ReportMetric(math.Sqrt(variance), "noise")
	b.ReportMetric(rate*0.03*0.03/variance, "rows/cpu-s-at-0.03")
	b.ReportMetric(float64(n)/float64(b.N), "rows/op")
}

// gameOf returns the positions of ten games that are not races.
func gameOf(b *testing.B, e *Engine) (positions []bg.Board) {
	f := &follower{e: e, x: newExpander(e.p, &e.o), lambda: 1}
	for game := range 10 {
		f.x.o.Seed = uint64(game)
		f.follow(&dataset.Row{}, &bg.Start, nil)
		for i := range f.steps {
			if bg.Classify(&f.steps[i].board) >= bg.Crashed {
				positions = append(positions, f.steps[i].board)
			}
		}
	}
	return positions
}

// processorTime is what the process has used.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
