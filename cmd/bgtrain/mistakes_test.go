package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A file of another kind is called what it is, with what was expected.
func TestFilesOfAnotherKind(t *testing.T) {
	text, err := os.ReadFile(benchmarkFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"a.bm": string(text), "a.jsonl": "{\"net\":\"contact\"}\n",
		"new.bm.journal": "bgtrain makebm 3 abc\n", "empty": "", "a.mat": " 5 point match\n\n Game 1\n",
		"games": "bgtrain match 4 abc\n", "my.life": "bgtrain cube life 1\n", "t.xml": "<?xml version=\"1.0\"?>\n<met>\n"} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, errs := runCommand(t, "net", "export", "gnubg-size", "-o", "td.weights"); status != exitDone {
		t.Fatal(errs)
	}
	for args, want := range map[string]string{
		"export a.bm -o x.txt":                   "a.bm is a benchmark file; a rollout database (Parquet) expected",
		"train td.weights -o x.safetensors":      "td.weights is a net (GNU Backgammon's weights); a rollout database",
		"score --net a.bm a.bm":                  "a.bm is a benchmark file; a net (.safetensors or GNU Backgammon's weights) expected",
		"score --net td td.weights":              "td.weights is a net (GNU Backgammon's weights); a benchmark file (.bm) expected",
		"score --net td a.mat":                   "a.mat is a match (.mat); a benchmark file",
		"import a.bm -o x.parquet":               "a.bm is a benchmark file; a text of positions with outputs, or matches, expected",
		"analyze a.bm":                           "a.bm is a benchmark file; a match (.mat, .sgf, .xg) or a list of position IDs expected",
		"info a.jsonl":                           "a.jsonl is JSON; a net, a rollout database or a benchmark file expected",
		"info games":                             "games is what match --log keeps",
		"info my.life":                           "my.life is a cube model",
		"info t.xml":                             "t.xml is a match equity table",
		"play td --match a.bm":                   "bgtrain play: a.bm is a benchmark file; a match",
		"info empty":                             "empty is empty",
		"info .":                                 ". is a directory",
		"info new.bm":                            "new.bm.journal is what an interrupted run has finished of it",
		"info new.bm.journal":                    "is the journal of a run that has not ended: its command goes on",
		"info defualt":                           "did you mean default?",
		"eval --net defualt 4HPwATDgc/ABMA":      "did you mean default?",
		"match td gnub":                          "no embedded net has that name (default, fast, gnubg-size, gnubg-wide, td, tiny): did you mean gnubg",
		"grow quik -o q":                         "did you mean quick?",
		"data defalt.safetensors -o q":           "did you mean default.safetensors?",
		"match pubevl td":                        "did you mean pubeval?",
		"train --from gnubg-sise -o x.s a.bm":    "did you mean gnubg-size?",
		"net export defualt -o x.weights":        "did you mean default?",
		"score --net new.bm a.bm":                "new.bm.journal is what an interrupted run",
		"generate -n 5 --net tdd -o new.parquet": "did you mean td?",
	} {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status != exitFail || !strings.Contains(errs, want) || strings.Contains(errs, "PAR1") {
			t.Errorf("%s: status %d, %s%s; %q expected", args, status, out, errs, want)
		}
	}
}

// A file that may not be read is no file of an unknown kind.
func TestUnreadableFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(path); err == nil {
		t.Skip("this user may read everything")
	}
	for _, command := range []string{"info", "validate"} {
		if _, out, errs := runCommand(t, command, path); !strings.Contains(out+errs, "permission denied") {
			t.Errorf("%s: %s%s", command, out, errs)
		}
	}
}

// What is missing of a command line is said, not all that belongs to it.
func TestWhatIsMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"generate":             "-n N, how many positions, and -o DB are missing",
		"generate -n 5":        "-o DB is missing",
		"generate -o x":        "-n N is missing",
		"generate -n 5 -o x y": `"y": no argument expected`,
		"makebm":               "-n N, how many decisions, or --from FILE.bm, and -o FILE.bm are missing",
		"makebm -n 5":          "-o FILE.bm is missing",
		"makebm --from x.bm":   "-o FILE.bm is missing",
		"makebm -o x.bm":       "-n N is missing",
		"label":                "a database and -o DB2 are missing",
		"label x":              "-o DB2 is missing",
		"label -o x":           "a database is missing",
		"label x y -o z":       "2 arguments, one expected: a database",
		"net export td":        "-o FILE is missing",
		"net imprt x":          `unknown command "imprt": import, export, join or trim expected: did you mean import?`,
		"farm stauts":          "did you mean status?",
		"cube":                 "record, study, train or bearoff expected",
		"cube study games --a dead,live --svg x.svg": "--svg: four or more models of one kind",
		"grow --print smok":                          "did you mean smoke?",
		"eval --cube gnubgg 4HPwATDgc/ABMA":          "did you mean gnubg?",
		"completion bsh":                             "bash, zsh, fish or powershell expected: did you mean bash",
		"train --epohcs 4":                           "unknown flag: --epohcs: did you mean --epochs?",
		"trian":                                      "did you mean train?",
	} {
		status, _, errs := runCommand(t, strings.Fields(args)...)
		if status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s; %q expected", args, status, errs, want)
		}
	}
	// No number is asked for that would then be refused.
	status, _, errs := runCommand(t, "train", "--epochs", "-5")
	if status != exitUsage || !strings.Contains(errs, "--epochs -5: 1 to ") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// An example names flags as the list below it does.
func TestExamplesNameFlagsAsListed(t *testing.T) {
	flag := regexp.MustCompile(`--([a-z][a-z-]*)`)
	for path, c := range everyCommand() {
		listed := map[string]bool{}
		o := c.describe()
		o.flags.VisitAll(func(f *pflag.Flag) { listed[f.Name] = true })
		for _, m := range flag.FindAllStringSubmatch(o.example, -1) {
			if !listed[m[1]] && otherNames[m[1]] != "" {
				t.Errorf("bgtrain %s: the example has --%s, the list --%s", path, m[1], otherNames[m[1]])
			}
		}
	}
}

// man, too, has a help of its own.
func TestManHelp(t *testing.T) {
	for _, args := range []string{"man -h", "help man"} {
		if status, out, _ := runCommand(t, strings.Fields(args)...); status != exitDone ||
			!strings.HasPrefix(out, "Usage: bgtrain man DIR") {
			t.Errorf("%s: status %d, %s", args, status, out)
		}
	}
}

func TestCompletionHelp(t *testing.T) {
	for _, args := range []string{"completion -h", "completion bash -h", "completion --help", "help completion"} {
		if status, out, _ := runCommand(t, strings.Fields(args)...); status != exitDone ||
			!strings.Contains(out, "source <(bgtrain completion bash)") || strings.Contains(out, "COMMAND [flags]") {
			t.Errorf("%s: status %d, %s", args, status, out)
		}
	}
}

// Wherever a command takes a net, a shell offers those that ship.
func TestNetsComplete(t *testing.T) {
	takes := regexp.MustCompile(`embedded (net|one)`)
	var asked []string
	for path, c := range everyCommand() {
		o := c.describe()
		o.flags.VisitAll(func(f *pflag.Flag) {
			if takes.MatchString(f.Usage) {
				asked = append(asked, path+" --"+f.Name)
			}
		})
		for i, words := 0, strings.Fields(o.usage); i < len(words); i++ {
			if word := strings.Trim(words[i], "[]…"); i > 0 && words[i-1] != "-o" && (word == "NET" || word == "NET|FILE") {
				asked = append(asked, path)
			}
		}
	}
	for _, args := range append(asked, "match", "match td", "info", "score --against", "net join td --race") {
		status, out, errs := runCommand(t, append(strings.Fields("__complete "+args), "de")...)
		if status != exitDone || !strings.Contains(out, "default\n") {
			t.Errorf("%s: status %d, %s%s", args, status, out, errs)
		}
	}
	if len(asked) < 15 {
		t.Errorf("only %v", asked)
	}
}

// The script for bash completes where the package bash-completion is not installed.
func TestBashCompletesByItself(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	_, script, _ := runCommand(t, "completion", "bash")
	// The program is asked with what stands on the line, and answers as cobra does.
	const program = "#!/bin/sh\necho \"$@\" >> asked\necho default\necho :4\n"
	for name, text := range map[string]string{"script": script, "bgtrain": program} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const press = `source ./script
for line in "bgtrain score --net d" "bgtrain score --net=d" "bgtrain match td "; do
    COMP_LINE="$line"; COMP_POINT=${#line}; COMPREPLY=()
    __start_bgtrain
    echo "${COMPREPLY[*]}"
done`
	c := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile", "-c", press)
	c.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
	out, err := c.Output()
	if err != nil || strings.TrimSpace(strings.ReplaceAll(string(out), "\n", " ")) != "default default default" {
		t.Errorf("%q, %v", out, err)
	}
	asked, err := os.ReadFile("asked")
	if err != nil || !strings.Contains(string(asked), "__complete match td ") {
		t.Errorf("%q, %v", asked, err)
	}
}
