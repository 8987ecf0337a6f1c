package report

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"bgtrain/internal/stats"
	"bgtrain/trainer/grow"
)

// viewText is a page of runs of grow without elements.
func viewText(t *testing.T, runs []GrownRun, now time.Time) string {
	t.Helper()
	g, err := ViewGrown(runs, now, grow.Wall)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := pageTemplate.ExecuteTemplate(&page, "grown", g); err != nil {
		t.Fatal(err)
	}
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page.String(), -1) {
		elements(t, svg)
	}
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page.String(), " "))
	return regexp.MustCompile(`[ \n]+`).ReplaceAllString(text, " ")
}

func TestGrownShows(t *testing.T) {
	runs := ReadGrown([]string{"../../trainer/grow/testdata/runs/base", "../../trainer/grow/testdata/runs/wider"})
	text := viewText(t, runs, time.Time{})
	for _, want := range []string{
		"round 1 −0.202 round 2 −0.514 , not passed round 3 +0.156", // the lineage
		"2 round 1 −0.5144 ± 0.1890 no 2m4s 4s 6\u202f761 58.27 ± 17.84 0.0998",
		"base 4 3m38s 7.9s 10\u202f378 57.66 ± 16.03 0.0762 −1.9661 ± 0.1868 wider 3", // the newest players
		"1 lambda 0.7 → 0.8 noise of a label 0.1169, left to learn 0.1527 points",
		"4 end all rounds of the recipe are done",
		"nets nets: {hidden: [16]} nets: {hidden: [32]}",
		"round 3, training training: {lr: 0.003} –",
		"share of games 100 % 76 % 10 % 13 %",
		"1 0.153 ± 0.015 0.090 ± 0.013", "< 0.336", "+1.488 ± 0.278",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

func TestGrownStates(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	round := grow.RoundLine{Round: 4, Passed: true}
	for _, c := range []struct {
		seen grow.Seen
		now  time.Time
		want string
	}{
		{grow.Seen{Log: &grow.Log{}, Wrote: now.Add(-7 * time.Second)}, now, "under way: before the first round; written to 7s ago"},
		{grow.Seen{Log: &grow.Log{Rounds: []grow.RoundLine{round}}, Stage: grow.KindLabels, Wrote: now.Add(time.Second)}, now,
			"under way: round 5, labels; written to 0s ago"},
		{grow.Seen{Log: &grow.Log{Rounds: []grow.RoundLine{round}}, Wrote: now.Add(-time.Hour)}, now,
			"not finished, round 5; last written to 1h0m0s ago: the same command goes on"},
		{grow.Seen{Log: &grow.Log{}, Stage: grow.KindTD}, time.Time{}, "not finished: before the first round, td"},
	} {
		if got := grownState(&c.seen, c.now); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestLeftCell(t *testing.T) {
	r := &grow.RoundLine{Noise: []grow.Noise{
		{Of: "much", Positions: 9, Left2: stats.Stat{Mean: 0.04, SE: 0.004}},
		{Of: "unsure", Positions: 9, Left2: stats.Stat{Mean: -0.01, SE: 0.02}},
		{Of: "one", Positions: 1, Left2: stats.Stat{Mean: 0.04}}}}
	for kind, want := range map[string]grownCell{"much": {Value: "0.200", SE: "0.010"}, "unsure": {Value: "< 0.200"},
		"one": {}, "none": {}} {
		if got, ok := leftCell(r, kind); got != want || ok != (want.Value != "") {
			t.Errorf("%s: %+v, %t", kind, got, ok)
		}
	}
}

// Whatever a log says, it is shown, or refused on reading.
func FuzzGrown(f *testing.F) {
	for _, name := range []string{"base", "wider"} {
		text, err := os.ReadFile(filepath.Join("../../trainer/grow/testdata/runs", name, grow.LogFile))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`{"round":-1,"passed":true,"seconds":1e308,"er":-1e308,"er_se":1e308,"points":1e308,"points_se":1e308}` + "\n" +
		`{"round":1,"decision":"x","from":1e300,"to":[null,{"a":-0}]}` + "\n")
	f.Fuzz(func(t *testing.T, log string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, grow.LogFile), []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		runs := ReadGrown([]string{dir, dir})
		if runs[0].Problem == nil {
			viewText(t, runs, time.Time{})
		}
	})
}
