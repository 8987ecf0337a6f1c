//go:build integration

package bearoff

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// The databases of GNU Backgammon 1.07 as Debian installs them. Both number the
// positions as index does.
const (
	gnubgOneSided = "/usr/share/gnubg/gnubg_os0.bd"
	gnubgTwoSided = "/var/lib/gnubg/gnubg_ts0.bd"
)

// readGNUbg reads a database of GNU Backgammon; its header must begin with kind.
func readGNUbg(t *testing.T, path, kind string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("GNU Backgammon is not installed: %v", err)
	}
	if len(b) < 40 || !strings.HasPrefix(string(b), kind) {
		t.Fatalf("%s is not a database %s", path, kind)
	}
	return b[40:]
}

// TestAgainstGNUbgOneSided compares all distributions with GNU Backgammon's. Its
// rounded numbers choose another play of nearly equal mean in some fifty
// positions.
func TestAgainstGNUbgOneSided(t *testing.T) {
	b := readGNUbg(t, gnubgOneSided, "gnubg-OS-06-15-1-1-0")
	db := testDB(t)
	other, worst, worstFirst := 0, 0.0, 0.0
	for id, h := range Homes(NumOneSided) {
		// Index: offset of the numbers; how many and from where, twice.
		e := b[8*id:]
		numbers := b[8*NumOneSided+2*int(binary.LittleEndian.Uint32(e)):]
		var p, first [64]float64
		for i := range int(e[4]) {
			p[int(e[5])+i] = float64(binary.LittleEndian.Uint16(numbers[2*i:])) / 65535
		}
		for i := range int(e[6]) {
			first[int(e[7])+i] = float64(binary.LittleEndian.Uint16(numbers[2*(int(e[4])+i):])) / 65535
		}
		d := &db.one[id]
		most, apart := 0, 0.0
		for n := range d.P {
			if p[n] > 0 {
				most = n
			}
			apart = max(apart, math.Abs(p[n]-float64(d.P[n])))
		}
		for n := range d.First {
			worstFirst = max(worstFirst, math.Abs(first[n]-float64(d.First[n])))
		}
		if most != int(d.Max) {
			t.Errorf("%v: at most %d rolls, GNU Backgammon %d", h, d.Max, most)
		}
		if apart > 3e-4 {
			other++
		}
		worst = max(worst, apart)
	}
	t.Logf("worst difference %.6f, of the first checker off %.6f; %d positions played otherwise", worst, worstFirst,
		other)
	if worst > 0.003 || worstFirst > 1e-4 || other > 100 {
		t.Error("too different")
	}
}

// TestAgainstGNUbgTwoSided compares all winning chances of up to six checkers.
func TestAgainstGNUbgTwoSided(t *testing.T) {
	b := readGNUbg(t, gnubgTwoSided, "gnubg-TS-06-06-1")
	db := testDB(t)
	n, worst := db.two.n, 0.0
	list := Homes(n)
	for me := 1; me < n; me++ {
		for opp := 1; opp < n; opp++ {
			equity := float64(binary.LittleEndian.Uint16(b[8*(me*n+opp):]))/32767.5 - 1
			board := boardOf(list[me], list[opp])
			var out bg.Outputs
			db.Evaluate(&board, &out)
			d := math.Abs(float64(out[bg.Win]) - (equity/2 + 0.5))
			worst = max(worst, d)
			if d > 1e-4 {
				t.Fatalf("%s: %v, GNU Backgammon %v", board.Key(), out[bg.Win], equity/2+0.5)
			}
		}
	}
	t.Logf("worst difference %.6f", worst)
}
