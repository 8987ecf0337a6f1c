package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
)

// oneSided returns the one-sided database, computed once.
var oneSided = sync.OnceValue(func() *bearoff.DB {
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: -1})
	if err != nil {
		panic(err)
	}
	return db
})

// shipped returns a file of package features.
func shipped(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRollsTableIsMadeAgain makes the tables of rolls.bin, which come from the
// bearoff database alone, and writes the trained net that is there once more.
func TestRollsTableIsMadeAgain(t *testing.T) {
	want := shipped(t, "rolls.bin")
	n := newNet(rand.New(rand.NewPCG(1, 1)), oneSided())
	fifteen := bearoff.NumOneSided - bearoff.Positions(bg.Checkers-1)
	at := 6*bearoff.NumOneSided + 4*fifteen
	for _, p := range [][]float32{n.thresholds, n.weights} {
		for i := range p {
			p[i] = float32(int16(binary.LittleEndian.Uint16(want[at:]))) / 1024
			at += 2
		}
	}
	float := func() float32 {
		at += 4
		return math.Float32frombits(binary.LittleEndian.Uint32(want[at-4:]))
	}
	for o := range numMoments {
		for k := range hidden {
			n.outputs[o*hidden+k] = float()
		}
		n.bias[o] = float()
	}
	got, err := n.encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes, not the %d of features/rolls.bin", len(got), len(want))
	}
}

// TestWithinIsMadeAgain makes what within.bin says of sides with no checkers
// outside, with one on one of the nearest points, and of fifteen checkers with up
// to two outside, one in the short form.
func TestWithinIsMadeAgain(t *testing.T) {
	want := shipped(t, "within.bin")
	most := 2 // checkers outside
	if testing.Short() {
		most = 1
	}
	h, s := readHomes(oneSided()), newSaves(most)
	const nearest = 3
	off := encodeOff(h, newFew(oneSided()), s.outside[:1+nearest])
	if !bytes.HasPrefix(want, off) {
		t.Error("the chances to be off differ from features/within.bin")
	}
	all := 2 * horizon * bearoff.Positions(exactOff)
	all += points * 2 * horizon * bearoff.Positions(fewHome[1])
	all += points * (points + 1) / 2 * 2 * horizon * bearoff.Positions(fewHome[2])
	if !bytes.HasPrefix(want[all:], encodeSafe(s)) {
		t.Error("the chances to save the gammon differ from features/within.bin")
	}
}

// TestTraining trains a small part of a net: it learns, and the same seed gives
// the same file.
func TestTraining(t *testing.T) {
	train := func() (first, last float64, data []byte) {
		rng := rand.New(rand.NewPCG(3, 4))
		var sides []side
		for range 512 {
			var s bg.Side
			for range bg.Checkers {
				s[rng.IntN(12)]++
			}
			if s.Back() >= bearoff.Points {
				sides = append(sides, side{board: s, all: true})
			}
		}
		n := newNet(rng, oneSided())
		n.value(sides)
		first = n.deviation(sides)
		n.train(sides, 100, 0.02, rng)
		data, err := n.encode()
		if err != nil {
			t.Fatal(err)
		}
		return first, n.deviation(sides), data
	}
	first, last, data := train()
	if !(last < first/2) {
		t.Errorf("off by %.4f rolls before training, %.4f after", first, last)
	}
	if _, _, again := train(); !bytes.Equal(again, data) {
		t.Error("the same seed gives another net")
	}
}

func TestEncoderRefuses(t *testing.T) {
	for _, x := range []float64{-1, 65536, math.NaN()} {
		e := &encoder{}
		if e.unsigned(x); e.err == nil {
			t.Errorf("%v taken", x)
		}
	}
	e := &encoder{}
	if e.signed(-32768); e.err != nil || len(e.data) != 2 {
		t.Errorf("-32768: %v", e.err)
	}
}
