package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Of commands that the test does not run to their end.
const (
	serves     = "serves until it is stopped"
	needsGNUbg = "GNU Backgammon's files, which integration tests have"
	needsHost  = "a server to log in to, which the tests of fibs have"
)

// readmeRuns are README's commands, besides its samples, with what makes them short.
var readmeRuns = map[string]string{
	"score --net default --against /usr/lib/gnubg/gnubg.wd":                      "--net td --against gnubg-size small.bm",
	"match default pubeval --games 100000":                                       "--games 20",
	"match default /usr/lib/gnubg/gnubg.wd --games 10000 --luck --luck-net fast": needsGNUbg,
	"analyze final.xg -o final.html":                                             "--ply 0",
	"play default --length 5":                                                    "",
	"engine default --protocol gnubg":                                            serves,
	"report":                                                                     "--net td --bm small.bm -o report.html",
	"data":                                                                       "",
	"man DIR":                                                                    "",
	"import final.mat -o matches.parquet --decisions matches.bm": "",
	"net export default --format onnx -o default-onnx":           "",
	"fibs default --server HOST:PORT --user NAME":                needsHost,
}

var inlineCommand = regexp.MustCompile("`bgtrain ([a-z][^`|]*)`")

// README's commands run, those that a sample shows apart, with small numbers and on
// small files.
func TestReadmeCommands(t *testing.T) {
	sameWithAllKernels(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	mat, err := os.ReadFile(filepath.Join("..", "..", "dataset", "matchfile", "testdata", "gnubg.mat"))
	if err != nil {
		t.Fatal(err)
	}
	bm, err := os.ReadFile(filepath.Join("..", "..", "benchmark", "bm", "testdata", "contact.bm"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, data := range map[string][]byte{"final.xg": mat, "final.mat": mat, "small.bm": bm} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for _, m := range inlineCommand.FindAllStringSubmatch(string(text), -1) {
		line := strings.Join(strings.Fields(m[1]), " ")
		if seen[line] || strings.HasPrefix(line, "COMMAND") {
			continue
		}
		seen[line] = true
		more, known := readmeRuns[line]
		if !known {
			t.Errorf("README has %q, which readmeRuns does not know how to make short", line)
			continue
		}
		runReadme(t, line, more)
	}
	if len(seen) < 6 {
		t.Errorf("%d commands found", len(seen))
	}
}

func runReadme(t *testing.T, line, more string) {
	t.Helper()
	words := strings.Fields(line)
	ctx := context.Background()
	switch {
	case more == needsGNUbg || more == needsHost:
		return
	case more == serves:
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel()
	case strings.HasPrefix(more, "--net "): // other players and files
		words = append(words[:1], strings.Fields(more)...)
	default:
		words = append(words, strings.Fields(more)...)
	}
	var out, log strings.Builder
	e := &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log}
	if status := run(ctx, e, words); status != exitDone {
		t.Errorf("bgtrain %s: status %d\n%s%s", strings.Join(words, " "), status, out.String(), log.String())
	}
}
