package matchfile

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bgtrain/internal/bg"
)

// manyMatches is how many matches BenchmarkManyMatches imports.
const manyMatches = 10_000

// BenchmarkManyMatches imports 10,000 matches to 5 points, which it makes up first,
// one file. Run it with -benchtime 1x and -cpu 1; it reports processor time, and the
// largest memory that the process has had.
func BenchmarkManyMatches(b *testing.B) {
	dir := b.TempDir()
	in := filepath.Join(dir, "many.mat")
	file, err := os.Create(in)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(10, 16))
	plays := int64(0)
	for range manyMatches {
		m := madeUp(b, rng, 5)
		for i := range m.Games {
			plays += int64(len(m.Games[i].Actions))
		}
		if err := WriteMat(file, m); err != nil {
			b.Fatal(err)
		}
	}
	size, err := file.Seek(0, 1)
	if err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	debug.FreeOSMemory()
	b.ResetTimer()
	for range b.N {
		begun, used := time.Now(), cpuSeconds(b)
		report, err := Import(context.Background(), []string{in}, filepath.Join(dir, "m.parquet"), ImportOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if report.Matches != manyMatches || report.Plays != plays {
			b.Fatalf("%+v, %d matches and %d plays expected", report, manyMatches, plays)
		}
		b.ReportMetric(cpuSeconds(b)-used, "cpu-s/op")
		b.ReportMetric(time.Since(begun).Seconds(), "wall-s/op")
		b.ReportMetric(float64(report.Plays), "plays/op")
		b.ReportMetric(float64(report.Rows), "positions/op")
		b.ReportMetric(peakMB(b), "peak-MB")
		b.ReportMetric(float64(size)/1e6, "file-MB")
	}
}

// madeUp returns a match of players who leave as few blots as they can, and never
// double.
func madeUp(tb testing.TB, rng *rand.Rand, length int) *Match {
	rec, err := NewRecorder(&Match{Players: [2]string{"Ada", "Bob"}, Length: length})
	if err != nil {
		tb.Fatal(err)
	}
	var legal bg.Plays
	for rec.Winner() == None {
		if err := rec.BeginGame(); err != nil {
			tb.Fatal(err)
		}
		for turn := rng.IntN(2); rec.Playing(); turn = 1 - turn {
			board, _, _ := rec.Position()
			d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
			results := legal.Generate(&board, d1, d2)
			best, fewest := 0, 99
			for i, from := 0, rng.IntN(len(results)); i < len(results); i++ {
				k := (from + i) % len(results)
				if n := blots(&results[k].Opp); n < fewest {
					best, fewest = k, n
				}
			}
			if err := rec.Roll(turn, d1, d2, results[best]); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return rec.Match()
}

func blots(s *bg.Side) (n int) {
	for _, c := range s {
		if c == 1 {
			n++
		}
	}
	return n
}

// cpuSeconds is the processor time of the process so far, of all threads.
func cpuSeconds(tb testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// peakMB is the largest resident memory of the process so far.
func peakMB(tb testing.TB) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		tb.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		tb.Fatal(err)
	}
	return kb / 1e3
}
