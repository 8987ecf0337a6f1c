//go:build integration

package rollout

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/gnubgtest"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
)

//go:embed testdata/rollout.py
var gnubgRolloutScript string

// gnubgRolling describes how GNU Backgammon is to roll out.
type gnubgRolling struct {
	trials   int
	truncate int // plies, 0 for none
	leafPly  int // look-ahead of the value at truncation
	seed     int
}

var (
	gnubgOutputs = regexp.MustCompile(`(?m)^ *([\d.]+) ([\d.]+) ([\d.]+) - [\d.]+ ([\d.]+) ([\d.]+) CL +[-+][\d.]+\s*$`)
	gnubgErrors  = regexp.MustCompile(`(?m)^ *\[([\d.]+) ([\d.]+) ([\d.]+) - [\d.]+ ([\d.]+) ([\d.]+) CL +([\d.]+)\]`)
)

// scriptInGNUbg runs a script that rolls out inside the installed GNU Backgammon, vars its
// environment. It returns what was shown, on a terminal only, which script(1) gives it, and what
// the process used of the CPU during the rollout.
func scriptInGNUbg(t testing.TB, text string, vars ...string) (said []byte, seconds float64) {
	t.Helper()
	gnubg := gnubgtest.Binary(t)
	pty, err := exec.LookPath("script")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := t.TempDir()
	script, out := filepath.Join(dir, "rollout.py"), filepath.Join(dir, "seconds")
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, pty, "-q", "-c", `exec "$GNUBG" -t -q -r -s "$SETTINGS" -p "$SCRIPT"`, os.DevNull)
	cmd.Env = append(append(os.Environ(), "GNUBG="+gnubg, "SETTINGS="+dir, "SCRIPT="+script, "OUT="+out), vars...)
	said, err = cmd.CombinedOutput()
	var took []byte
	if err == nil {
		took, err = os.ReadFile(out)
	}
	if err != nil {
		t.Fatalf("gnubg: %v\n%s", err, said[max(0, len(said)-2000):])
	}
	if seconds, err = strconv.ParseFloat(strings.TrimSpace(string(took)), 64); err != nil {
		t.Fatalf("gnubg: %v", err)
	}
	return said, seconds
}

// last returns the numbers of the last match in what GNU Backgammon said: it goes on showing
// what it has so far.
func last(t testing.TB, re *regexp.Regexp, said []byte) []float64 {
	t.Helper()
	all := re.FindAllSubmatch(said, -1)
	if len(all) == 0 {
		t.Fatalf("gnubg: no result\n%s", said[max(0, len(said)-2000):])
	}
	numbers := make([]float64, len(all[0])-1)
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.ParseFloat(string(all[len(all)-1][1+i]), 64); err != nil {
			t.Fatalf("gnubg: %v", err)
		}
	}
	return numbers
}

// rollOutInGNUbg lets GNU Backgammon roll a position out: one thread, variance reduction,
// cubeless, plays at 0-ply.
func rollOutInGNUbg(t testing.TB, b *bg.Board, how gnubgRolling) gnubgRollout {
	t.Helper()
	said, seconds := scriptInGNUbg(t, gnubgRolloutScript, "KEY="+b.Key().String(),
		fmt.Sprintf("TRIALS=%d", how.trials), fmt.Sprintf("TRUNCATE=%d", how.truncate),
		fmt.Sprintf("LEAF=%d", how.leafPly), fmt.Sprintf("SEED=%d", how.seed))
	mean, se := last(t, gnubgOutputs, said), last(t, gnubgErrors, said)
	r := gnubgRollout{id: b.Key().String(), board: *b, truncate: how.truncate, equitySE: se[5], seconds: seconds}
	for k := range r.outputs {
		r.outputs[k], r.se[k] = mean[k], se[k]
	}
	return r
}

// At truncation GNU Backgammon takes what its settings call the truncation cube
// evaluation: at 2-ply with pruning unless it is told otherwise, cubeless rollout
// or not. After one ply 36 trials have every roll once, so its rollout has no
// variance, and is the mean over the rolls of that evaluation: it is ours with
// leaves at 0-ply or at 2-ply, which are 0.004 apart in one of the positions and 0.06
// in the other.
func TestTruncationOfGNUbg(t *testing.T) {
	f, err := nets.Read(gnubgtest.Weights(t))
	if err != nil {
		t.Fatal(err)
	}
	db, err := bearoff.Open(t.Context(), bearoff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(f, db, player.Options{Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"OAHDPAABDAOAHDPAABDA", "GIFKGCDFEAFFAFAABAAA"} {
		b, err := bg.ParsePosition(key)
		if err != nil {
			t.Fatal(err)
		}
		for _, leaf := range []int{0, 2} {
			theirs := rollOutInGNUbg(t, &b, gnubgRolling{trials: 36, truncate: 1, leafPly: leaf, seed: 1})
			e := newEngine(t, p, Options{Trials: 36, Truncate: 1, LeafPly: leaf})
			ours, err := e.NewRoller().Rollout(t.Context(), &b)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, leaves at %d-ply: %.5f, theirs %.5f", key, leaf, ours.Mean, theirs.outputs)
			// The processor's approximate reciprocal, which they use, may be another, and
			// pruning may then keep another play.
			const tolerance = 1e-4
			for k, v := range ours.Mean {
				if math.Abs(v-theirs.outputs[k]) > tolerance {
					t.Errorf("%s, leaves at %d-ply, output %d: %.5f, theirs %.5f", key, leaf, k, v, theirs.outputs[k])
				}
			}
		}
	}
}

// comparison is a rollout of ours beside one of GNU Backgammon's.
type comparison struct {
	theirs  gnubgRollout
	ours    Result
	seconds float64 // of one CPU, ours
}

// gain is how many times as fast ours is at an equal standard error.
func (c *comparison) gain() float64 {
	return c.theirs.seconds * c.theirs.equitySE * c.theirs.equitySE / (c.seconds * c.ours.EquitySE * c.ours.EquitySE)
}

// beside rolls a position out on one core: ours, GNU Backgammon, ours again, with
// other dice; times and variances of our two are averaged. Ours are given plies
// more for leaves that look ahead, which stands for the same and costs about the same.
func beside(t testing.TB, p, small *player.Player, b *bg.Board, how gnubgRolling) (c comparison) {
	t.Helper()
	var variance, equity float64
	for i := range 2 {
		o := DefaultOptions()
		o.Trials, o.Small, o.Seed = 1296, small, uint64(how.seed+i)
		if o.Truncate = how.truncate; o.Truncate > 0 {
			o.Truncate += how.leafPly
		}
		roller := newEngine(t, p, o).NewRoller()
		begun := cpuSeconds()
		r, err := roller.Rollout(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		c.seconds += (cpuSeconds() - begun) / 2
		variance += r.EquitySE * r.EquitySE / 2
		equity += r.Equity() / 2
		if i == 0 {
			c.theirs = rollOutInGNUbg(t, b, how)
		}
		c.ours = r
	}
	c.ours.EquitySE = math.Sqrt(variance)
	t.Logf("%s, %4d trials, truncate %d, leaves at %d-ply: GNU Backgammon %+.5f ± %.5f in %6.2f s; 1296 trials "+
		"here %+.5f ± %.5f in %5.2f s: %5.1f times as fast at an equal error",
		c.theirs.id, how.trials, how.truncate, how.leafPly, c.theirs.outputs.equity(), c.theirs.equitySE, c.theirs.seconds,
		equity, c.ours.EquitySE, c.seconds, c.gain())
	if d := math.Abs(equity - c.theirs.outputs.equity()); d > 4*math.Hypot(c.theirs.equitySE, c.ours.EquitySE) {
		t.Errorf("%s: equities differ by %.5f", c.theirs.id, d)
	}
	return c
}

// BenchmarkSpeedBesideGNUbg reports how many times as fast as GNU Backgammon a
// rollout is at an equal standard error, one core, the same nets, both in one run.
// Times are of the CPU; what GNU Backgammon needs to show its progress is among
// them, about one part in twenty. All of it takes some 15 minutes of one core with
// -benchtime 1x; -bench SpeedBesideGNUbg/opening-leaves a minute.
func BenchmarkSpeedBesideGNUbg(b *testing.B) {
	p, small := gnubgPlayers(b)
	var contact []bg.Board
	for _, g := range gnubgRollouts(b) {
		if g.truncate == 7 && g.board != bg.Start && bg.Classify(&g.board) == bg.Contact && len(contact) < 10 {
			contact = append(contact, g.board)
		}
	}
	opening := []bg.Board{bg.Start}
	for _, s := range []struct {
		name   string
		how    gnubgRolling
		boards []bg.Board
	}{
		{"opening-leaves", gnubgRolling{trials: 144, truncate: 7, leafPly: 2, seed: 1}, opening},
		{"opening-truncated", gnubgRolling{trials: 1296, truncate: 7, seed: 1}, opening},
		{"opening-truncated-leaves", gnubgRolling{trials: 1296, truncate: 7, leafPly: 2, seed: 1}, opening},
		{"opening-to-the-end", gnubgRolling{trials: 1296, seed: 1}, opening},
		{"contact-truncated", gnubgRolling{trials: 1296, truncate: 7, seed: 1}, contact},
		{"contact-to-the-end", gnubgRolling{trials: 144, seed: 1}, contact},
	} {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				sum := 0.0
				for i := range s.boards {
					c := beside(b, p, small, &s.boards[i], s.how)
					sum += math.Log(c.gain())
				}
				b.ReportMetric(math.Exp(sum/float64(len(s.boards))), "times-gnubg")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// A rollout here and one of the installed GNU Backgammon find the same equity.
func TestEquityBesideGNUbg(t *testing.T) {
	p, small := gnubgPlayers(t)
	start := bg.Start
	beside(t, p, small, &start, gnubgRolling{trials: 144, truncate: 7, leafPly: 2, seed: 1})
}
