package cube

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube/met"
)

// golden is a cube decision with what GNU Backgammon 1.07 says of it at 0-ply.
type golden struct {
	xgid             string
	position         Position
	state            State
	best, nd, dt, dp float64
	action           Action
}

// readGolden reads testdata/gnubg-cube.txt.gz, whose first line says the columns.
func readGolden(t *testing.T) (all []golden) {
	t.Helper()
	f, err := os.Open("testdata/gnubg-cube.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	table := defaultTable(t)
	sc := bufio.NewScanner(z)
	for sc.Scan() {
		if strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		g, err := parseGolden(sc.Text(), table)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if len(all) < 350 {
		t.Fatalf("%d decisions", len(all))
	}
	return all
}

func parseGolden(line string, table *met.Table) (g golden, err error) {
	f := strings.Split(line, "|")
	if len(f) != 5 {
		return g, fmt.Errorf("%d columns: %q", len(f), line)
	}
	g.xgid = strings.TrimSpace(f[0])
	b, _, err := bg.ParseXGID(g.xgid)
	if err != nil {
		return g, err
	}
	if g.state, err = ParseXGID(g.xgid, table); err != nil {
		return g, err
	}
	var o bg.Outputs
	if _, err = fmt.Sscan(f[2], &o[0], &o[1], &o[2], &o[3], &o[4]); err != nil {
		return g, err
	}
	g.position = PositionOf(&b, &o)
	if _, err = fmt.Sscan(f[3], &g.best, &g.nd, &g.dt, &g.dp); err != nil {
		return g, err
	}
	g.action = recommended(f[4])
	return g, nil
}

// recommended turns GNU Backgammon's words into an action.
func recommended(text string) Action {
	text = strings.TrimSpace(text)
	a := "double"
	switch {
	case strings.HasPrefix(text, "Too good"):
		a = "too-good"
	case strings.HasPrefix(text, "No "), strings.HasPrefix(text, "Never "):
		a = "no-double"
	}
	if strings.Contains(text, "take") {
		return Action(a + "/take")
	}
	return Action(a + "/pass")
}

// From GNU Backgammon's own cubeless outputs, the model gnubg finds its equities
// and its actions.
func TestGNUbgEquities(t *testing.T) {
	for _, g := range readGolden(t) {
		if g.position.Class == bg.Bearoff {
			continue // may be exact there
		}
		d := Decide(GNUbg{}, &g.position, &g.state)
		off := max(math.Abs(d.NoDouble-g.nd), math.Abs(d.DoubleTake-g.dt), math.Abs(d.DoublePass-g.dp),
			math.Abs(d.Best()-g.best))
		if off > 2e-4 {
			t.Errorf("%s: %+v, GNU Backgammon %v %v %v", g.xgid, d, g.nd, g.dt, g.dp)
		}
		if d.Action != g.action {
			t.Errorf("%s: %s, GNU Backgammon %s", g.xgid, d.Action, g.action)
		}
	}
}

func defaultTable(t testing.TB) *met.Table {
	t.Helper()
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return table
}
