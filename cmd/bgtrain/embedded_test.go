package main

import (
	"os"
	"strings"
	"testing"
)

// embedded names the database that ships, in every command that reads one.
func TestEmbeddedIsADatabase(t *testing.T) {
	t.Chdir(t.TempDir())
	scratch, err := os.MkdirTemp("", "embedded") // what commands unpack would be here
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(scratch)
	t.Setenv("TMPDIR", scratch)
	for _, c := range []struct{ args, want string }{
		{"info embedded", "rollout database  embedded"},
		{"validate embedded", "embedded: rollout database, 320067 records, "},
		{"export embedded -o race.txt --class race", "race.txt: "},
		{"merge embedded -o all.parquet", "all.parquet: "},
		{"train embedded embedded --nets race --from random --hidden 1 --exclude embedded -o n.safetensors",
			"embedded is given more than once"},
		{"train race.parquet --nets race --from random --hidden 1 --exclude embedded -o n.safetensors --force",
			"no positions with outputs"},
		{"rollout embedded --net td --two-sided -1 -o rolled.parquet --chunk 1", "320067 parts"},
		{"label embedded --net td --two-sided -1 -o labeled.parquet --chunk 1", "320067 parts"},
		{"generate -n 1 -o embedded", "the name of the database inside the program"},
	} {
		if strings.HasPrefix(c.args, "train race.parquet") {
			if status, _, errs := runCommand(t, "import", "race.txt", "-o", "race.parquet"); status != exitDone {
				t.Fatal(errs)
			}
		}
		if _, out, errs := runCommand(t, strings.Fields(c.args)...); !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: %q expected in %s%s", c.args, c.want, out, errs)
		}
		if left, _ := os.ReadDir(scratch); len(left) > 0 {
			t.Errorf("%s: left or unpacked %v", c.args, left)
		}
	}
	// A file of that name has another one.
	if err := os.WriteFile("embedded", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := runCommand(t, "info", "./embedded"); status != exitFail || !strings.Contains(errs, "neither") {
		t.Errorf("./embedded: status %d, %s", status, errs)
	}
}
