package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                "''",
		"plain":           "plain",
		"a/b-c_1.5,x=2%":  "a/b-c_1.5,x=2%",
		"two words":       "'two words'",
		"it's":            `'it'\''s'`,
		"~/x":             "'~/x'",
		"#c":              "'#c'",
		"$HOME `id` !x":   "'$HOME `id` !x'",
		"Übung":           "'Übung'",
		"line\nline\x1b[": `$'line\x0aline\x1b['`,
		"\t'\\":           `$'\x09\'\\'`,
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) is %s, want %s", in, got, want)
		}
	}
}

// TestCommandLineHasWhatChangesTheResult parses command lines in several spellings.
func TestCommandLineHasWhatChangesTheResult(t *testing.T) {
	t.Chdir(t.TempDir()) // outputs are locked
	e := &env{Stdout: &bytes.Buffer{}}
	for in, want := range map[string]string{
		"in -o out --skip=a,b":                         "bgtrain test in -o out --skip a,b",
		"--output=out --workers 3 in --json":           "bgtrain test in -o out",
		"-oout --cache=7 --shard 1/2 'in file' --fast": "bgtrain test 'in file' -o out --fast",
		"in --fast=false":                              "bgtrain test in --fast=false",
	} {
		f := newFlags(e, "test", "", "")
		f.StringP("output", "o", "", "")
		f.StringSlice("skip", nil, "")
		f.Int("workers", 1, "")
		f.Int("cache", 1, "")
		f.String("shard", "", "")
		f.Bool("json", false, "")
		f.Bool("fast", true, "")
		var args []string
		for i, word := range strings.Split(in, "'") { // the second is quoted
			if i%2 == 1 {
				args = append(args, word)
			} else {
				args = append(args, strings.Fields(word)...)
			}
		}
		if err := parseFlags(e, f, args); err != nil {
			t.Fatal(err)
		}
		e.release()
		if got := commandLine("test", f); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestFilesDoNotDependOnWorkers runs commands with other neutral flags: the files
// are the same to the byte, provenance included.
func TestFilesDoNotDependOnWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, out string }{
		{"generate -n 60 --net td --two-sided 2 --share contact=1 -o all.parquet", "all.parquet"},
		{"label all.parquet --ply 1 --net td --two-sided 2 -o labeled/", "labeled/part-00001.parquet"},
		{"rollout all.parquet --trials 36 --truncate 2 --net td --two-sided 2 -o rolled/", "rolled/part-00001.parquet"},
	} {
		var first []byte
		for _, more := range []string{"--workers 1", "--cache 3 --workers 2"} {
			if status, _, errs := runCommand(t, strings.Fields(c.args+" "+more)...); status != exitDone {
				t.Fatal(errs)
			}
			data, err := os.ReadFile(c.out)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = data
				if err := os.Remove(c.out); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(data, first) {
				t.Errorf("%s: another file with %s", c.args, more)
			}
		}
	}
}

// TestGenerateGoesOnOnlyWithTheSameRun interrupts generate and goes on with flags
// that change what it keeps.
func TestGenerateGoesOnOnlyWithTheSameRun(t *testing.T) {
	sameWithAllKernels(t)
	t.Chdir(t.TempDir())
	const key = "4HPwATDgc/ABMA,0.5,0.1,0,0.1,0\n"
	for name, text := range map[string]string{"a.csv": key, "b.csv": "4HPwATDgc/ABUA" + key[14:]} {
		if err := os.WriteFile(name, []byte("position_id,win,win_g,win_bg,lose_g,lose_bg\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := runCommand(t, "import", name, "-o",
			strings.TrimSuffix(name, ".csv")); status != exitDone {
			t.Fatal(errs)
		}
	}
	const args = "generate -n 1000000 --net td --two-sided 2 --select disagree --exclude a -o found.parquet"
	start := func(args string, limit time.Duration) string {
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		var log bytes.Buffer
		run(ctx, &env{Stdin: strings.NewReader(""), Stdout: &log, Stderr: &log}, strings.Fields(args))
		return log.String()
	}
	interrupt := func(args string) {
		t.Helper()
		limit := 100 * time.Millisecond
		for ; limit < time.Minute; limit *= 2 {
			if errs := start(args, limit); !strings.Contains(errs, "deadline") {
				t.Fatalf("%s: %s", args, errs)
			}
			if _, err := os.Stat("found.parquet.journal"); err == nil {
				return
			}
		}
		t.Fatal("no journal")
	}
	interrupt(args)
	for _, other := range []string{
		strings.Replace(args, "--exclude a", "--exclude b", 1), // another position, the same number of them
		args + " --filter 2/0.02", args + " --prune=false",
	} {
		if errs := start(other, time.Minute); !strings.Contains(errs, "another") {
			t.Errorf("%s: %s", other, errs)
		}
	}
	if err := os.Rename("a", filepath.Join(t.TempDir(), "moved")); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := runCommand(t, "import", "a.csv", "-o", "c"); status != exitDone {
		t.Fatal(errs)
	}
	interrupt(strings.Replace(args, "--exclude a", "--exclude c --workers 1", 1)) // the same under another name
}
