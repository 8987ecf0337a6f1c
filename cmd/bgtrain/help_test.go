package main

import (
	"flag"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bgtrain/internal/inspect"
)

var updateHelp = flag.Bool("update-help", false, "write testdata/help anew")

// everyCommand goes through all commands by path, such as "net import".
func everyCommand() iter.Seq2[string, *command] {
	return func(yield func(string, *command) bool) {
		var visit func(prefix string, list []command) bool
		visit = func(prefix string, list []command) bool {
			for i := range list {
				if !yield(prefix+list[i].name, &list[i]) || !visit(prefix+list[i].name+" ", list[i].subs) {
					return false
				}
			}
			return true
		}
		for _, g := range groups {
			if !visit("", g.commands) {
				return
			}
		}
	}
}

// The help of every command is a file: go test -run TestHelp -update-help writes
// them anew. No line is longer than a terminal of 80 columns, but for examples.
func TestHelp(t *testing.T) {
	dir := filepath.Join("testdata", "help")
	if *updateHelp {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, args ...string) {
		t.Helper()
		status, got, errs := runCommand(t, args...)
		if status != exitDone || errs != "" {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
		golden := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".txt")
		if *updateHelp {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || got != string(want) {
			t.Errorf("bgtrain %s prints\n%s\n%s is\n%s (%v); -update-help writes it anew", strings.Join(args, " "),
				got, golden, want, err)
		}
		example := false
		for _, line := range strings.Split(got, "\n") {
			example = line == "Example:" || example && line != ""
			if n := utf8.RuneCountInString(line); n > helpWidth && !example {
				t.Errorf("%s: a line of %d columns: %s", name, n, line)
			}
		}
	}
	check("bgtrain", "-h")
	for path := range everyCommand() {
		check(path, append(strings.Fields(path), "-h")...)
		if _, help, _ := runCommand(t, append([]string{"help"}, strings.Fields(path)...)...); !strings.HasPrefix(help,
			"Usage: bgtrain "+strings.Fields(path)[0]) {
			t.Errorf("help %s prints %s", path, help)
		}
	}
}

// commandInText matches a command line of this program in a document.
var commandInText = regexp.MustCompile("(?m)^(?:\\$ |    )?bgtrain [^\n]*(?:\\\\\n[^\n]*)*")

// smaller are flags that make the commands of docs/pipeline.md quick.
var smaller = map[string]string{
	"td": "--games 64 --hidden 8", "generate": "-n 150 --two-sided 2", "label": "--ply 1 --two-sided 2",
	"rollout": "--trials 36 --truncate 1 --two-sided 2", "train": "--epochs 1 --batch 32 " +
		"--validation 0.3", "score": "--two-sided 2",
	"match": "--games 4 --two-sided 2", "report": "--worst 1 --two-sided 2",
}

// The walk-through works as it is printed, from an empty directory, but for
// smaller numbers.
func TestPipelineAsPrinted(t *testing.T) {
	sameWithAllKernels(t)
	text, err := os.ReadFile("../../docs/pipeline.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	code := strings.Split(string(text), "\n```")
	n := 0
	for i := 1; i < len(code); i += 2 {
		for _, line := range commandInText.FindAllString(code[i], -1) {
			words := shellWords(strings.Replace(strings.TrimPrefix(line, "bgtrain "), "--hidden 256", "--hidden 16", 1))
			if words[0] == "match" && slices.Contains(words, "gnubg") {
				continue // it may not be installed
			}
			words = append(words, strings.Fields(smaller[words[0]])...)
			if status, _, errs := runCommand(t, words...); status != exitDone {
				t.Fatalf("bgtrain %s: status %d, %s", strings.Join(words, " "), status, errs)
			}
			n++
		}
	}
	if n < 12 {
		t.Errorf("%d commands", n)
	}
}

// A mistake in a command line is told in one line, with what may have been meant.
func TestUsageErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"scor x.bm", "bgtrain: unknown command \"scor\": did you mean score? (see 'bgtrain -h')\n"},
		{"macth a b", "bgtrain: unknown command \"macth\": did you mean match? (see 'bgtrain -h')\n"},
		{"roolout", "bgtrain: unknown command \"roolout\": did you mean rollout? (see 'bgtrain -h')\n"},
		{"xyzzy", "bgtrain: unknown command \"xyzzy\" (see 'bgtrain -h')\n"},
		{"score --nett td", "bgtrain score: unknown flag: --nett: did you mean --net? (see 'bgtrain score -h')\n"},
		{"score --ply x y.bm", "bgtrain score: --ply x: a whole number, 0 to 3, expected (see 'bgtrain score -h')\n"},
		{"net imprt x", "bgtrain net: unknown command \"imprt\": import, export, join or trim expected: did you mean import? (see " +
			"'bgtrain net -h')\n"},
		{"net import", "bgtrain net import: a net file and -o NET are missing (see 'bgtrain net import -h')\n"},
		{"help nothing", "bgtrain help: unknown command \"nothing\" (see 'bgtrain help -h')\n"},
	} {
		status, out, errs := runCommand(t, strings.Fields(c.args)...)
		if status != exitUsage || out != "" || errs != c.want {
			t.Errorf("%s: status %d, prints %q, %q; %q expected", c.args, status, out, errs, c.want)
		}
	}
}

// Shells can ask for commands, flags and the values of flags; every command has
// its manual page.
func TestCompletionAndManual(t *testing.T) {
	for args, want := range map[string][]string{
		"completion bash":            {"__bgtrain"},
		"__complete sc":              {"score\t"},
		"__complete score --aga":     {"--against\t"},
		"__complete score --net ":    {"td\n", "default\n"},
		"__complete grow ":           {"quick\n", "evening\n"},
		"__complete grow --print ":   {"quick\n"},
		"__complete net ":            {"join\t", "export\t"},
		"__complete net import --ac": {"--activation\t"},
	} {
		words := strings.Split(args, " ")
		status, out, errs := runCommand(t, words...)
		for _, w := range want {
			if status != exitDone || !strings.Contains(out, w) {
				t.Errorf("%s: status %d, no %q in %q, %s", args, status, w, out, errs)
			}
		}
	}
	dir := t.TempDir()
	if status, _, errs := runCommand(t, "man", dir); status != exitDone {
		t.Fatal(errs)
	}
	for path := range everyCommand() {
		page, err := os.ReadFile(filepath.Join(dir, "bgtrain-"+strings.ReplaceAll(path, " ", "-")+".1"))
		if err != nil || !strings.Contains(string(page), "EXAMPLE") {
			t.Errorf("page of %s: %v", path, err)
		}
	}
}

// A mistake that has a remedy is told with it.
func TestErrorsNameTheRemedy(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"eval --net nothing 4HPwATDgc/ABMA":         "no embedded net has that name (default, fast, gnubg-size, gnubg-wide, td, tiny)",
		"score --net nothing":                       "no embedded net has that name (default, fast, gnubg-size, gnubg-wide, td, tiny)",
		"info nothing":                              "nothing",
		"net export default+fast -o x.weights":      "default+fast: one player is needed here",
		"net export fast -o x.weights --prune none": "the embedded gnubg-size and gnubg-wide do, and nets of train --hidden N",
		"train --from gnubg-size --nets race --hidden 64 --epochs 1 -o x.safetensors": "it can only be widened; " +
			"--random starts from random weights",
	} {
		status, _, errs := runCommand(t, strings.Fields(args)...)
		if status != exitFail || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q; %q expected", args, status, errs, want)
		}
	}
}

// What info prints fits into a terminal; only words are broken off, no word is lost.
func TestInfoFitsIntoTheTerminal(t *testing.T) {
	for _, net := range []string{"td", "fast", "default"} {
		status, out, log := runCommand(t, "info", net)
		if status != 0 {
			t.Fatal(log)
		}
		for line := range strings.Lines(out) {
			// One word, such as a list of files without blanks, stays whole.
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth && len(strings.Fields(line)) > 1 {
				t.Errorf("info %s: %d columns: %s", net, n, line)
			}
		}
		set, err := inspect.Describe(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		var plain strings.Builder
		if err := set.WriteText(&plain); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(strings.Fields(plain.String()), strings.Fields(out)) {
			t.Errorf("info %s has other words than the description", net)
		}
	}
}
