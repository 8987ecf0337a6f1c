package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/makebm"
)

const tinyCubes = "makebm --cube gnubg -n 4 --net td --trials 36 --luck none --truncate 3 --seed 3 -o cubes.bm "

// Cube decisions are found near the points, rolled out, and judged by several models.
func TestMakebmCubes(t *testing.T) {
	dir := t.TempDir()
	status, out, log := bgtrainIn(t, dir, strings.Fields(tinyCubes+"--workers 2 --json")...)
	if status != exitDone {
		t.Fatalf("status %d: %s", status, log)
	}
	var made makebm.CubeReport
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Decisions != 4 || made.Matches == 0 ||
		made.Matches == 4 || made.Trials != 4*36 || made.Games == 0 || made.GainSE <= 0 {
		t.Errorf("%v: %s", err, out)
	}
	noLeftovers(t, dir, "cubes.bm")
	text, err := os.ReadFile("cubes.bm")
	if err != nil {
		t.Fatal(err)
	}
	f, err := bm.ReadFile("cubes.bm", bm.ReadOptions{})
	if err != nil || len(f.Cubes) != 4 || !f.Checked {
		t.Fatalf("%d decisions, %v", len(f.Cubes), err)
	}
	for i := range f.Cubes {
		if r := f.Cubes[i].Rolled; r == nil || r.Trials != 36 {
			t.Errorf("decision %d: %+v", i, r)
		}
	}
	if !strings.Contains(string(text), "s bgtrain makebm: cube decisions near the points of gnubg, 0.5 of them in "+
		"matches up to 9 away by Kazaross XG2 25 point MET within 0.15; ") {
		t.Errorf("%.900s", text)
	}
	// The same file with one worker.
	if status, _, log := bgtrainIn(t, dir, strings.Fields(tinyCubes+"--workers 1 --force")...); status != exitDone {
		t.Fatal(log)
	}
	sameFile(t, filepath.Join(dir, "cubes.bm"), text)

	// The same decisions rolled out by another model.
	if status, _, log := bgtrainIn(t, dir, strings.Fields(
		"makebm --cube janowski=0.7 --from cubes.bm --net td --trials 36 --luck none --truncate 3 -o other.bm")...); status != exitDone {
		t.Fatal(log)
	}
	other, err := bm.ReadFile("other.bm", bm.ReadOptions{})
	if err != nil || len(other.Cubes) != 4 || other.Cubes[2].Key != f.Cubes[2].Key {
		t.Errorf("%v, %+v", err, other)
	}

	status, out, log = bgtrainIn(t, dir, strings.Fields("score --net td --cube gnubg,learned,dead --json cubes.bm")...)
	if status != exitDone {
		t.Fatal(log)
	}
	var got struct{ Cube []*cubeJSON }
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Cube) != 3 || got.Cube[1].Model != "learned" ||
		got.Cube[1].Class != "cube" || got.Cube[2].Decisions != 4 || got.Cube[2].ER <= 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// Killed in the middle, the same command goes on, to the same bytes.
func TestMakebmCubesGoesOn(t *testing.T) {
	sameWithAllKernels(t)
	dir := t.TempDir()
	const long = "makebm --cube gnubg -n 6 --net td --trials 360 --luck none --seed 3 --workers 1 -o cubes.bm"
	c := child(dir, long)
	err := runAndKill(c, func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "cubes.bm.journal"))
		return err == nil && strings.Contains(string(text), `"result"`)
	}, 0)
	status, _, log := bgtrainIn(t, dir, strings.Fields(long)...)
	if status != exitDone || killedBy(err) && !strings.Contains(log, "going on after 6 decisions") {
		t.Fatalf("%v: %d, %s", err, status, log)
	}
	text, err := os.ReadFile("cubes.bm")
	if err != nil {
		t.Fatal(err)
	}
	if status, _, log := bgtrainIn(t, t.TempDir(), strings.Fields(long)...); status != exitDone {
		t.Fatal(log)
	}
	sameFile(t, filepath.Join(dir, "cubes.bm"), text)
}

func TestMakebmCubesRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"--cube nothing":                  `cube model "nothing"`,
		"--matches 0.3":                   "--matches goes with --cube",
		"--cube gnubg --away 1":           "2 to",
		"--cube gnubg --candidates 3":     "--candidates is of plays",
		"--cube gnubg --from a.bm":        "-n",
		"--cube learned=no.life":          "cube model learned: open no.life",
		"--cube gnubg --farm http://a:1":  "nats://HOST:PORT",
		"--cube gnubg --met nothing":      "nothing",
		"--cube gnubg --class backgammon": "backgammon",
	} {
		status, out, errs := bgtrainIn(t, t.TempDir(), strings.Fields("makebm -n 5 -o x.bm "+args)...)
		if status == exitDone || !strings.Contains(errs, want) || strings.Count(errs, "\n") > 1 {
			t.Errorf("%s: status %d, %s%s; %q expected", args, status, out, errs, want)
		}
	}
}

// Nets for the life of the cube are trained on recorded games, the same for any number of
// workers, and taken wherever a cube model is.
func TestCubeTrain(t *testing.T) {
	dir := t.TempDir()
	for _, args := range []string{
		"cube record td --games 40 --rolls --two-sided 2 -o games",
		"cube train games --hidden 4 --rounds 2 --pairs 2000 --workers 1 -o a.life",
		"cube study games --a learned=a.life,gnubg --against learned",
		"cube bearoff --two-sided 2 --a gnubg,learned=a.life",
		"eval --net td --cube learned=a.life 4HPwATDgc/ABMA",
		"rollout --net td --cube learned=a.life --trials 36 --truncate 2 4HPwATDgc/ABMA",
		"match td td --cube learned=a.life,gnubg --games 2 --objective match,money",
		"match td td --length 3 --cube learned=a.life,learned --games 2 --luck",
	} {
		if status, _, log := bgtrainIn(t, dir, strings.Fields(args)...); status != exitDone {
			t.Fatalf("%s: %s", args, log)
		}
	}
	a, err := os.ReadFile(filepath.Join(dir, "a.life"))
	if err != nil {
		t.Fatal(err)
	}
	if status, _, log := bgtrainIn(t, dir, strings.Fields(
		"cube train games --hidden 4 --rounds 2 --pairs 2000 --workers 2 -o a.life --force")...); status != exitDone {
		t.Fatal(log)
	}
	sameFile(t, filepath.Join(dir, "a.life"), a)
	for args, want := range map[string]string{
		"cube train games":                        "-o FILE.life is missing",
		"cube train nothing -o x.life":            "no recorded games",
		"cube train games --hidden 0 -o x.life":   "hidden",
		"match td td --games 2 --objective match": "a cube only with --cube",
		"met --compute --cube learned":            "looks at positions",
		"cube study games --a learned=games":      "cube model learned",
	} {
		status, out, errs := bgtrainIn(t, dir, strings.Fields(args)...)
		if status == exitDone || !strings.Contains(errs, want) || strings.Count(errs, "\n") > 1 {
			t.Errorf("%s: status %d, %s%s; %q expected", args, status, out, errs, want)
		}
	}
	if status, _, log := bgtrainIn(t, dir, strings.Fields("cube record td --games 5 --two-sided 2 -o plain")...); status != exitDone {
		t.Fatal(log)
	}
	for _, args := range []string{"cube train plain -o x.life", "cube study plain --a learned"} {
		if status, _, log := bgtrainIn(t, dir, strings.Fields(args)...); status != exitFail ||
			!strings.Contains(log, "'cube record --") {
			t.Errorf("%s: %d, %s", args, status, log)
		}
	}
}
