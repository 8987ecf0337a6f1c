package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// valuesDB makes values.parquet: n positions as td values them at 1-ply.
func valuesDB(t *testing.T, dir string, n int) {
	t.Helper()
	trainingDB(t, filepath.Join(dir, "db.parquet"), n)
	if c := child(dir, "label db.parquet --net td --ply 1 -o values.parquet"); c.Run() != nil {
		t.Fatal(c.Stderr)
	}
}

// TestRenewSurvivesKill kills a run that goes on from values at random moments: it goes on from
// its parts and ends with the file of an undisturbed run.
func TestRenewSurvivesKill(t *testing.T) {
	t.Parallel()
	k := killing{
		args: "renew values.parquet --from td --net gnubg-size --seed 5 --workers 2 -o renewed.parquet",
		out:  "renewed.parquet", state: ".parts/*.parquet", kills: 5,
		prepare: func(dir string) { valuesDB(t, dir, 9_000) },
	}
	noLeftovers(t, k.run(t), "db.parquet", "values.parquet", "renewed.parquet")
}

// What is neither trials nor values of the net that is said to have made them is refused.
func TestRenewRefuses(t *testing.T) {
	dir := t.TempDir()
	valuesDB(t, dir, 30)
	for args, want := range map[string]string{
		"values.parquet --from fast --net td":                      "not by",
		"db.parquet --from td --net fast":                          "nor values",
		"values.parquet --net td":                                  "--from and --net",
		"values.parquet --from nothing.safetensors --net fast":     "nothing.safetensors",
		"values.parquet --from td --net fast -o renewed.parquet":   "",
		"values.parquet --from td --net fast --seed none -o other": "none",
	} {
		if !strings.Contains(args, "-o") {
			args += " -o out.parquet"
		}
		status, _, log := bgtrainIn(t, dir, append([]string{"renew"}, strings.Fields(args)...)...)
		if (status == 0) != (want == "") || !strings.Contains(log, want) {
			t.Errorf("%s: status %d, %q; want %q", args, status, log, want)
		}
	}
}
