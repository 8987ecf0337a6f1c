package bm

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// The opening position as files of judged decisions have it, and after two plays of 31.
const (
	judgedStart = "[0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0]"
	judged8561  = "[0,-2,0,0,0,2,4,0,2,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0]"
	judged1310  = "[0,-2,0,0,0,0,5,0,3,0,1,0,-5,4,0,0,0,-3,0,-5,0,0,0,1,1,0]"
	judgedCube  = `{"kind":"cube","board":` + judgedStart + `,"dice":null,"tier":"3P","probs":[0.52,0.15,0.01,0.12,0.005]}`
)

// judgedPlay is a decision with some plays, each a board and its outputs.
func judgedPlay(dice string, plays ...string) string {
	var moves []string
	for i := 0; i < len(plays); i += 2 {
		moves = append(moves, fmt.Sprintf(`{"board":%s,"equity":9,"probs":%s}`, plays[i], plays[i+1]))
	}
	return fmt.Sprintf(`{"kind":"checker","board":%s,"dice":%s,"tier":"rollout","moves":[%s]}`, judgedStart, dice,
		strings.Join(moves, ","))
}

// imported is a benchmark file made of a text.
func imported(t *testing.T, text string, skipBad bool) (*File, *Judged, error) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.json"), filepath.Join(dir, "out.bm")
	if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := ImportJudged(t.Context(), []string{in}, out, "import", skipBad)
	if err != nil {
		if _, there := os.Stat(out); !errors.Is(there, os.ErrNotExist) {
			t.Errorf("a file after an error: %v", there)
		}
		return nil, nil, err
	}
	f, err := ReadFile(out, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return f, sum, nil
}

// TestImportJudged: positions seen by the opponent, outputs turned round, losses by cubeless
// equity in their order, and nothing that validate finds fault with.
func TestImportJudged(t *testing.T) {
	text := `{"version":1,"decisions":[` + judgedPlay("[1,3]", judged1310, "[0.49,0.14,0.01,0.13,-0.0005]", judged8561,
		"[0.55,0.17,0.01,0.12,0.005]") + ",\n" + judgedCube + ",\n" + judgedPlay("[3,1]", judged8561, "[0.5,0,0,0,0]") +
		`],"after":{"x":[1]}}`
	f, sum, err := imported(t, text, false)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Plays != 1 || sum.Cubes != 1 || sum.Forced != 1 || len(f.Records) != 1 || len(f.Cubes) != 1 {
		t.Fatalf("%+v, %d records, %d cubes", sum, len(f.Records), len(f.Cubes))
	}
	r := &f.Records[0]
	if r.Key.String() != "OAHDPAABDAOAHDPAABDA" || r.Notation(r.Candidates[0].Key) != "8/5 6/5" ||
		r.Notation(r.Candidates[1].Key) != "24/23 13/10" {
		t.Errorf("%s: %s, %s", r.Key, r.Notation(r.Candidates[0].Key), r.Notation(r.Candidates[1].Key))
	}
	// 2·0.55 − 1 + 0.17 + 0.01 − 0.12 − 0.005 and, lost backgammons below 0 being none, 2·0.49 − 1 + 0.14 + 0.01 − 0.13.
	near := func(what string, got, want float64) {
		if got < want-1e-5 || got > want+1e-5 {
			t.Errorf("%s %v, %v expected", what, got, want)
		}
	}
	near("equity", r.BestEquity, 0.155)
	near("loss", r.Candidates[1].Loss, 0.155)
	o := r.Candidates[0].Outputs
	near("the opponent's wins", float64(o[bg.Win]), 0.45)
	near("his gammons", float64(o[bg.WinGammon]), 0.12)
	near("his lost gammons", float64(o[bg.LoseGammon]), 0.17)
	near("wins of the cube decision", float64(f.Cubes[0].Outputs[bg.Win]), 0.52)
	for p, n := range Validate(f).Counts {
		if n > 0 {
			t.Errorf("%d times: %s", n, Problem(p))
		}
	}
}

// TestJudgedMistakes: errors name file, line and decision, and no file is left; where bad
// decisions are left out the others remain.
func TestJudgedMistakes(t *testing.T) {
	whole := func(d string) string { return "{\"decisions\":[\n" + judgedCube + ",\n" + d + "]}" }
	for d, want := range map[string]string{
		judgedPlay("[3,1]", judged8561, "[0.5,0,0,0]", judged1310, "[0.5,0,0,0,0]"):   "play 1: 4 outputs, 5 expected",
		judgedPlay("[3,1]", judged8561, "[1.2,0,0,0,0]", judged1310, "[0.5,0,0,0,0]"): "are no probabilities",
		judgedPlay("[3,1]", judged8561, "[0.5,0,0,0,0]", judged8561, "[0.5,0,0,0,0]"): "play 2 is there twice",
		judgedPlay("[5,1]", judged8561, "[0.5,0,0,0,0]", judged1310, "[0.5,0,0,0,0]"): "play 1: illegal play of 51",
		judgedPlay("[3,7]", judged8561, "[0.5,0,0,0,0]"):                              "dice [3 7], two from 1 to 6 expected",
		judgedPlay("null", judged8561, "[0.5,0,0,0,0]"):                               "dice [], two",
		strings.Replace(judgedCube, "[0,-2,", "[-1,-2,", 1):                           "-1 checkers in place 0",
		strings.Replace(judgedCube, "[0,-2,", "[0,-3,", 1):                            "more than 15 checkers",
		strings.Replace(judgedCube, "[0,-2,", "[0,", 1):                               "a board of 25 numbers, 26 expected",
		strings.Replace(judgedCube, "cube", "chequer", 1):                             `kind "chequer", checker or cube expected`,
	} {
		_, _, err := imported(t, whole(d), false)
		if err == nil || !strings.Contains(err.Error(), "in.json:3: decision 2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; %s expected", err, want)
		}
		f, sum, err := imported(t, whole(d), true)
		if err != nil || len(f.Cubes) != 1 || len(sum.Skipped) != 1 {
			t.Errorf("%s, left out: %+v, %v", want, sum, err)
		}
	}
	for text, want := range map[string]string{
		whole(judgedCube)[:200]: "in.json:2: after 1 decision the file ends within its JSON",
		whole(`{"board":"x"}`):  "in.json:3: decision 2: json: cannot unmarshal",
		`{"decisions":{}}`:      "in.json:1: decisions: [ expected",
		"{\"a\":1}\n":           `no "decisions" in it`,
		"[1]":                   "{ expected",
		`{"decisions":[]}`:      `no "decisions" in it`,
	} {
		if _, _, err := imported(t, text, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; %s expected", text, err, want)
		}
	}
}

func FuzzReadJudged(f *testing.F) {
	f.Add(`{"decisions":[` + judgedCube + "," + judgedPlay("[3,1]", judged8561, "[0.5,0,0,0,0]", judged1310,
		"[0.4,0,0,0,0]") + "]}")
	f.Fuzz(func(t *testing.T, text string) {
		sum := &Judged{}
		var out strings.Builder
		w := newWriter(&out)
		err := readJudged(strings.NewReader(text), "f", func(at string, d *judgedDecision) error { return sum.add(at, d, w) })
		if err == nil && !json.Valid([]byte(text)) && json.Unmarshal([]byte(text), new(any)) != nil &&
			!strings.Contains(text, "}") {
			t.Errorf("no JSON is read: %q", text)
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		got, err := Read(strings.NewReader(out.String()), "f", ReadOptions{})
		if out.Len() > 0 && (err != nil || len(got.Records) != sum.Plays || len(got.Cubes) != sum.Cubes) {
			t.Errorf("%q is written as\n%s\nwhich is read as %+v, %v", text, out.String(), got, err)
		}
	})
}
