package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"

	"bgtrain/data"
)

// What ships inside the program is listed, and written out as it is.
func TestDataCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	_, list, _ := runCommand(t, "data")
	for _, want := range []string{"nets/td.safetensors ", "as --net default", "benchmarks/race.bm ",
		"databases/train.parquet ", "recipe, as grow quick"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	for range 2 { // again does no harm
		if status, out, errs := runCommand(t, "data", "race.bm", "nets/td.safetensors", "-o",
			"some"); status != exitDone || out != "some/race.bm\nsome/td.safetensors\n" {
			t.Fatalf("status %d, %q, %s", status, out, errs)
		}
	}
	want, _ := fs.ReadFile(data.Files(), "benchmarks/race.bm")
	if got, err := os.ReadFile("some/race.bm"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("race.bm: %d bytes of %d, %v", len(got), len(want), err)
	}
	if err := os.WriteFile("td.safetensors", []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"data td.safetensors": "td.safetensors is there already, and is another file",
		"data nothing":        `no embedded file "nothing"`,
		"data -o some":        "name the files to write",
	} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status == exitDone ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q", args, status, errs)
		}
	}
}

// Without a file score takes the embedded ones; embedded is a database too.
func TestScoreWhatIsEmbedded(t *testing.T) {
	status, out, errs := runCommand(t, "score", "--net", "pubeval", "--json")
	var got struct {
		Files []struct {
			File      string
			Decisions int
		}
	}
	if status != exitDone || json.Unmarshal([]byte(out), &got) != nil || len(got.Files) != 3 ||
		got.Files[0].File != "contact.bm" {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	if status, out, errs = runCommand(t, "score", "--net", "td", "--two-sided", "-1", "--json",
		"embedded"); status != exitDone || !strings.Contains(out, `"calibration":[`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// A directory that is not there is told before any work, in every command.
func TestOutputIsCheckedAtTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"td --games 1000000000 -o no/x.safetensors": "--output no/x.safetensors: there is no " +
			"directory no",
		"train --epochs 1000000 -o no/x.safetensors":                 "there is no directory no",
		"generate -n 1000000000 -o no/x.parquet":                     "there is no directory no",
		"makebm -n 1000000000 -o no/x.bm":                            "there is no directory no",
		"score --ply 3 --losses no/x":                                "--losses no/x: there is no directory no",
		"report --ply 3 -o no/x.html":                                "there is no directory no",
		"match td td --ply 3 --games 1000000 --log no/x":             "--log no/x: there is no directory no",
		"net export gnubg-size -o file/x.weights":                    "file is not a directory",
		"train --epochs 1000000 -o x.safetensors --curve no/x.jsonl": "--curve no/x.jsonl: there is no directory no",
		"label nothing.parquet -o no/x/":                             "there is no directory no",
	} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitFail ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q; %q expected", args, status, errs, want)
		}
	}
}
