package main

import (
	"os"
	"strings"
	"testing"
)

// A benchmark file gets a digest, and a number that is changed afterwards is found by
// whatever reads the file.
func TestDigestsOfBenchmarkFiles(t *testing.T) {
	text, err := os.ReadFile(benchmarkFile)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mine.bm", text, 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := runCommand(t, "validate", "mine.bm"); status != exitDone || !strings.Contains(out, "--digest") {
		t.Errorf("status %d, and no word of the lacking digest in %s", status, out)
	}
	for i, said := range []string{"mine.bm: a digest was added\n", ""} {
		status, out, errs := runCommand(t, "validate", "--digest", "mine.bm")
		if status != exitDone || errs != said || strings.Contains(out, "--digest") {
			t.Errorf("run %d: status %d, %s%s", i, status, out, errs)
		}
	}
	if text, err = os.ReadFile("mine.bm"); err != nil {
		t.Fatal(err)
	}
	// Still a loss that fits the outputs, as far as can be seen.
	bad := strings.Replace(string(text), "0.033289", "0.033389", 1)
	if err := os.WriteFile("mine.bm", []byte(bad), 0o644); err != nil || bad == string(text) {
		t.Fatal(err)
	}
	for _, args := range []string{"validate mine.bm", "validate --digest mine.bm", "score --net td mine.bm",
		"info mine.bm", "makebm --from mine.bm -o out.bm"} {
		status, out, errs := runCommand(t, strings.Fields(args)...)
		if status != exitFail || !strings.Contains(out+errs, "mine.bm:1: lines 2 to ") {
			t.Errorf("%s: status %d, %s%s", args, status, out, errs)
		}
	}
}
