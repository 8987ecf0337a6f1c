package grow

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDifferences(t *testing.T) {
	const base = `# a comment
nets: {hidden: [8]}

start:
  games: 100   # few
rounds:
  - positions: {n: 100,
      margin: 0.1}
  - repeat: 2
    labels: {lambda: 0.7}
`
	for _, c := range []struct {
		name    string
		recipes []string
		want    []Difference
	}{
		{"none", nil, nil},
		{"one", []string{base}, nil},
		{"alike but for comments", []string{base, strings.Replace(base, "# a comment", "# another", 1)}, nil},
		{"a value", []string{base, strings.Replace(base, "[8]", "[12]", 1)},
			[]Difference{{"nets", []string{"nets: {hidden: [8]}", "nets: {hidden: [12]}"}}}},
		{"below a key", []string{base, strings.Replace(base, "games: 100   # few", "games: 200", 1)},
			[]Difference{{"start, games", []string{"games: 100   # few", "games: 200"}}}},
		{"a line that goes on", []string{base, strings.Replace(base, "n: 100", "n: 5", 1)},
			[]Difference{{"round 1, positions", []string{"positions: {n: 100,", "positions: {n: 5,"}}}},
		{"three, one lacks a line", []string{base, strings.Replace(base, "    labels: {lambda: 0.7}\n", "", 1), base},
			[]Difference{{"round 2, labels", []string{"labels: {lambda: 0.7}", "", "labels: {lambda: 0.7}"}}}},
		{"a line before others", []string{base, "seed: 3\n" + strings.Replace(base, "repeat: 2", "repeat: 4", 1)},
			[]Difference{{"seed", []string{"", "seed: 3"}}, {"round 2, repeat", []string{"repeat: 2", "repeat: 4"}}}},
		{"the first key of an entry", []string{"rounds: [{}]\n", "rounds:\n  - labels: {}\n"},
			[]Difference{{"rounds", []string{"rounds: [{}]", "rounds:"}}, {"round 1, labels", []string{"", "labels: {}"}}}},
		{"no YAML", []string{"a: [\nb\n", "a: [\nc\n"}, []Difference{{"line 2", []string{"b", "c"}}}},
	} {
		if got := Differences(c.recipes); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A text does not differ from itself, whatever it is.
func FuzzDifferences(f *testing.F) {
	for _, text := range []string{"", tiny, "a: &x [1]\nb: *x\n", "- - a: 1\n", "? {a: 1}\n: 2\n", "a: |\n  b: 1\n"} {
		f.Add(text, tiny)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if d := Differences([]string{a, a}); d != nil {
			t.Errorf("%q", d)
		}
		for _, d := range Differences([]string{a, b}) {
			if d.Where == "" || d.Lines[0] == d.Lines[1] {
				t.Errorf("%q", d)
			}
		}
	})
}

func TestCharts(t *testing.T) {
	var names []string
	var logs []*Log
	for _, name := range []string{"base", "wider"} {
		log, err := ReadLog(filepath.Join("testdata", "runs", name))
		if err != nil {
			t.Fatal(err)
		}
		names, logs = append(names, name), append(logs, log)
	}
	charts := Charts(names, logs, Wall)
	var titles []string
	for _, c := range charts {
		titles = append(titles, c.Title)
		if len(c.Series) != 2 || c.Series[0].Name != "base" || !strings.HasPrefix(c.X, "minutes, wall") {
			t.Errorf("%+v", c)
		}
	}
	if got := strings.Join(titles, "; "); got != "against GNU Backgammon’s nets; equities within decisions; plays chosen; "+
		"against the player before" {
		t.Error(got)
	}
	// Round 2 of the first did not pass; its fourth was measured on other decisions.
	points, within := charts[0].Series[0], charts[1].Series[0]
	if want := []float64{-1.7675, -2.3917, -1.9661}; !reflect.DeepEqual(points.Y, want) || len(points.SE) != 3 ||
		math.Abs(points.X[0]-logs[0].Rounds[0].Seconds/60) > 1e-12 {
		t.Errorf("%+v", points)
	}
	if len(within.Y) != 4 || !math.IsNaN(within.Y[2]) || within.SE != nil {
		t.Errorf("%+v", within)
	}
	if c := Charts(names, logs, Processors); !strings.HasPrefix(c[0].X, "seconds, processor time over two") ||
		c[0].Series[1].X[0] != logs[1].Rounds[0].ProcessorSeconds/2 {
		t.Errorf("%+v", c[0])
	}
	if c := Charts([]string{""}, []*Log{{}}, Wall); c != nil {
		t.Errorf("of nothing: %+v", c)
	}
}

func TestLook(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, ago time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{path, filepath.Dir(path)} {
			if at := time.Now().Add(-ago); os.Chtimes(p, at, at) != nil {
				t.Fatal(p)
			}
		}
	}
	look := func(stage Kind, ago time.Duration, rounds int) {
		t.Helper()
		s, err := Look(dir)
		if err != nil || s.Stage != stage || len(s.Log.Rounds) != rounds || s.Recipe != "seed: 1\n" {
			t.Fatalf("%+v, %v", s, err)
		}
		if d := time.Since(s.Wrote) - ago; d < -time.Second || d > time.Minute {
			t.Errorf("written %v ago, want %v", time.Since(s.Wrote), ago)
		}
	}
	if IsRun(dir) || IsRun(filepath.Join(dir, "none")) {
		t.Error("an empty directory is a run")
	}
	write(givenFile, "seed: 1\n", 9*time.Hour)
	if !IsRun(dir) {
		t.Error("a run that was begun is none")
	}
	look("", 9*time.Hour, 0)
	write("stages/td-0/"+recordFile, "{}", 8*time.Hour)
	look("", 9*time.Hour, 0)
	write("stages/prune-0/"+clockFile, "{}", 7*time.Hour) // of another recipe, say
	write("stages/labels-0/rows.parts/part-1", "", 2*time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "stages", "labels-0"), time.Time{}, time.Now().Add(-6*time.Hour)); err != nil {
		t.Fatal(err)
	}
	look(KindLabels, 2*time.Hour, 0)
	write(LogFile, `{"round":1}`+"\n", time.Hour)
	look(KindLabels, 2*time.Hour, 1)
	write(LogFile, `{"round":1}`+"\n"+`{"round":1,"decision":"end","reason":"x"}`+"\n", time.Hour)
	look("", time.Hour, 1)
	write(LogFile, "{\n", 0)
	if _, err := Look(dir); err == nil || !strings.Contains(err.Error(), "grow.jsonl:1") {
		t.Error(err)
	}
	t.Chdir(dir)
	if name := RunName("."); name != filepath.Base(dir) || RunName("a/b/") != "b" {
		t.Error(name)
	}
}
