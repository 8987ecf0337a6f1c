package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
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

// TestRollsTableIsMadeAgain makes the tables of rolls.bin, which come from the bearoff database alone: mean,
// variance and skewness of each home board, then the first two of the first checker of fifteen. The net that
// follows was learned, once: features/README.md.
func TestRollsTableIsMadeAgain(t *testing.T) {
	var all, first []byte
	put := func(to *[]byte, x, unit float64) {
		*to = binary.LittleEndian.AppendUint16(*to, uint16(int64(math.Round(x*unit))))
	}
	for id, board := range bearoff.Homes(bearoff.NumOneSided) {
		d := oneSided().Rolls(&board)
		mean, variance, skew := central(d.P[:])
		put(&all, mean, 4096)
		put(&all, variance, 16384)
		put(&all, skew, 4096)
		if id >= bearoff.Positions(bg.Checkers-1) {
			mean, variance, _ := central(d.First[:])
			put(&first, mean, 4096)
			put(&first, variance, 16384)
		}
	}
	if !bytes.HasPrefix(shipped(t, "rolls.bin"), append(all, first...)) {
		t.Error("the moments differ from features/rolls.bin")
	}
}

// central returns the mean and the next two central moments of a distribution.
func central(p []float32) (mean, variance, skew float64) {
	for n, q := range p {
		mean += float64(n) * float64(q)
	}
	for n, q := range p {
		x := float64(n) - mean
		variance += float64(q) * x * x
		skew += float64(q) * x * x * x
	}
	return mean, variance, skew
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
	s := newSaves(most)
	const nearest = 3
	off := encodeOff(newFew(oneSided()), s.outside[:1+nearest])
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
