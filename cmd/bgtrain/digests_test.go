package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/internal/cpu"
	"bgtrain/internal/nets"
)

var updateDigests = flag.Bool("update-digests", false, "write testdata/digests.txt instead of comparing with it")

// digestRun is a command and what of it is digested: a file, a directory of parts,
// or "" for standard output.
type digestRun struct{ args, out string }

// digestRunsAnywhere give the same bits on every tier of kernels, the portable one
// included: see docs/reproducibility.md.
var digestRunsAnywhere = []digestRun{
	{"net export gnubg-size -o gnubg.weights", "gnubg.weights"},
	{"net export gnubg-size -o gnubg.wd", "gnubg.wd"},
	{"net export gnubg-size --format f16 -o half.safetensors", "half.safetensors"},
	{"net import gnubg.weights -o imported.safetensors", "imported.safetensors"},
	{"eval --net gnubg-size --two-sided 4 --json 4HPwATDgc/ABMA OAHDPAABDAOAHDPAABDA", ""},
	{"eval --net gnubg-size --ply 2 --two-sided 4 --dice 31 --board 4HPwATDgc/ABMA", ""},
}

// digestRuns are every command at a small size, in the order of the pipeline:
// each may use what those before it wrote. They give the same bits on AVX2 and
// AVX-512.
var digestRuns = []digestRun{
	{"td --games 96 --hidden 10 --overlap=false --alpha 0.1 --alpha-end 0.01 --round 16 --seed 3 --match-every 48 " +
		"--match-games 20 -o td.safetensors", "td.safetensors"},
	{"td --games 64 --hidden 8 --overlap=false --alpha 0.1 --alpha-end 0.01 --inputs tesauro " +
		"--max-plies 90 -o short.safetensors", "short.safetensors"},
	{"td --games 64 --hidden 6,5 --activation relu --alpha 0.05@0,0.01@32 --inputs blog-2.4 --phases 2 --outputs 3 " +
		"-o overlap.safetensors", "overlap.safetensors"},
	{"td --games 6 --round 2 --hidden 5 --inputs hilton-198 --phases 1 --outputs 1 --estimator " +
		"pipcount:1@0,net:1@4 --minibatches 20 -o memory.safetensors", "memory.safetensors"},
	{"generate -n 300 --net td --seed 5 --two-sided 4 -o all.parquet", "all.parquet"},
	{"generate -n 40 --net td --select disagree,candidates --prune --filter 4/0.1 --share contact=1 --exclude " +
		"all.parquet --seed 6 --two-sided 4 -o disagree.parquet", "disagree.parquet"},
	{"generate -n 100 --net fast --share race=1 --seed 7 --two-sided 4 -o races.parquet", "races.parquet"},
	{"rollout disagree.parquet -o rolled/ --net fast --trials 36 --truncate 5 --chunk 16 --seed 2 --two-sided 4",
		"rolled"},
	{"rollout disagree.parquet -o plain/ --net td --trials 36 --truncate 4 --no-vr --leaf-ply 1 --chunk 20 " +
		"--two-sided 4", "plain"},
	{"rollout races.parquet -o followed/ --net fast --follow --lambda 0.9 --truncate 0 --chunk 50 --two-sided 4",
		"followed"},
	{"rollout --json --trials 72 --truncate 7 --net default --two-sided 4 4HPwATDgc/ABMA", ""},
	{"label all.parquet -o one/ --ply 1 --net td --chunk 64 --two-sided 4", "one"},
	{"label disagree.parquet -o two/ --ply 2 --net fast --prune --chunk 16 --two-sided 4", "two"},
	{"merge one rolled races.parquet -o merged.parquet", "merged.parquet"},
	{"export one -o one.txt", "one.txt"},
	{"export rolled -o rolled.csv --class contact", "rolled.csv"},
	{"import one.txt rolled.csv --source text -o imported.parquet", "imported.parquet"},
	{"validate imported.parquet one.txt --json", ""},
	{"makebm -n 6 --class contact,race --net td --trials 36 --truncate 3 --target-se 0 --candidate-ply 1 --seed 4 " +
		"--two-sided 4 -o made.bm", "made.bm"},
	{"validate made.bm --json", ""},
	{"train one --from td.safetensors --hidden 16 --epochs 3 --batch 32 --mix contact:crashed=0.5 --benchmark " +
		"made.bm --seed 2 -o trained.safetensors", "trained.safetensors"},
	{"train one rolled --from random --inputs tesauro --hidden 12,6 --epochs 2 --batch 64 --loss cross-entropy " +
		"--optimizer adamw --ema 0.9 -o deep.safetensors", "deep.safetensors"},
	{"train one rolled --from random --hidden 40,12 --activation relu --epochs 2 --batch 64 --optimizer muon --lr 0.002 " +
		"-o muon.safetensors", "muon.safetensors"},
	{"train one --from trained.safetensors --nets prune.contact,prune.crashed,prune.race --epochs 1 --batch 32 -o " +
		"pruning.safetensors", "pruning.safetensors"},
	{"net join trained.safetensors --race td.safetensors -o joined.safetensors", "joined.safetensors"},
	{"score --net td --against trained.safetensors --two-sided 4 --breakdown --worst 2 --json made.bm", ""},
	{"score --net gnubg-size --ply 1 --two-sided 4 --losses losses.txt made.bm --json", "losses.txt"},
	{"score --net td --json --two-sided 4 rolled", ""},
	{"match td pubeval --games 40 --seed 9 --two-sided 4 --json", ""},
	{"match trained.safetensors td --games 12 --seed 9 --luck --duplicate --two-sided 4 --json", ""},
	{"match td gnubg-size --games 20 --cube janowski=0.7,0.5 --objective win,equity --two-sided 4 --json", ""},
	{"eval --net td --two-sided 4 --json 4HPwATDgc/ABMA OAHDPAABDAOAHDPAABDA", ""},
	{"report --net trained.safetensors --against td --bm made.bm --two-sided 4 --worst 2 --title small -o " +
		"report.html", ""},
}

// changing matches what differs from run to run in printed results: times.
var changing = regexp.MustCompile(`"(elapsed_s|seconds)":[0-9.e+-]+`)

// TestDigests runs every command with one seed and compares what it computes
// with testdata/digests.txt, so that no rearrangement changes a result unseen, and
// so that processors agree that may work together. A database counts by its rows
// and a net by its weights: provenance may change. To change a result on purpose:
// go test -run TestDigests -update-digests, and say in the commit which lines change
// and why.
func TestDigests(t *testing.T) {
	runs := digestRunsAnywhere
	if cpu.Level() > cpu.Go {
		runs = append(runs, digestRuns...)
	} else if *updateDigests {
		t.Fatal("the portable kernels make too few of the digests to write them")
	}
	golden, err := filepath.Abs("testdata/digests.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	if data, err := os.ReadFile(golden); err == nil {
		lines := bufio.NewScanner(strings.NewReader(string(data)))
		for lines.Scan() {
			digest, args, _ := strings.Cut(lines.Text(), " ")
			want[args] = digest
		}
	} else if !*updateDigests {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var got strings.Builder
	for _, r := range runs {
		var out, log strings.Builder
		args := strings.Fields(r.args)
		if status := run(context.Background(), &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log},
			args); status != exitDone {
			t.Fatalf("bgtrain %s: status %d\n%s", r.args, status, log.String())
		}
		digest, err := resultDigest(r.out, out.String())
		if err != nil {
			t.Fatalf("bgtrain %s: %v", r.args, err)
		}
		fmt.Fprintf(&got, "%s %s\n", digest, r.args)
		if !*updateDigests && digest != want[r.args] {
			t.Errorf("another result, digest %s, not %q: bgtrain %s\n%.2000s", digest, want[r.args], r.args,
				out.String())
		}
	}
	if *updateDigests {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// resultDigest identifies the result of a command: rows, weights, or text without times.
func resultDigest(file, stdout string) (string, error) {
	h := sha256.New()
	var err error
	info, statErr := os.Stat(file)
	switch {
	case file == "":
		_, err = io.WriteString(h, changing.ReplaceAllString(stdout, ""))
	case strings.HasSuffix(file, ".parquet") || statErr == nil && info.IsDir():
		err = digestRows(h, file)
	case strings.HasSuffix(file, ".safetensors"):
		var set *nets.Set
		if set, err = nets.Read(file); err == nil {
			_, err = io.WriteString(h, set.Fingerprint())
		}
	default:
		var data []byte
		if data, err = os.ReadFile(file); err == nil {
			h.Write(provenanceLines.ReplaceAll(data, nil))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// provenanceLines are the comments and settings of a benchmark file.
var provenanceLines = regexp.MustCompile(`(?m)^(#[^R]|s ).*\n`)

// digestRows hashes all rows of a database, in order.
func digestRows(h io.Writer, path string) error {
	db, err := dataset.Open(path)
	if err != nil {
		return err
	}
	for b, err := range db.Batches(context.Background(), dataset.Filter{}) {
		if err != nil {
			return err
		}
		for i := range b.Len() {
			r := b.Row(i)
			outputs := make([]uint32, len(r.Outputs))
			for k, x := range r.Outputs {
				outputs[k] = math.Float32bits(x)
			}
			if err := json.NewEncoder(h).Encode([]any{r.Key, r.Class.String(), r.HasOutputs, outputs,
				math.Float32bits(r.EquitySE),
				r.HasSE, r.Trials, r.HasTrials, r.Method, r.Source}); err != nil {
				return err
			}
		}
	}
	return nil
}
