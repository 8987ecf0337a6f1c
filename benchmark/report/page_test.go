package report

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/stats"
	"bgtrain/trainer/curve"
	"bgtrain/trainer/grow"
)

// named is a player under another name.
type named struct {
	opponents.Player
	name string
}

func (n named) Name() string { return n.name }

const nasty = `<script>alert("x")</script>&'`

// testInput has every section; all its texts are nasty.
func testInput(t *testing.T) *Input {
	t.Helper()
	f, err := bm.ReadFile("../bm/testdata/contact.bm", bm.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a<b>.curve.jsonl")
	lines := `{"net":"<i>","epoch":0,"er":12}` + "\n" + `{"net":"<i>","epoch":1,"train_loss":0.5,"er":10}` + "\n"
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := curve.ReadRun(path)
	if err != nil {
		t.Fatal(err)
	}
	layer := nn.Layer{In: 2, Out: 5, Weights: make([]float32, 10), Bias: make([]float32, 5), Beta: 1}
	net := &nets.Set{Provenance: map[string]string{"data": nasty}, Nets: map[nets.Role]*nets.Entry{
		nets.Contact: {Net: &nn.Net{Layers: []nn.Layer{layer}}, Inputs: nasty,
			Provenance: map[string]string{nasty: "1"}}}}
	in := &Input{
		Title: nasty, Command: "bgtrain report " + nasty, Made: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Worst: 3,
		Nets: []Net{{nasty, net}}, Curves: []curve.Run{c},
		Database: &Database{Info: &dataset.Info{Path: nasty, Rows: 1234567, Command: nasty, Missing: []int{2},
			Classes: []dataset.ClassInfo{{Class: "contact",
				Rows: 1234567}}, Methods: []dataset.ValueCount{{Value: nasty, Rows: 3}, {Rows: 2}}}},
	}
	in.Grown = append(ReadGrown([]string{"../../trainer/grow/testdata/runs/base"}),
		GrownRun{Name: nasty, Seen: &grow.Seen{Recipe: nasty, Log: &grow.Log{
			Rounds:    []grow.RoundLine{{Round: 1, Against: nasty, Others: []grow.Played{{Against: nasty}}}},
			Decisions: []grow.Decision{{Round: 1, Decision: nasty, From: nasty, To: nasty, Reason: nasty}}}}})
	in.Database.Plans[bg.Priming].Positions = 1234567
	players := []opponents.Player{named{opponents.PubEval{}, "ours" + nasty}, opponents.PubEval{}, opponents.Random{}}
	j, err := score.Judge(t.Context(), players, score.Judging{Files: []*bm.File{f}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	in.Judgment = *j
	k := &score.Calibration{Positions: 10, Classes: map[string]score.ClassError{"contact": {Positions: 10}}}
	k.Outputs[bg.Win].Bins = []score.Bin{{Positions: 10, Predicted: 0.6, RolledOut: stats.Stat{Mean: 0.62, SE: 0.01}}}
	in.Calibrations = []score.NetCalibration{{Player: in.Players[0].Name(), From: nasty, Calibration: k}}
	return in
}

func writePage(t *testing.T, in *Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPageEscapes(t *testing.T) {
	page := writePage(t, testInput(t))
	frame := NewFrame("", "", "", pageJS)
	own := "<script>" + string(frame.Script) + "</script>"
	if strings.Count(page, own) != 1 || strings.Count(html.UnescapeString(page), "script-src '"+frame.ScriptHash+"'") != 1 {
		t.Error("the page's own script, or the leave to run it, is not as it was written")
	}
	page = strings.Replace(page, own, "", 1)
	for _, bad := range []string{"<script", "<i>", "ZgotmplZ", "NaN", "%!"} {
		if strings.Contains(page, bad) {
			i := strings.Index(page, bad)
			t.Errorf("%s in the page: …%s…", bad, page[max(0, i-100):min(len(page), i+100)])
		}
	}
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1) {
		elements(t, svg)
	}
}

// TestPageLoadsNothing checks that no element or style refers to anything
// outside the page.
func TestPageLoadsNothing(t *testing.T) {
	page := strings.ReplaceAll(writePage(t, testInput(t)), `xmlns="http://www.w3.org/2000/svg"`, "")
	for _, bad := range []string{"http:", "https:", "src=", "url(", "@import", "<link", "<img", "<iframe"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s in the page", bad)
		}
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[1], "#") || !strings.Contains(page, `id="`+m[1][1:]+`"`) {
			t.Errorf("link to %q", m[1])
		}
	}
}

func TestPageShows(t *testing.T) {
	in := testInput(t)
	page := writePage(t, in)
	for _, want := range []string{
		"2 January 2026", "Error rates", "Worst decisions", "Calibration", "Learning curves", "Nets", "Database",
		"contact.bm", "1\u202f234\u202f567", `<form id="filter"`, `data-text="XGID=`, `<details open>`, "Parts are missing: [2]", "priming", "random", "(not said)",
		`<td>100.0 %</td><td>&#43;0.00 <span class="se">± 0.00</span> <span class="mark even">even</span></td>`, // against itself
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if n := strings.Count(page, `class="board"`); n != in.Worst {
		t.Errorf("%d boards, want %d", n, in.Worst)
	}
	if again := writePage(t, in); again != page {
		t.Error("the same input gives another page")
	}
}

// TestPageWithout checks that sections without content are not there.
func TestPageWithout(t *testing.T) {
	page := writePage(t, &Input{Title: "nothing"})
	for _, bad := range []string{"<section", "<a ", "<footer", "About"} {
		if strings.Contains(page, bad) {
			t.Errorf("%s in the page of nothing", bad)
		}
	}
}

// TestWorst checks the order of the decisions and that all the players' plays are
// in their tables.
func TestWorst(t *testing.T) {
	in := testInput(t)
	in.Worst = 100
	classes, err := worstDecisions(in)
	if err != nil || len(classes) != 1 || classes[0].Class != "contact" {
		t.Fatalf("%v, %v", classes, err)
	}
	s := in.Files[0].Scores[0]
	if got, want := len(classes[0].Decisions), s.Summary().Wrong; got != want || want == 0 {
		t.Errorf("%d decisions, want %d", got, want)
	}
	last := "9"
	for i, d := range classes[0].Decisions {
		if d.Loss > last {
			t.Errorf("decision %d loses %s after %s", i, d.Loss, last)
		}
		last = d.Loss
		by := ""
		for _, c := range d.Candidates {
			by += c.By + ";"
			if c.Chosen && (c.Play != d.Ours || !strings.Contains(c.By, "script")) || c.Best && c.Play != d.Best {
				t.Errorf("%s: %+v", d.Where, c)
			}
		}
		for _, name := range []string{"script", "pubeval", "random"} {
			if strings.Count(by, name) != 1 {
				t.Errorf("%s: play of %s in %q", d.Where, name, by)
			}
		}
	}
}

func TestLabel(t *testing.T) {
	players := func(names ...string) *Input {
		in := &Input{}
		for _, n := range names {
			in.Players = append(in.Players, named{opponents.PubEval{}, n})
		}
		return in
	}
	for _, c := range []struct{ name, beside, want string }{
		{"nets/a.safetensors:0", "pubeval", "a"},
		{"nets/a.safetensors:2", "nets/a.safetensors:0", "a 2-ply"},
		{"nets/a.safetensors:0 (wins only)", "pubeval", "a (wins only)"},
		{"x/a.safetensors:0", "y/a.safetensors:0", "x/a.safetensors:0"},
		{"gnubg:2", "gnubg.safetensors:0", "GNU Backgammon 2-ply"},
		{"default:0", "td:0", "default"},
		{"pubeval", "random", "pubeval"},
	} {
		if got := players(c.name, c.beside).label(c.name); got != c.want {
			t.Errorf("%s beside %s: %q, want %q", c.name, c.beside, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{thousands(0), "0"}, {thousands(999), "999"}, {thousands(-1000), "-1\u202f000"}, {thousands(int64(1234567)), "1\u202f234\u202f567"},
		{percent(0, 0), "–"}, {percent(0, 5), "0"}, {percent(1, 8), "12.5 %"},
		{signed(1.234, 2), "+1.23"}, {signed(-0.5, 1), "−0.5"},
		{num(1.25), "1.3"}, {num(-1.25), "-1.3"}, {num(3), "3"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// The mark in a player's row is about that player: with a smaller error rate than
// the first it is better.
func TestMarkIsAboutThePlayerOfTheRow(t *testing.T) {
	f := &bm.File{Name: "contact.bm"}
	scores := func(losses ...float64) *score.Score {
		s := &score.Score{File: f}
		for _, l := range losses {
			s.Decisions = append(s.Decisions, score.Decision{Loss: l})
		}
		return s
	}
	for range 4 {
		f.Records = append(f.Records, bm.Record{Candidates: make([]bm.Candidate, 2)})
	}
	v, err := viewFile(&Input{}, &score.FileJudgment{File: f, Scores: []*score.Score{scores(.2, .2, .3, .3), scores(.1, .1, .1, .1), scores(.6, .5, .6, .6), scores(.2, .3, .3, .2)}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "−150.00 better", "+325.00 worse", "+0.00 even"} {
		if got := strings.TrimSpace(v.Rows[i].Difference + " " + v.Rows[i].Verdict); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}

// What the nets learned from comes from their own provenance, whatever database
// the page is about.
func TestTrainedOn(t *testing.T) {
	set := &nets.Set{Nets: map[nets.Role]*nets.Entry{
		nets.Contact: {Provenance: map[string]string{"data": "a.parquet: 1200 positions, 60 held out, digest 12"}},
		nets.Race:    {Provenance: map[string]string{"data": "a.parquet: 34 positions, 1 held out"}},
	}}
	if got, ok := trainedOn(set); !ok || got.Value != "1\u202f234" || got.Note != "of 2 nets, by their provenance" {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := trainedOn(&nets.Set{}); ok {
		t.Error("positions of nothing")
	}
}
