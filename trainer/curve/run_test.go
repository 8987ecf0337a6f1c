package curve

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadRun(t *testing.T) {
	for _, c := range []struct{ name, lines, want string }{
		{"td", `{"games":1000,"rms_equity_error":0.2}` + "\n" + `{"games":2000,"rms_equity_error":0.1,"pubeval":0.3}`,
			"error against the next position 2;against PubEval 1;"},
		{"td against a net", `{"games":1000,"points_per_game":0.2,"against":"default"}`, "against default 1;"},
		{"train", `{"net":"race","epoch":0,"validation_loss":1}` + "\n" + `{"net":"race","epoch":1,"validation_loss":1,"train_loss":2,"er":3}`,
			"race: loss 1 2;race: error rate 1;"},
		{"other", `{"x":1}`, "error: :1: neither games"},
		{"empty", ``, "error: no points"},
		{"half", `{"games":1`, "error: :1: "},
	} {
		path := filepath.Join(t.TempDir(), "run.curve.jsonl")
		if err := os.WriteFile(path, []byte(c.lines), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := ReadRun(path)
		if want, ok := strings.CutPrefix(c.want, "error: "); ok {
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", c.name, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, chart := range got.Charts {
			text += chart.Title
			for _, s := range chart.Series {
				text += " " + string(rune('0'+len(s.X)))
			}
			text += ";"
		}
		if text != c.want || got.Name != "run" {
			t.Errorf("%s: %q %q, want %q", c.name, got.Name, text, c.want)
		}
	}
}

// Charts of one kind have one scale, with standard errors of the error rates.
func TestCurvesShareAScale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.curve.jsonl")
	lines := `{"net":"contact","epoch":0,"er":12,"er_se":0.5}` + "\n" + `{"net":"contact","epoch":1,"er":10}` + "\n" +
		`{"net":"race","epoch":0,"er":3,"er_se":0.1}` + "\n"
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := ReadRun(path)
	if err != nil || len(c.Charts) != 2 {
		t.Fatalf("%v, %v", c, err)
	}
	for _, chart := range c.Charts {
		if chart.Low != 2.8 || chart.High != 13 { // with two standard errors
			t.Errorf("%s: from %v to %v", chart.Title, chart.Low, chart.High)
		}
	}
	if se := c.Charts[0].Series[0].SE; !slices.Equal(se, []float64{0.5, 0}) {
		t.Errorf("standard errors %v", se)
	}
}
