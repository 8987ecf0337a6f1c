package main

import (
	"strings"
	"testing"
)

// TestNumbersHaveRanges gives commands numbers that used to end in panics, empty
// results or a dead machine.
func TestNumbersHaveRanges(t *testing.T) {
	t.Chdir(t.TempDir())
	const huge = "9223372036854775807"
	for _, args := range []string{
		"generate -o x -n " + huge,
		"generate -o x -n 10 --workers " + huge, "generate -o x -n 10 --workers 1000000", "generate -o x -n 10 --cache 1000000",
		"generate -o x -n 10 --margin NaN", "generate -o x -n 10 --diversity NaN", "generate -o x -n 10 --random-plays " + huge,
		"td -o x --games " + huge, "td -o x --round " + huge, "td -o x --hidden " + huge,
		"td -o x --alpha NaN", "td -o x --alpha +Inf", "td -o x --lambda nan",
		"train x.parquet -o x --batch " + huge, "train x.parquet -o x --lr NaN", "train x.parquet -o x " +
			"--hidden 5," + huge,
		"rollout x.parquet -o x --trials " + huge, "rollout x.parquet -o x --target-se NaN", "rollout x.parquet -o " +
			"x --chunk " + huge,
		"makebm -o x -n " + huge, "makebm -o x -n 5 --candidates " + huge, "match pubeval random --games " + huge,
		"match pubeval random --workers -2", "eval --cache -5 4HPwATDgc/ABMA",
	} {
		if status, _, errs := runCommand(t, strings.Fields(args)...); status != exitUsage ||
			!strings.Contains(errs, "expected") {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
}

func TestPrintable(t *testing.T) {
	var out strings.Builder
	if n, err := (printable{&out}).Write([]byte("ünïcode\ta\x1b[31mb\x07\n\x7f")); n != 20 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if got, want := out.String(), "ünïcode\ta\uFFFD[31mb\uFFFD\n\uFFFD"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
