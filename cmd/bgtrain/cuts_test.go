package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/disk"
)

// cutCommand is a command that is cut off between any two of its system calls.
type cutCommand struct {
	args  string
	out   string // what it is about: a file, or a directory of parts
	every int    // without BGTRAIN_CUTS=all every so many calls only
}

// allCuts has every call of every command tried, which takes long.
var allCuts = os.Getenv("BGTRAIN_CUTS") == "all"

// step is after how many calls the next one is tried.
func (c *cutCommand) step() int {
	if allCuts {
		return 1
	}
	return c.every
}

// cutCommands are those that write for long. in.txt and in.parquet are there.
var cutCommands = []cutCommand{
	{"import in.txt -o out.parquet", "out.parquet", 2},
	{"import in.txt -o out/", "out", 2},
	{"generate -n 20 --net td --two-sided 2 --share contact=1 --workers 1 -o out.parquet", "out.parquet", 7},
	{"rollout in.parquet --net td --two-sided 2 --trials 36 --truncate 1 --chunk 2 --workers 1 -o out", "out", 11},
	{"label in.parquet --net td --two-sided 2 --ply 0 --chunk 3 --workers 1 -o out.parquet", "out.parquet", 8},
	{"train in.parquet --from random --nets contact --hidden 2 --epochs 2 --batch 4 --validation 0.3 --workers 1 " +
		"--checkpoint-every 1ns -o out.safetensors", "out.safetensors", 31},
	{"td --games 4 --round 2 --hidden 2 --inputs tesauro --workers 1 --checkpoint-every 1ns -o out.safetensors",
		"out.safetensors", 31},
	{"makebm -n 2 --class contact --net td --two-sided 2 --trials 36 --truncate 1 --target-se 0 --candidate-ply 0 " +
		"--workers 1 -o out.bm", "out.bm", 17},
	{"match pubeval random --games 4 --workers 1 --log out", "out", 5},
	{"cube record td --games 6 --part 2 --two-sided 2 --workers 1 -o out", "out", 5},
}

// runQuietly runs a command line and returns an error that describes what it said.
func runQuietly(args string) error {
	var log bytes.Buffer
	status := run(context.Background(), &env{Stdin: strings.NewReader(""), Stdout: &log, Stderr: &log},
		strings.Fields(args))
	if status != exitDone {
		return fmt.Errorf("status %d: %s", status, log.String())
	}
	return nil
}

// prepareCut fills a directory with the input of the commands and makes it current.
func prepareCut(t *testing.T, dir string) {
	t.Helper()
	t.Chdir(dir)
	var text strings.Builder
	for _, key := range cutKeys {
		fmt.Fprintf(&text, "%s 0.5 0.1 0.01 0.1 0.01\n", key)
	}
	if err := os.WriteFile("in.txt", []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := runQuietly("import in.txt -o in.parquet"); err != nil {
		t.Fatal(err)
	}
}

// cutKeys are the opening position and some after it.
var cutKeys = []string{
	"OAHDPAABDAOAHDPAABDA", "JIGHPAABDAOAHDPAABDA", "OAHDOEABCBOAHDPAABDA", "OAHDPAABDAJIGHPAABDA", "OAHDPAABDAOAHDOEABCB",
	"JIGHPAABDAJIGHPAABDA", "OAHDOEABCBJIGHPAABDA",
}

// outputOf returns all that is in a file, or in the parts of a directory, by name.
func outputOf(path string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || atomicfile.IsTemp(name) {
			return err
		}
		data, err := os.ReadFile(name)
		out[name] = string(data)
		return err
	})
	return out, err
}

// finished reports whether a command did nothing because its result is there, whole.
func finished(err error) bool {
	return strings.Contains(err.Error(), "the directory exists and is not empty") ||
		strings.Contains(err.Error(), errFinished.Error())
}

// TestEveryCutGoesOn runs each command, and then again in what a kill, a torn write
// and two kinds of power cut would have left after each of its system calls. No
// file is there that is not whole, and the same command ends with the same bytes.
// Without BGTRAIN_CUTS=all only some of the calls are tried.
func TestEveryCutGoesOn(t *testing.T) {
	sameWithAllKernels(t)
	tried := 0
	for _, c := range cutCommands {
		dir := t.TempDir()
		prepareCut(t, dir)
		r, err := Record(dir)
		if err != nil {
			t.Fatal(err)
		}
		restore := disk.Replace(r)
		err = runQuietly(c.args)
		restore()
		if err != nil {
			t.Fatalf("%s: %v", c.args, err)
		}
		want, err := outputOf(c.out)
		if err != nil || len(want) == 0 {
			t.Fatalf("%s: output %v, %v", c.args, want, err)
		}
		cuts := 0
		for calls := 0; calls <= r.Calls(); calls += c.step() {
			for cut := range NumCuts {
				left := t.TempDir()
				if err := r.Replay(calls, cut, left); err != nil {
					t.Fatal(err)
				}
				t.Chdir(left)
				where := fmt.Sprintf("%s: %v before call %d of %d (%s)", c.args, cut, calls, r.Calls(),
					r.Describe(calls))
				if !strings.Contains(c.args, "--log") { // a journal is there before it is finished
					got, err := outputOf(c.out)
					if err != nil {
						t.Fatal(err)
					}
					for name, data := range got {
						if data != want[name] {
							t.Errorf("%s: %s is there and not whole", where, name)
						}
					}
				}
				if err := runQuietly(c.args); err != nil && !finished(err) {
					t.Errorf("%s: then %v", where, err)
					continue
				}
				got, err := outputOf(c.out)
				if err != nil || len(got) != len(want) {
					t.Errorf("%s: then %d files, %d expected, %v", where, len(got), len(want), err)
				}
				for name, data := range want {
					if got[name] != data {
						t.Errorf("%s: then another %s", where, name)
					}
				}
				if temps, _ := filepath.Glob(c.out + "*.tmp-*"); len(temps) != 0 {
					t.Errorf("%s: then %v are left", where, temps)
				}
				cuts++
			}
		}
		t.Logf("%s: %d calls, %d cuts", c.args, r.Calls(), cuts)
		tried += cuts
	}
	t.Logf("%d cuts in all", tried)
}

// TestFailedCallsAreErrors lets calls of each command fail as on a full disk: the
// command fails, or had its output whole before, and the same command then ends with
// the same bytes.
func TestFailedCallsAreErrors(t *testing.T) {
	sameWithAllKernels(t)
	tried := 0
	for _, c := range cutCommands {
		var want map[string]string
		every := c.step()
		if !allCuts {
			every++
		}
		for number := 0; ; number += every { // the first time nothing fails
			dir := t.TempDir()
			prepareCut(t, dir)
			r, err := Record(dir)
			if err != nil {
				t.Fatal(err)
			}
			r.Fail(number, syscall.ENOSPC)
			restore := disk.Replace(r)
			err = runQuietly(c.args)
			restore()
			got, walked := outputOf(c.out)
			if walked != nil {
				t.Fatal(walked)
			}
			if number == 0 {
				if want = got; err != nil {
					t.Fatal(err)
				}
				continue
			}
			if number > r.Calls() && err == nil {
				break // no such call
			}
			tried++
			if err != nil && !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%s: call %d: %v", c.args, number, err)
			}
			if locks, _ := filepath.Glob("*" + atomicfile.LockSuffix); len(locks) != 0 {
				t.Errorf("%s: after call %d failed: still locked: %v", c.args, number, locks)
			}
			if err := runQuietly(c.args); err != nil && !finished(err) {
				t.Errorf("%s: after call %d failed: %v", c.args, number, err)
				continue
			}
			if got, walked = outputOf(c.out); walked != nil {
				t.Fatal(walked)
			}
			for name, data := range want {
				if got[name] != data {
					t.Errorf("%s: after call %d failed: another %s", c.args, number, name)
				}
			}
		}
	}
	t.Logf("%d failed calls", tried)
}
