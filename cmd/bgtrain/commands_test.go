package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/rollout/selfplay"

	"github.com/spf13/pflag"
)

// A flag means the same in every command and has one default.
func TestFlagsMeanTheSame(t *testing.T) {
	seen := map[string]int{}
	first := map[string]*pflag.Flag{}
	for path, c := range everyCommand() {
		c.describe().flags.VisitAll(func(f *pflag.Flag) {
			switch {
			case !slices.Contains([]string{"prune", "workers", "cache", "two-sided", "filter", "json", "fresh",
				"output", "benchmark"}, f.Name):
				return
			case strings.HasPrefix(path, "net ") && f.Name == "prune": // another net file's pruning nets
				return
			}
			seen[f.Name]++
			if first[f.Name] == nil {
				first[f.Name] = f
			}
			if a := first[f.Name]; f.DefValue != a.DefValue || f.Shorthand != a.Shorthand {
				t.Errorf("%s --%s: default %q, letter %q; elsewhere %q, %q", path, f.Name, f.DefValue, f.Shorthand,
					a.DefValue, a.Shorthand)
			}
		})
	}
	if seen["prune"] < 8 || seen["workers"] < 6 || first["prune"].DefValue != "true" ||
		first["workers"].DefValue != "0" {
		t.Errorf("flags found: %v", seen)
	}
}

func TestMistakesInGenerateRolloutLabel(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"generate -o x.parquet", exitUsage, "-n N is missing"},
		{"generate -n 5 -o x.parquet more", exitUsage, "no argument expected"},
		{"generate -n 5 -o x.parquet --share backgame=1", exitUsage, "backgame"},
		{"generate -n 5 -o x.parquet --share contact=-1", exitUsage, "contact=-1"},
		{"generate -n 5 -o x.parquet --density 0", exitUsage, "density 0"},
		{"generate -n 5 -o x.parquet --select best", exitUsage, "best"},
		{"generate -n 5 -o x.parquet --select differ", exitUsage, "--rivals"},
		{"match pubeval:1 random --games 2", exitUsage, "0 plies at most"},
		{"match pipcount:2 random --games 2", exitUsage, "1 plies at most"},
		{"generate -n 5 -o x.parquet --rivals td", exitUsage, "--select differ"},
		{"generate -n 5 -o x.parquet --select differ --rivals nothing", exitFail, "nothing"},
		{"generate -n 5 -o x.parquet --workers -1", exitUsage, "workers -1"},
		{"generate -n 5 -o x.parquet --filter some", exitUsage, "some"},
		{"generate -n 5 -o x.parquet --net nothing", exitFail, "nothing"},
		{"generate -n 5 -o x.parquet --exclude nothing", exitFail, "nothing"},
		{"label x.parquet -o lab.parquet --shard 0/2", exitUsage, "shards fill a directory"},
		{"rollout x.parquet -o rolled.parquet --shard 0/2", exitUsage, "merge DIR -o rolled.parquet"},
		{"label x.parquet", exitUsage, "-o DB2 is missing"},
		{"label x.parquet -o y --ply 4", exitUsage, "--ply 4"},
		{"label x.parquet -o y --filter none", exitUsage, "unknown flag: --filter"},
		{"label x.parquet -o y --chunk 0", exitUsage, "--chunk 0"},
		{"label x.parquet -o y --workers -1", exitUsage, "--workers -1"},
		{"label x.parquet -o y --shard 2/2", exitUsage, "2/2"},
		{"label nothing.parquet -o y --two-sided 2", exitFail, "nothing.parquet"},
		{"rollout", exitUsage, "no position given"},
		{"rollout x y -o z", exitUsage, "one database expected"},
		{"rollout x -o z --trials 1", exitUsage, "--trials 1: 2 to"},
		{"rollout x -o z --lambda 0.5", exitUsage, "--lambda and --ends go with --follow"},
		{"rollout x -o z --follow --trials 36", exitUsage, "--follow expects"},
		{"rollout x -o z --luck great", exitUsage, "great"},
		{"rollout x -o z --shard x", exitUsage, "--shard x"},
		{"rollout x -o z --luck picked --net td --luck-net nothing", exitFail, "nothing"},
		{"rollout nothing.parquet -o z --two-sided 2", exitFail, "nothing.parquet"},
		{"rollout 4HPwATDgc", exitFail, "4HPwATDgc"},
	} {
		status, _, log := bgtrainIn(t, dir, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(log, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, status, log, c.status, c.want)
		}
	}
	noLeftovers(t, dir)
}

// Positions are generated, rolled out in shards and labeled; each command says
// what it did, and its output describes how it was made.
func TestGenerateRolloutLabel(t *testing.T) {
	t.Chdir(t.TempDir())
	do := func(args string, result any) {
		t.Helper()
		status, out, log := runCommand(t, strings.Fields(args)...)
		if status != exitDone {
			t.Fatalf("%s: status %d\n%s", args, status, log)
		}
		if err := json.Unmarshal([]byte(out), result); err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
	}
	var g selfplay.Summary
	do("generate -n 40 --net td --two-sided 2 --share contact=3,race=1 --json -o all.parquet", &g)
	if g.Classes["contact"] != 30 || g.Classes["race"] != 10 || g.Games == 0 {
		t.Errorf("generate says %+v", g)
	}
	type made struct {
		Rows    int   `json:"rows"`
		Total   int   `json:"parts_total"`
		Missing []int `json:"missing_parts"`
	}
	var first, second, again made
	const roll = "rollout all.parquet --net td --two-sided 2 --trials 36 --truncate 1 --chunk 15 --json -o rolled/ "
	do(roll+"--shard 1/2", &first)
	do(roll+"--shard 0/2 --workers 3", &second)
	do(roll, &again)
	if first.Rows != 15 || first.Total != 3 || len(first.Missing) != 2 || second.Rows != 25 ||
		len(second.Missing) != 0 || again.Rows != 0 {
		t.Errorf("rollout says %+v, %+v and %+v", first, second, again)
	}
	if status, _, log := runCommand(t, strings.Fields(roll+"--seed 2")...); status != exitFail ||
		!strings.Contains(log, "another run") {
		t.Errorf("another seed in the same directory: status %d, %s", status, log)
	}
	do("label all.parquet --net td --two-sided 2 --ply 1 --json -o labeled/", &first)
	if first.Rows != 40 || first.Total != 1 {
		t.Errorf("label says %+v", first)
	}
	for path, want := range map[string]map[string]string{
		"all.parquet": {"bearoff": "two-sided 2", "excluded": "none"},
		"rolled":      {"bearoff": "two-sided 2", "rollout": "rollout trials=36 truncate=1 ply=0 vr", "chunk": "15"},
		"labeled":     {"bearoff": "two-sided 2", "label": "eval ply=1", "prune": "true"},
	} {
		db, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m := db.Meta()
		for k, v := range want {
			if m.Extra[k] != v {
				t.Errorf("%s: %s is %q, want %q", path, k, m.Extra[k], v)
			}
		}
		if strings.Contains(m.Command, "workers") || strings.Contains(m.Command, "shard") || m.Net == "" {
			t.Errorf("%s: made by %s with %q", path, m.Command, m.Net)
		}
	}
	if _, err := os.Stat("all.parquet.journal"); err == nil {
		t.Error("the journal is left")
	}
}
