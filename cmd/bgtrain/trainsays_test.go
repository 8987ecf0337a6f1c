package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"bgtrain/data"
	"bgtrain/dataset"
)

// What train says of its positions and of how it ended: databases given twice, rows
// that repeat a position, nets that no epoch made better.
func TestTrainSays(t *testing.T) {
	dir := t.TempDir()
	trainingDB(t, filepath.Join(dir, "a.parquet"), 60) // positions of random games: some come twice
	t.Chdir(dir)
	for _, args := range []string{"merge a.parquet --skip-bad -o once.parquet", "export once.parquet -o other.txt",
		"import other.txt -o other.parquet"} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitDone {
			t.Fatal(errs)
		}
	}
	if err := os.Symlink("once.parquet", "link.parquet"); err != nil {
		t.Fatal(err)
	}
	db, err := data.OpenDatabase("once.parquet")
	if err != nil {
		t.Fatal(err)
	}
	info, err := dataset.Describe(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	races := fmt.Sprintf("race: %d ", info.Classes[2].Rows)
	const flags = " --from random --hidden 2 --nets race --epochs 1 --validation 0.2 -o n.safetensors --force"
	const repeat, twice = "of these rows repeat a position", "is given more than once"
	for _, c := range []struct {
		args      string
		says, not []string
	}{
		{"once.parquet" + flags, nil, []string{repeat, twice, "no epoch was better"}},
		{"once.parquet once.parquet" + flags, []string{"once.parquet " + twice, races + repeat}, nil},
		{"once.parquet link.parquet" + flags, []string{"link.parquet " + twice}, nil},
		{"once.parquet other.parquet" + flags, []string{races + repeat}, []string{twice}},
		{"once.parquet" + flags + " --optimizer sgd --lr 1000", []string{
			"race: no epoch was better than the net it started from, which is kept as it was"}, nil},
	} {
		status, out, errs := runCommand(t, append([]string{"train"}, strings.Fields(c.args)...)...)
		for _, line := range strings.Split(out, "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%s: wider than a terminal: %s", c.args, line)
			}
		}
		if status != exitDone {
			t.Errorf("%s: status %d, %s", c.args, status, errs)
		}
		for _, want := range c.says {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: no %q in\n%s", c.args, want, errs)
			}
		}
		for _, unwanted := range c.not {
			if strings.Contains(errs, unwanted) {
				t.Errorf("%s: %q in\n%s", c.args, unwanted, errs)
			}
		}
	}
}
