package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/trainer/net"
)

// Points around three places far from each other are told apart.
func TestKMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var points []place
	for i := range 300 {
		var p place
		p[i%3] = 10
		p[3+rng.IntN(5)] = rng.Float32()
		points = append(points, p)
	}
	centers, spread := kMeans(rng, points, 3, 10)
	if spread > 1 {
		t.Errorf("mean square of the distance %v", spread)
	}
	for i := range points {
		a, _ := nearest(centers, &points[i])
		b, _ := nearest(centers, &points[i%3])
		if a != b {
			t.Fatalf("point %d is not with point %d", i, i%3)
		}
	}
	if one, _ := kMeans(rng, points[:1], 3, 2); len(one) != 3 {
		t.Errorf("%d centers of one point", len(one))
	}
}

func TestPlaceOf(t *testing.T) {
	p := placeOf(&bg.Start)
	sum := float32(0)
	for _, c := range p {
		sum += c
	}
	if sum != 2*bg.Checkers {
		t.Errorf("%v checkers", sum)
	}
}

// A run from end to end: both players are scored on the same decisions, and the
// same seed says the same.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("trains")
	}
	text, err := os.ReadFile("../../data/benchmarks/contact.bm")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for range 20 {
		at += bytes.Index(text[at:], []byte("\nm ")) + 1
	}
	at += bytes.IndexByte(text[at:], '\n') + 1
	few := filepath.Join(t.TempDir(), "few.bm")
	if err := os.WriteFile(few, text[:at], 0o666); err != nil {
		t.Fatal(err)
	}
	s := settings{k: 2, hidden: 2, rounds: 2, training: net.Defaults()}
	s.training.Epochs = 1
	said := func() string {
		var out bytes.Buffer
		if err := run(t.Context(), &out, s, []string{"../../data/databases/train.parquet", few}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	out := said()
	for _, want := range []string{"phase 2:", "one net: error rate", "phases: error rate", "difference"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in %s", want, out)
		}
	}
	if err := run(t.Context(), &bytes.Buffer{}, s, []string{few}); err == nil {
		t.Error("one argument was accepted")
	}
	if err := run(t.Context(), &bytes.Buffer{}, s, []string{few, few}); err == nil {
		t.Error("a benchmark file was read as a database")
	}
}
