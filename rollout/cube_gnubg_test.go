//go:build integration

package rollout

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
)

// gnubgCube is a line of testdata/gnubg-cube-rollouts.txt: equities of no double and of
// double and take, normalized to the cube before it, as GNU Backgammon rolled them out.
type gnubgCube struct {
	xgid          string
	board         bg.Board
	state         cube.State
	equity, error [2]float64
}

func gnubgCubes(t testing.TB) (all []gnubgCube) {
	t.Helper()
	text, err := os.ReadFile("testdata/gnubg-cube-rollouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var g gnubgCube
		e, se := &g.equity, &g.error
		if _, err = fmt.Sscan(line, &g.xgid, &e[0], &se[0], &e[1], &se[1]); err == nil {
			g.board, _, err = bg.ParseXGID(g.xgid)
		}
		if err == nil {
			g.state, err = cube.ParseXGID(g.xgid, table)
		}
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		// They are normalized to the doubled cube.
		doubled := g.state.Doubled()
		to := func(equity float64) float64 { return g.state.Normalized(doubled.Value(equity)) }
		e[1], se[1] = to(e[1]), to(se[1])-to(0)
		all = append(all, g)
	}
	return all
}

// GNU Backgammon's nets and cube model, rolled out here and by GNU Backgammon itself, find
// the same equities of no double and of double and take.
func TestCubefulBesideGNUbg(t *testing.T) {
	p, small := gnubgPlayers(t)
	o := DefaultOptions()
	o.Trials, o.Truncate, o.Small, o.Seed = 72, 0, small, 1
	e := newCubeEngine(t, p, o, cube.Handling{Model: cube.GNUbg{}})
	n, within, squares := 0.0, 0.0, 0.0
	for i, g := range gnubgCubes(t) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		d := rollCube(t, e, &g.board, g.state, 0)
		for i, ours := range []struct{ mean, se float64 }{{d.NoDouble.Mean, d.NoDouble.SE},
			{d.DoubleTake.Mean, d.DoubleTake.SE}} {
			// Theirs are printed with five digits.
			d := ours.mean - g.equity[i]
			d = math.Copysign(max(math.Abs(d)-2e-5, 0), d)
			z := d / max(math.Hypot(ours.se, g.error[i]), 1e-9)
			n, squares = n+1, squares+z*z
			if math.Abs(z) <= 2 {
				within++
			}
			said := fmt.Sprintf("%s, cube turned %d times: %+.5f ± %.5f, GNU Backgammon %+.5f ± %.5f: %+.2f", g.xgid, i,
				ours.mean, ours.se, g.equity[i], g.error[i], z)
			if t.Log(said); math.Abs(z) > 4 {
				t.Error(said)
			}
		}
	}
	t.Logf("%v equities, %.1f %% within 2 standard errors, mean square %.2f", n, 100*within/n, squares/n)
	if within < 0.95*n {
		t.Errorf("%v of %v equities within 2 standard errors", within, n)
	}
}

var (
	cubefulEquity = regexp.MustCompile(`CF +([-+][\d.]+)`)
	cubefulError  = regexp.MustCompile(`CF +([\d.]+)\]`)
)

//go:embed testdata/cube-rollouts.py
var gnubgCubeScript string

// BenchmarkCubefulSpeedBesideGNUbg reports how many times as fast as GNU Backgammon a cubeful
// rollout of no double and of double and take is at equal standard errors: one core, the same
// nets, both in one run, the geometric mean over every tenth of the positions.
func BenchmarkCubefulSpeedBesideGNUbg(b *testing.B) {
	p, small := gnubgPlayers(b)
	for b.Loop() {
		gain, n := 0.0, 0.0
		for i, g := range gnubgCubes(b) {
			if i%10 != 5 {
				continue
			}
			doubled := g.state.Doubled()
			var theirs, ours [2]float64 // variance of both equities, seconds
			length := g.state.Away + g.state.Opponent
			for k, s := range []*cube.State{&g.state, &doubled} {
				said, seconds := scriptInGNUbg(b, gnubgCubeScript, "TRIALS=72",
					"XGID="+strings.TrimPrefix(s.XGID(&g.board, [2]int{}, length), "XGID="))
				se := last(b, cubefulError, said)[0]
				if k == 1 {
					se *= g.state.Normalized(doubled.Value(1)) - g.state.Normalized(doubled.Value(0))
				}
				theirs[0], theirs[1] = theirs[0]+se*se, theirs[1]+seconds
				b.Logf("%s: GNU Backgammon %+.4f ± %.4f, %.2f s", g.xgid, last(b, cubefulEquity, said)[0], se, seconds)
			}
			o := DefaultOptions()
			o.Trials, o.Truncate, o.Small, o.Seed = 360, 0, small, 1
			e := newCubeEngine(b, p, o, cube.Handling{Model: cube.GNUbg{}})
			begun := cpuSeconds()
			d := rollCube(b, e, &g.board, g.state, 1)
			ours[0], ours[1] = d.NoDouble.SE*d.NoDouble.SE+d.DoubleTake.SE*d.DoubleTake.SE, cpuSeconds()-begun
			times := theirs[0] * theirs[1] / (ours[0] * ours[1])
			b.Logf("%s: here ± %.4f, ± %.4f, %.2f s: %.1f times as fast", g.xgid, d.NoDouble.SE, d.DoubleTake.SE, ours[1],
				times)
			if math.Min(theirs[0], ours[0]) > 1e-6 { // where there is an error to speak of
				gain, n = gain+math.Log(times), n+1
			}
		}
		b.ReportMetric(math.Exp(gain/n), "times-gnubg")
	}
	b.ReportMetric(0, "ns/op")
}
