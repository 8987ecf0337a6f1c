package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"bgtrain/internal/cube/life"
	"bgtrain/internal/nets"
	"bgtrain/trainer/grow"
)

// smallRecipe takes seconds: all stages of two rounds.
const smallRecipe = `nets: {inputs: gnubg-prune, hidden: [8]}
start: {games: 300, max-plies: 100}
prune: {n: 300, epochs: 2, validation: 0.2}
measure: {positions: 20, trials: 0, decisions: 2, games: 2}
rounds:
  - repeat: 2
    positions: {n: 300}
    labels: {truncate: 4, whole: 10}
    training: {epochs: 2, validation: 0.2}
`

// TestGrowKilled kills a run at random moments; what it ends with is what an
// undisturbed one, by other workers, ends with.
func TestGrowKilled(t *testing.T) {
	sameWithAllKernels(t)
	t.Parallel()
	quiet, shaken := t.TempDir(), t.TempDir()
	for _, dir := range []string{quiet, shaken} {
		if err := os.WriteFile(filepath.Join(dir, "r.yaml"), []byte(smallRecipe), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const args = "grow r.yaml -o run --against td --workers "
	begun := time.Now()
	if c := child(quiet, args+"3"); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	took := time.Since(begun)
	rng := rand.New(rand.NewPCG(7, 8))
	kills, resumed := 0, 0
	final := filepath.Join(shaken, "run", "recipe.yaml")
	for kills < 20 || resumed == 0 {
		c := child(shaken, args+"2")
		if made, _ := filepath.Glob(filepath.Join(shaken, "run", "stages", "*", "stage.json")); len(made) > 0 {
			resumed++
		}
		// Later and later, so that a run gets to where it goes on from, however slow the machine is now.
		after := time.Duration(rng.Int64N(int64(took) * int64(4+kills) / 32))
		err := runAndKill(c, func() bool { return true }, after)
		switch {
		case killedBy(err):
			kills++
		case err != nil:
			t.Fatalf("after %d kills: %v\n%s", kills, err, c.Stderr)
		default: // it has ended: again from the beginning
			sameRun(t, quiet, shaken)
			if err := os.RemoveAll(filepath.Join(shaken, "run")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c := child(shaken, args+"1"); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	if _, err := os.Stat(final); err != nil {
		t.Fatal(err)
	}
	sameRun(t, quiet, shaken)
}

// logWithoutTimes reads the log of a run, whose times differ.
func logWithoutTimes(t *testing.T, dir string) *grow.Log {
	t.Helper()
	log, err := grow.ReadLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range log.Rounds {
		if r := &log.Rounds[i]; r.Seconds <= 0 || r.ProcessorSeconds <= 0 {
			t.Errorf("round %d took no time", r.Round)
		} else {
			r.Seconds, r.ProcessorSeconds = 0, 0
		}
	}
	return log
}

// sameRun fails unless two directories have the same player, recipe, stages, and log but
// for times.
func sameRun(t *testing.T, dir, other string) {
	t.Helper()
	a, b := logWithoutTimes(t, filepath.Join(dir, "run")), logWithoutTimes(t, filepath.Join(other, "run"))
	if len(a.Rounds) != 2 || a.End() == nil || !reflect.DeepEqual(a, b) {
		t.Errorf("another log: %+v\n%+v", a, b)
	}
	files := 0
	for _, pattern := range []string{"best.safetensors", "recipe.yaml", "stages/*/*.parquet", "stages/*/net.safetensors",
		"stages/*/*.bm"} {
		names, err := filepath.Glob(filepath.Join(dir, "run", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			rel, _ := filepath.Rel(dir, name)
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sameFile(t, filepath.Join(other, rel), want)
			files++
		}
	}
	if files < 12 {
		t.Errorf("%d files", files)
	}
}

// The commands that grow prints make what it makes.
func TestGrowCommandsByHand(t *testing.T) {
	sameWithAllKernels(t)
	t.Chdir(t.TempDir())
	recipe := strings.Replace(smallRecipe, "nets: {inputs: gnubg-prune, hidden: [8]}",
		"seed: 3\nsteer: false\nnets: {inputs: gnubg-prune, hidden: [8], race: {hidden: [4]}}", 1)
	recipe = strings.Replace(recipe, "repeat: 2", "repeat: 1", 1) // what is planned assumes that it passes, as seed 3 does
	recipe = strings.Replace(recipe, "whole: 10", "whole: 4, whole-themes: [containment]", 1)
	recipe += "cube: {games: 8, hidden: 2, rounds: 1, pairs: 100}\n"
	if err := os.WriteFile("r.yaml", []byte(recipe), 0o666); err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) string {
		t.Helper()
		var out, problems bytes.Buffer
		e := &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems}
		if status := run(t.Context(), e, args); status != 0 {
			t.Fatalf("%s: %s", strings.Join(args, " "), &problems)
		}
		return out.String()
	}
	text := do("grow", "r.yaml", "-o", "run", "--commands", "--against", "td")
	do("grow", "r.yaml", "-o", "run", "--against", "td")
	if err := os.MkdirAll("hand", 0o777); err != nil {
		t.Fatal(err)
	}
	if starts, err := filepath.Glob("run/stages/td-*/start.safetensors"); err != nil || len(starts) != 1 {
		t.Fatal(starts, err)
	}
	run, err := filepath.Abs("run")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("hand")
	compared := 0
	for line := range strings.Lines(text) {
		words := shellWords(strings.TrimSpace(line))
		switch {
		case words[0] == "mkdir":
			if err := os.MkdirAll(words[2], 0o777); err != nil {
				t.Fatal(err)
			}
			start, err := os.ReadFile(filepath.Join(run, words[2], "start.safetensors"))
			if err == nil {
				err = os.WriteFile(filepath.Join(words[2], "start.safetensors"), start, 0o666)
			}
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		case words[0] == "bgtrain":
			do(words[1:]...)
			made := words[len(words)-1]
			if strings.HasSuffix(made, ".life") {
				sameLife(t, made, filepath.Join(run, made))
				compared++
			}
			if !strings.HasSuffix(made, ".safetensors") {
				continue
			}
			a, err1 := nets.Read(made)
			b, err2 := nets.Read(filepath.Join(run, made))
			if err1 != nil || err2 != nil || a.Fingerprint() != b.Fingerprint() {
				t.Errorf("%s: another net by hand: %v, %v", made, err1, err2)
			}
			compared++
		}
	}
	if compared != 5 {
		t.Errorf("%d nets compared", compared)
	}
}

// sameLife fails unless two files have the same nets of the cube.
func sameLife(t *testing.T, path, other string) {
	t.Helper()
	var weights [2][life.Kinds]*life.Net
	for i, path := range []string{path, other} {
		set, err := life.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		weights[i] = set.Nets
	}
	if !reflect.DeepEqual(weights[0], weights[1]) {
		t.Errorf("%s: other nets of the cube by hand", path)
	}
}

// A run may have the name of its embedded recipe, but not take the place of a recipe's file.
func TestGrowInADirectoryNamedAsTheRecipe(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("quick", []byte(smallRecipe), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := runCommand(t, "grow", "smoke", "-o", "smoke", "--dry-run"); errs != "" || !strings.Contains(out, "round 2, labels") {
		t.Errorf("%s%s", out, errs)
	}
	if _, _, errs := runCommand(t, "grow", "quick", "-o", "quick", "--dry-run"); !strings.Contains(errs, "also reads or writes") {
		t.Error(errs)
	}
}

func TestGrowCommand(t *testing.T) {
	sameWithAllKernels(t)
	t.Parallel()
	dir := t.TempDir()
	recipe, run1, run2 := filepath.Join(dir, "r.yaml"), filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for path, text := range map[string]string{recipe: smallRecipe,
		filepath.Join(dir, "s.yaml"):   strings.Replace(smallRecipe, "hidden: [8]", "hidden: [12]", 1),
		filepath.Join(dir, "bad.yaml"): "rounds:\n  - epochs: 3\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		want string // in the output, or in the error
		code int
	}{
		{"--list", "smoke", 0},
		{"--print smoke", "# smoke: ", 0},
		{"--print none", "no embedded recipe", exitUsage},
		{"smoke", "-o DIR expected", exitUsage},
		{"nothing -o " + run1, "no embedded recipe has that name", exitFail},
		{"smoke --disk few -o " + run1, "--disk few", exitUsage},
		{filepath.Join(dir, "bad.yaml") + " -o " + run1, `bad.yaml:2: round: unknown key "epochs"`, exitFail},
		{recipe + " --dry-run --json", `"stage":"labels"`, 0},
		{recipe + " --commands", "--follow --truncate 4", 0},
		{recipe + " --against td -o " + run1, "against round 1", 0},
		{recipe + " --against td --json -o " + run1, `{"round":1,"seconds":`, 0},
		{filepath.Join(dir, "s.yaml") + " --against td -o " + run1, "another recipe", exitFail},
		{filepath.Join(dir, "s.yaml") + " --against td -o " + run2, "against start", 0},
		{"--compare " + run1 + " " + run2 + " --games 20", "points a game less luck", 0},
		{"--compare " + run1 + " " + run2 + " --games 20 --json",
			`"changed":["- nets: {inputs: gnubg-prune, hidden: [8]}","+ nets: {inputs: gnubg-prune, hidden: [12]}"]`, 0},
		{"--compare " + run1, "two directories", exitUsage},
	} {
		var out, problems bytes.Buffer
		e := &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems}
		code := run(t.Context(), e, append([]string{"grow"}, strings.Fields(c.args)...))
		text := out.String()
		if c.code != 0 {
			text = problems.String()
		}
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("grow %s: status %d, want %d; %q is not in\n%s\n%s", c.args, code, c.code, c.want, out.String(), &problems)
		}
	}
}

// A run on a farm of three workers, one of which is killed, ends with the bits of one here.
func TestGrowOnAFarm(t *testing.T) {
	sameWithAllKernels(t)
	t.Parallel()
	here, far := t.TempDir(), t.TempDir()
	recipe := strings.Replace(smallRecipe, "positions: {n: 300}", "positions: {n: 1500}", 1)
	for _, dir := range []string{here, far} {
		if err := os.WriteFile(filepath.Join(dir, "r.yaml"), []byte(recipe), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if c := child(here, "grow r.yaml -o run --against td"); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
	url := startFarm(t, far)
	victim, _ := startChild(t, far, "worker --store cache --workers 1 --farm "+url)
	for range 2 {
		startChild(t, far, "worker --store cache --workers 1 --farm "+url)
	}
	c := child(far, "grow r.yaml -o run --against td --farm "+url)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until the farm has computed some of the labels
		if parts, _ := filepath.Glob(filepath.Join(far, "run", "stages", "*", "*.parts", "part-*")); len(parts) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	_ = victim.Process.Kill() // it may have ended
	if err := c.Wait(); err != nil {
		t.Fatal(err, c.Stderr)
	}
	sameRun(t, here, far)
}

// What lists recipes, files and databases has room in 80 columns, and whole sentences.
func TestListsFitIntoTheTerminal(t *testing.T) {
	for _, args := range []string{"grow --list", "data", "bearoff --two-sided 2"} {
		_, out, errs := runCommand(t, strings.Fields(args)...)
		for _, line := range strings.Split(out, "\n") {
			if !strings.HasPrefix(line, "  ") && utf8.RuneCountInString(line) > 80 || strings.HasSuffix(line, " ") {
				t.Errorf("%s: %q", args, line)
			}
		}
		if out == "" || strings.Contains(out, "as labels of an older player hold the") {
			t.Errorf("%s: %s%s", args, out, errs)
		}
	}
}
