package bm

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

const cubeKey = "NGGOAGAEAGDGOPAGJAAA"

// Cube decisions that were rolled out come back as they were written.
func TestRolledCubesComeBack(t *testing.T) {
	key, err := bg.ParseKey(cubeKey)
	if err != nil {
		t.Fatal(err)
	}
	want := []CubeRecord{
		{Key: key, Outputs: bg.Outputs{0.5, 0.25}, Rolled: &RolledCube{Cube: 1, NoDouble: 0.5, DoubleTake: 0.625,
			SE: 0.015625, GainSE: 0.03125, Trials: 72}},
		{Key: key, Outputs: bg.Outputs{0.75}, Rolled: &RolledCube{Away: 3, Opponent: 15, Cube: 2, NoDouble: -0.5,
			DoubleTake: -1.5, Trials: 36}},
		{Key: key},
	}
	path := filepath.Join(t.TempDir(), "cube.bm")
	err = WriteFile(path, func(w *Writer) error {
		for i := range want {
			w.Cube(&want[i])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadFile(path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Cubes {
		f.Cubes[i].Line = 0
	}
	if !reflect.DeepEqual(f.Cubes, want) {
		t.Errorf("%+v", f.Cubes)
	}
}

func TestBadRolledCubes(t *testing.T) {
	const o = "o " + cubeKey + " 0.5 0.1 0 0.1 0\n"
	const line = "#D " + cubeKey + " money 1 0.5 0.6 0.01 0.02 72\n"
	for text, want := range map[string]string{
		line:            "no o record",
		o + line + line: "has its line already",
		o + "#D ABAAAAPMDLCAAGACAAAA money 1 0.5 0.6 0 0 72\n":    "no o record of ABAAAAPMDLCAAGACAAAA",
		o + "#D " + cubeKey + " money 1 0.5 0.6 0.01 0.02\n":      "7 fields",
		o + "#D " + cubeKey + " money 3 0.5 0.6 0.01 0.02 72\n":   "cube of 3",
		o + "#D " + cubeKey + " 3 1 0.5 0.6 0.01 0.02 72\n":       "score \"3\"",
		o + "#D " + cubeKey + " 0:4 1 0.5 0.6 0.01 0.02 72\n":     "score",
		o + "#D " + cubeKey + " 2:4 2 0.5 0.6 0.01 0.02 72\n":     "no use for it",
		o + "#D " + cubeKey + " money 1 NaN 0.6 0.01 0.02 72\n":   "not a number",
		o + "#D " + cubeKey + " money 1 0.5 0.6 -0.01 0.02 72\n":  "standard errors",
		o + "#D " + cubeKey + " money 1 0.5 0.6 0.01 0.02 many\n": "trials",
	} {
		_, err := Read(strings.NewReader(text), "x.bm", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x.bm:") {
			t.Errorf("%q: %v, %q expected", text, err, want)
		}
	}
}
