package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bgtrain/internal/cpu"
)

var updateSamples = flag.Bool("update-samples", false, "write what commands print into the documents that show it")

// sample is a command in a document with the output that the document shows.
type sample struct{ command, output string }

// samplesOf returns the commands of a document's code blocks that begin with "$ ",
// each with the lines up to the next one.
func samplesOf(document string) []sample {
	var all []sample
	code, shown := false, false
	for _, line := range strings.SplitAfter(document, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			code, shown = !code, false
		case code && strings.HasPrefix(line, "$ "):
			all, shown = append(all, sample{command: strings.TrimSpace(line[2:])}), true
		case shown:
			all[len(all)-1].output += line
		}
	}
	return all
}

// printedTimes is what a run prints of its time, which no two runs share.
var printedTimes = regexp.MustCompile(`[0-9.]+ (s|seconds|games/s)\b`)

// TestSamplesInDocuments runs the commands that documents show with their output,
// in the order of the document and in one directory, and holds the documents to it
// (-update-samples writes them).
func TestSamplesInDocuments(t *testing.T) {
	if cpu.Level() == cpu.Go {
		t.Skip("portable kernels round differently: the samples are those of AVX2 and AVX-512")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range append(documents, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		samples := samplesOf(string(text))
		count += len(samples)
		for _, s := range samples {
			got := runSample(t, s.command)
			if *updateSamples {
				shown := "$ " + s.command + "\n"
				text = []byte(strings.Replace(string(text), shown+s.output, shown+got, 1))
				continue
			}
			if printedTimes.ReplaceAllString(got, "T") != printedTimes.ReplaceAllString(s.output, "T") {
				t.Errorf("%s: %s prints\n%s\nthe document shows\n%s", filepath.Base(name), s.command, got, s.output)
			}
		}
		if *updateSamples {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if count == 0 {
		t.Error("no sample found")
	}
}

// runSample returns what a sample's command prints; of the shell it knows cat only.
func runSample(t *testing.T, command string) string {
	t.Helper()
	words := strings.Fields(command)
	if words[0] == "cat" {
		data, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if words[0] != "bgtrain" {
		t.Fatalf("sample %q is no bgtrain command", command)
	}
	var out, log strings.Builder
	if status := run(context.Background(), &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log},
		words[1:]); status != exitDone {
		t.Fatalf("%s: status %d\n%s", command, status, log.String())
	}
	return out.String()
}
