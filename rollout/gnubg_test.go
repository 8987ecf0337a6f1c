//go:build integration

package rollout

import (
	"bufio"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
)

// gnubgRollout is a line of testdata/gnubg-rollouts.txt: a rollout by GNU
// Backgammon 1.07, see the file's first line.
type gnubgRollout struct {
	id       string // key, class and truncation
	board    bg.Board
	truncate int
	outputs  values
	se       [bg.NumOutputs]float64
	equitySE float64
	seconds  float64 // of one CPU
}

func gnubgRollouts(t testing.TB) []gnubgRollout {
	t.Helper()
	f, err := os.Open("testdata/gnubg-rollouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []gnubgRollout
	for sc := bufio.NewScanner(f); sc.Scan(); {
		w := strings.Fields(sc.Text())
		if w[0] == "#" {
			continue
		}
		var g gnubgRollout
		g.id = strings.Join(w[:3], " ")
		if g.board, err = bg.ParsePosition(w[0]); err != nil {
			t.Fatal(err)
		}
		number := func(i int) float64 {
			v, err := strconv.ParseFloat(w[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		g.truncate = int(number(2))
		for k := range g.outputs {
			g.outputs[k], g.se[k] = number(4+k), number(10+k)
		}
		g.equitySE, g.seconds = number(15), number(16)
		out = append(out, g)
	}
	return out
}

// gnubgPlayers returns GNU Backgammon's own nets as a player, and its pruning
// nets.
func gnubgPlayers(t testing.TB) (p, small *player.Player) {
	t.Helper()
	const path = "/usr/lib/gnubg/gnubg.wd"
	f, err := nets.Read(path)
	if err != nil {
		if os.Getenv("CI") == "" {
			t.Skipf("no nets of GNU Backgammon: %v", err)
		}
		t.Fatal(err)
	}
	db, err := bearoff.Open(t.Context(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = player.New(f, db, player.Options{}); err != nil {
		t.Fatal(err)
	}
	if small, err = player.New(f.PruningPlayer(), db, player.Options{}); err != nil {
		t.Fatal(err)
	}
	return p, small
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// With GNU Backgammon's nets we find what its rollouts find: 99 % of the outputs
// within three joint standard errors.
func TestAgreesWithGNUBackgammon(t *testing.T) {
	p, small := gnubgPlayers(t)
	numbers, far := 0, 0
	squares := 0.0
	for _, g := range gnubgRollouts(t) {
		o := DefaultOptions()
		o.Trials, o.Small, o.Seed = 1296, small, 1
		if testing.Short() {
			o.Trials = 324
		}
		if o.Truncate = g.truncate; o.Truncate > 0 {
			// At truncation GNU Backgammon takes a 2-ply value by default, see
			// TestTruncationOfGNUbg, which stands for two more plies.
			o.Truncate += 2
		}
		e := newEngine(t, p, o)
		r, err := e.Rollout(t.Context(), &g.board, runtime.GOMAXPROCS(0), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Exact {
			t.Logf("%s: a position of the bearoff database", g.id)
		}
		for k, v := range r.Mean {
			// Theirs are printed with five digits.
			d := max(math.Abs(v-g.outputs[k])-1e-5, 0)
			se := math.Hypot(r.SE[k], g.se[k])
			numbers++
			if d > 0 {
				squares += d * d / se / se
			}
			if d > 3*se {
				far++
				t.Logf("%s: output %d is %.5f ± %.5f, theirs %.5f ± %.5f", g.id, k, v, r.SE[k], g.outputs[k], g.se[k])
			}
		}
		t.Logf("%-32s equity %+.5f ± %.5f, theirs %+.5f ± %.5f", g.id, r.Equity(), r.EquitySE, g.outputs.equity(),
			g.equitySE)
	}
	t.Logf("%d of %d numbers more than 3 joint standard errors apart, mean square %.2f of them", far, numbers,
		squares/float64(numbers))
	if float64(far) > 0.01*float64(numbers) {
		t.Error("too many numbers too far apart")
	}
}
