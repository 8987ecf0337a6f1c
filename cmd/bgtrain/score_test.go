package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const benchmarkFile = "../../benchmark/bm/testdata/contact.bm"

// command runs a command line without nets and returns what it printed.
func runCommand(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(context.Background(), &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, args)
	return status, out.String(), errs.String()
}

func TestScoreCommand(t *testing.T) {
	losses := filepath.Join(t.TempDir(), "losses")
	status, out, errs := runCommand(t, "score", "--net", "pubeval", "--json", "--losses", losses, benchmarkFile)
	if status != exitDone {
		t.Fatal(errs)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	file := got["files"].([]any)[0].(map[string]any)
	if got["net"] != "pubeval" || got["ply"] != 0.0 || file["file"] != "contact.bm" || file["class"] != "contact" ||
		file["decisions"] != 12.0 {
		t.Errorf("%s", out)
	}
	for _, key := range []string{"er", "se", "wrong", "out"} {
		if _, ok := file[key].(float64); !ok {
			t.Errorf("no %s in %s", key, out)
		}
	}
	if len(got) != 4 || len(file) != 7 {
		t.Errorf("more than the contract says: %s", out)
	}
	text, err := os.ReadFile(losses)
	if err != nil || strings.Count(string(text), "\n") != 12 ||
		!strings.HasPrefix(string(text), "LHPLAAAAIABNMDAAHMBA 6 4 ") {
		t.Errorf("losses %q, %v", text, err)
	}
}

func TestScoreAgainst(t *testing.T) {
	status, out, errs := runCommand(t, "score", "--net", "pubeval", "--against", "random", "--breakdown", "--worst",
		"2", benchmarkFile)
	if status != exitDone {
		t.Fatal(errs)
	}
	for _, want := range []string{"contact.bm: pubeval less random: ER -", "by plan of the player on roll",
		"anchoring", "class after the best play", "best "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// Cube decisions are made by the model that eval, analyze and serve have too.
func TestScoreOfCubes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cube.bm")
	if err := os.WriteFile(path, []byte("s\no "+trainingLine), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := runCommand(t, "score", "--net", "td", "--two-sided", "2", path)
	if status != exitDone || !strings.Contains(out, "td:0  gnubg          1") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

func TestScoreEquities(t *testing.T) {
	file := func(args ...string) map[string]any {
		t.Helper()
		status, out, errs := runCommand(t, append(append([]string{"score", "--json"}, args...), benchmarkFile)...)
		if status != exitDone {
			t.Fatal(errs)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		return got["files"].([]any)[0].(map[string]any)
	}
	both := file("--net", "td", "--against", "fast", "--breakdown")
	td, ok1 := both["equity_error"].(map[string]any)
	fast, ok2 := both["against"].(map[string]any)["equity_error"].(map[string]any)
	less, ok3 := both["within_difference"].(map[string]any)
	plans, ok4 := both["by_plan"].(map[string]any)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		t.Fatalf("%v", both)
	}
	if td["decisions"] != 12.0 || td["candidates"] != 43.0 || td["rms"].(float64) <= td["within"].(float64) ||
		less["mean"].(float64) != td["within"].(float64)-fast["within"].(float64) || less["se"].(float64) <= 0 ||
		td["within_se"].(float64) <= 0 || td["rms_se"].(float64) <= 0 {
		t.Errorf("%v\n%v\n%v", td, fast, less)
	}
	candidates := 0.0
	for _, p := range plans {
		candidates += p.([]any)[1].(map[string]any)["equity_error"].(map[string]any)["candidates"].(float64)
	}
	if candidates != 43 {
		t.Errorf("%v candidates in %v", candidates, plans)
	}
	// A player without equities has no error of them, nor a difference from another's.
	one := file("--net", "pubeval", "--against", "td")
	if one["equity_error"] != nil || one["within_difference"] != nil ||
		one["against"].(map[string]any)["equity_error"].(map[string]any)["rms"] != td["rms"] {
		t.Errorf("%v", one)
	}
	if off := file("--net", "td", "--equities=false"); len(off) != 7 {
		t.Errorf("%v", off)
	}
	// Nor where nothing can be chosen.
	alone := filepath.Join(t.TempDir(), "alone.bm")
	if err := os.WriteFile(alone, []byte("m LHPLAAAAIABNMDAAHMBA 6 4 HGAMADNBADLHPLAAAAAA -2.002079\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := runCommand(t, "score", "--net", "td", "--against", "fast", "--breakdown", alone)
	if status != exitDone || strings.Contains(out, "within") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	_, out, _ = runCommand(t, "score", "--net", "td", "--against", "pubeval", "--breakdown", benchmarkFile)
	for _, want := range []string{
		"\n    td:0  contact.bm         12          43  0.1", "within a decision, by theme:\n", "decisions    td:0    ± se\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestScoreMistakes(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.bm")
	if err := os.WriteFile(bad, []byte("m x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--net", "", benchmarkFile}, exitUsage, "a player expected"},
		{[]string{"--ply", "9", benchmarkFile}, exitUsage, "--ply 9: 0 to 3 expected"},
		{[]string{"--net", "pubeval", bad}, exitFail, bad + ":1: "},
		{[]string{"--net", "pubeval", "--skip-bad", bad}, exitFail, "no decisions"},
		{[]string{"--net", "pubeval", "missing.bm"}, exitFail, "missing.bm"},
		{[]string{"--net", "missing.safetensors", benchmarkFile}, exitFail, "missing.safetensors"},
		{[]string{"--net", "td", "--filter-net", "no.safetensors", benchmarkFile}, exitFail, "filter-net"},
		{[]string{"--net", "td", "--filter-net", "td", "--filter", "none", benchmarkFile}, exitUsage, "nothing to do"},
		{[]string{"--net", "pubeval", "--calibration", benchmarkFile}, exitFail, "pubeval has no outputs"},
		{[]string{"--net", "pubeval", "--cube", "janowski=2", benchmarkFile}, exitUsage, "janowski"},
	} {
		status, _, errs := runCommand(t, append([]string{"score"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, %q; %d, %q expected", c.args, status, errs, c.status, c.want)
		}
	}
}

func TestMatchCommand(t *testing.T) {
	args := []string{"match", "pubeval", "random", "--games", "200", "--seed", "3", "--json"}
	result := func(more ...string) map[string]any {
		t.Helper()
		status, out, errs := runCommand(t, append(args, more...)...)
		if status != exitDone {
			t.Fatal(errs)
		}
		var got map[string]any
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		delete(got, "elapsed_s")
		return got
	}
	one := result("--workers", "1")
	wins := one["wins"].(map[string]any)["mean"].(float64)
	if one["a"] != "pubeval" || one["b"] != "random" || one["games"] != 200.0 || wins < 0.95 {
		t.Errorf("%v", one)
	}
	log := filepath.Join(t.TempDir(), "games")
	for range 2 { // the second time nothing is left to play
		more := result("--workers", "3", "--log", log)
		if a, b := asJSON(t, one), asJSON(t, more); a != b {
			t.Errorf("3 workers and a log: %s, %s", b, a)
		}
	}
	if status, _, errs := runCommand(t, "match", "pubeval", "random", "--seed", "4", "--log",
		log); status != exitFail || !strings.Contains(errs, "another run") {
		t.Errorf("status %d, %q", status, errs)
	}
}

// TestMatchLogKnowsItsPlayers goes on with a log after another net got the same name,
// and with flags that change games.
func TestMatchLogKnowsItsPlayers(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"td", "gnubg-size"} {
		if status, _, errs := runCommand(t, "net", "join", name, "-o", name+".safetensors"); status != exitDone {
			t.Fatal(errs)
		}
	}
	use := func(name string) {
		data, err := os.ReadFile(name + ".safetensors")
		if err == nil {
			err = os.WriteFile("mine.safetensors", data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const args = "match mine.safetensors pubeval --games 2 --two-sided 2 --log games"
	use("td")
	if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitDone {
		t.Fatal(errs)
	}
	use("gnubg-size")
	if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitFail ||
		!strings.Contains(errs, "another run") {
		t.Errorf("another net: status %d, %s", status, errs)
	}
	use("td")
	for _, more := range []string{
		"--ply 2", "--two-sided 3", "--luck", "--luck-net td", "--seed 2", "--duplicate", "--objective win", "--cube janowski=0.5",
	} {
		if status, _, errs := runCommand(t, strings.Fields(args+" "+more)...); status != exitFail ||
			!strings.Contains(errs, "another run") {
			t.Errorf("%s: status %d, %s", more, status, errs)
		}
	}
	if status, _, errs := runCommand(t,
		strings.Fields(args+" --workers 2 --cache 7 --games 4 --json")...); status != exitDone {
		t.Error(errs)
	}
	// Fewer games than the log has: none is played.
	if status, out, errs := runCommand(t, strings.Fields(args)...); status != exitDone ||
		!strings.HasSuffix(out, ", no game was left to play\n") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestMatchMistakes(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"pubeval"}, exitUsage, "1 players given"},
		{[]string{"pubeval", "random", "--games", "0"}, exitUsage, "--games 0"},
		{[]string{"pubeval", "random", "--games", "3", "--duplicate"}, exitUsage, "even"},
		{[]string{"pubeval", "random", "--cube", "0.7"}, exitUsage, "janowski=X"},
		{[]string{"pubeval", "random", "--cube", "janowski=0.7,3"}, exitUsage, "janowski=X"},
		{[]string{"pubeval", "random", "--cube", "janowski=0.7"}, exitFail, "cannot handle the cube"},
		{[]string{"pubeval", "random", "--objective", "draw"}, exitUsage, "money, win or match"},
		{[]string{"td", "td", "--objective", "match"}, exitUsage, "--length says"},
		{[]string{"td", "td", "--objective", "win,match"}, exitUsage, "--length says"},
		{[]string{"td", "td", "--objective", "win,"}, exitUsage, "money, win or match"},
		{[]string{"td", "td", "--objective", "win,money,win"}, exitUsage, "two for A,B"},
		{[]string{"td", "pubeval", "--objective", "win,win"}, exitUsage, "pubeval chooses its plays in its own way"},
		{[]string{"gnubg:0", "td", "--length", "3", "--objective", "money"}, exitUsage, "gnubg:0 chooses its plays"},
		{[]string{"pubeval", "gnubg:7"}, exitUsage, "7 plies"},
		{[]string{"pubeval", "gnubg", "--gnubg", "/nonexistent/gnubg"}, exitFail, "/nonexistent/gnubg"},
		{[]string{"pubeval", "somebody"}, exitFail, "somebody"},
	} {
		status, out, errs := runCommand(t, append([]string{"match"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: status %d, %q %q; %d, %q expected", c.args, status, out, errs, c.status, c.want)
		}
	}
}

func TestValidateBenchmark(t *testing.T) {
	if status, out, errs := runCommand(t, "validate", benchmarkFile); status != exitDone ||
		!strings.Contains(out, "12 records, 0 bad") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	data, err := os.ReadFile(benchmarkFile)
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.bm")
	text := strings.Replace(string(data), "m JONLBLAAAAMMNOAGAIDA 6 2", "m JONLBLAAAAMMNOAGAIDA 6 1", 1)
	if err := os.WriteFile(bad, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := runCommand(t, "validate", bad); status != exitFail ||
		!strings.Contains(out, "illegal candidate") {
		t.Errorf("status %d, %s", status, out)
	}
}

// The tables of nets in files have room in 80 columns.
func TestScoreFitsIntoTheTerminal(t *testing.T) {
	bench, err := os.ReadFile(benchmarkFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("contact.bm", bench, 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := runCommand(t, "data", "td.safetensors"); status != exitDone {
		t.Fatal(errs)
	}
	status, out, errs := runCommand(t, strings.Fields("score --net td.safetensors --against td --two-sided 2 contact.bm")...)
	if status != exitDone || !strings.Contains(out, "td:0") {
		t.Fatal(out, errs)
	}
	for _, line := range strings.Split(out, "\n") {
		if utf8.RuneCountInString(line) > 80 || strings.Contains(line, ".safetensors") {
			t.Errorf("%q", line)
		}
	}
}
