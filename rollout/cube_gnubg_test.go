//go:build integration

package rollout

import (
	"fmt"
	"math"
	"os"
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
	// So many trials do not see what happens in one of a hundred games: a won game that is
	// lost after all changes such a mean by more than its own error says.
	const rare = 0.01
	n, within, squares := 0.0, 0.0, 0.0
	for _, g := range gnubgCubes(t) {
		d := rollCube(t, e, &g.board, g.state, 0)
		for i, ours := range []struct{ mean, se float64 }{{d.NoDouble.Mean, d.NoDouble.SE},
			{d.DoubleTake.Mean, d.DoubleTake.SE}} {
			// Theirs are printed with five digits.
			d := ours.mean - g.equity[i]
			z := math.Copysign(max(math.Abs(d)-2e-5, 0), d) / math.Hypot(max(ours.se, rare), max(g.error[i], rare))
			n, squares = n+1, squares+z*z
			if math.Abs(z) <= 2 {
				within++
			}
			t.Logf("%s %+.4f ± %.4f, GNU Backgammon %+.4f ± %.4f: %+.2f", g.xgid, ours.mean, ours.se, g.equity[i],
				g.error[i], z)
			if math.Abs(z) > 4 {
				t.Errorf("%s, cube turned %d times: %+.4f ± %.4f, GNU Backgammon %+.4f ± %.4f", g.xgid, i, ours.mean,
					ours.se, g.equity[i], g.error[i])
			}
		}
	}
	t.Logf("%v equities, %.1f %% within 2 standard errors, mean square %.2f", n, 100*within/n, squares/n)
	if within < 0.95*n {
		t.Errorf("%v of %v equities within 2 standard errors", within, n)
	}
}
