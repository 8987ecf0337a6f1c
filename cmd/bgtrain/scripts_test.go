package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
)

// The scripts run to their end, in small.
func TestScriptsRun(t *testing.T) {
	sameWithAllKernels(t)
	t.Parallel()
	type scriptRun struct {
		program, script string
		args            []string // after the folder it works in
	}
	runs := []scriptRun{
		{"bash", "data/ladder.sh", []string{"DIR", "20000", "8"}},
		{"bash", "data/disagree.sh", []string{"DIR", "6"}},
		{"bash", "data/races.sh", []string{"DIR", "100", "1", "7"}},
		{"bash", "data/measure.sh", []string{"DIR", "td", "1000"}},
		{"bash", "data/supervised.sh", []string{"DIR", "FILE"}},
		{"python3", "benchmark/pytorch/compare.py", []string{"--ours", "--cpu", "1"}},
	}
	scripts, _ := filepath.Glob("../../data/*.sh")
	for _, name := range scripts {
		if !slices.ContainsFunc(runs, func(r scriptRun) bool { return filepath.Base(r.script) == filepath.Base(name) }) {
			t.Errorf("%s is not run", name)
		}
	}
	for _, s := range runs {
		t.Run(filepath.Base(s.script), func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(s.program)
			if err != nil && os.Getenv("CI") == "" {
				t.Skip(err)
			}
			dir := t.TempDir()
			args := append([]string{filepath.Join("..", "..", s.script)}, s.args...)
			if i := slices.Index(args, "DIR"); i >= 0 {
				args[i] = filepath.Join(dir, "out")
			}
			if i := slices.Index(args, "FILE"); i >= 0 {
				args[i] = valuedPositions(t, dir)
			}
			c := exec.Command(path, args...)
			program, start := asProgram(t, dir), filepath.Join(dir, "start.safetensors")
			c.Env = append(os.Environ(), "BGTRAIN="+program, "EPOCHS=1", "FROM="+start, "FILES="+fewDecisions(t, dir), "BENCHTIME=1x")
			if s.script == "data/supervised.sh" {
				td := exec.Command(program, "td", "--games", "1", "--phases", "2", "--inputs", "blog-2.4", "-o", start)
				if out, err := td.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// fewDecisions writes the first decisions of a benchmark file that ships, and returns the file's path.
func fewDecisions(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile("../../data/benchmarks/contact.bm")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))[1:100] // without the digest of them all
	path := filepath.Join(dir, "few.bm")
	if err := os.WriteFile(path, bytes.Join(lines, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// valuedPositions writes positions of all classes with made-up values in GNU Backgammon's training format, and
// returns the file's path.
func valuedPositions(t *testing.T, dir string) string {
	t.Helper()
	var text strings.Builder
	seen := map[bg.Key]bool{}
	for _, b := range bgtest.Positions(400) {
		if bg.Classify(&b) != bg.Over && !seen[b.Key()] {
			seen[b.Key()] = true
			fmt.Fprintf(&text, "%s 0.5 0 0 0 0\n", b.Key())
		}
	}
	path := filepath.Join(dir, "train-data")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// asProgram writes a script that runs its arguments as those of bgtrain, and returns its path. Training holds
// out every other position: of a few, at least one.
func asProgram(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "bgtrain")
	text := fmt.Sprintf("#!/bin/sh\n[ \"$1\" != train ] || set -- \"$@\" --validation 0.5\n"+
		"GOGC=400 %s=\"$*\" exec '%s' -test.run='^TestKilledCommand$'\n", killed, os.Args[0])
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}
