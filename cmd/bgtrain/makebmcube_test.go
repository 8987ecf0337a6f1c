package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/score"
	"bgtrain/data"
)

// cubeJSON is an entry of cube decisions in the JSON of score, as other programs read it.
type cubeJSON struct {
	Class     string  `json:"class"`
	Model     string  `json:"model"`
	Decisions int     `json:"decisions"`
	ER        float64 `json:"er"`
	SE        float64 `json:"se"`

	score.CubeScore // the rest
}

// Rolled-out candidates are cube decisions of the player on roll: as o records
// they are scored, and a report has the same figures.
func TestCubeRecordsOfRollouts(t *testing.T) {
	dir := t.TempDir()
	text, err := fs.ReadFile(data.Files(), "benchmarks/contact.bm")
	if err != nil {
		t.Fatal(err)
	}
	cubes := regexp.MustCompile(`(?m)^(?:[^#]|#[^R]|# ).*\n`).ReplaceAll(text, nil)
	cubes = regexp.MustCompile(`(?m)^#R`).ReplaceAll(cubes, []byte("o"))
	t.Chdir(dir)
	if err := os.WriteFile("cubes.bm", append(cubes, text...), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := bm.ReadFile("cubes.bm", bm.ReadOptions{})
	if err != nil || len(f.Cubes) < 2*len(f.Records) {
		t.Fatalf("%d cube records, %d others, %v", len(f.Cubes), len(f.Records), err)
	}

	status, out, log := bgtrainIn(t, dir, strings.Fields("score --net td --json cubes.bm")...)
	if status != exitDone {
		t.Fatal(log)
	}
	var got struct{ Cube []*cubeJSON }
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Cube) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	// A file of nothing else has no table of plays.
	if err := os.WriteFile("only.bm", cubes, 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, log = bgtrainIn(t, dir, strings.Fields("score --net td --against fast --breakdown --worst 2 only.bm")...)
	if status != exitDone || !strings.Contains(out, "Cube decisions") || strings.Contains(out, "wrong  out") ||
		strings.Contains(out, "NaN") || strings.Contains(out, "only.bm") {
		t.Errorf("%d: %s%s", status, out, log)
	}
	if status, _, log := bgtrainIn(t, dir,
		strings.Fields("report --net td --bm cubes.bm -o page.html")...); status != exitDone {
		t.Fatal(log)
	}
	page, err := os.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "<h3>Cube decisions</h3>")
	c := got.Cube[0]
	if c.Class != "cube" || c.Decisions != len(f.Cubes) || c.ER <= 0 || c.WrongDoubles+c.MissedDoubles == 0 ||
		c.WrongTakes+c.WrongPasses == 0 {
		t.Errorf("%+v", c)
	}
	row := fmt.Sprintf(`<tr><th scope="row">td</th><td>%d</td><td><b>%.2f</b> <span class="se">± %.2f</span></td><td>%.2f</td><td>%.2f</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>`,
		c.Decisions, c.ER, c.SE, c.Double.Mean, c.Answer.Mean, c.WrongDoubles, c.MissedDoubles, c.WrongTakes, c.WrongPasses)
	if !found || !strings.Contains(table, row) {
		t.Errorf("no %s in %.1500s", row, table)
	}
}
