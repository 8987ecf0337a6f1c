//go:build integration

package bearoff

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestWideAgainstMakebearoff compares all distributions of seven points with those
// that GNU Backgammon's program for it computes. Its rounded numbers choose another
// play of nearly equal mean in some positions.
func TestWideAgainstMakebearoff(t *testing.T) {
	const program = "/usr/games/makebearoff"
	if _, err := os.Stat(program); err != nil && os.Getenv("CI") == "" {
		t.Skipf("GNU Backgammon is not installed: %v", err)
	}
	path := filepath.Join(t.TempDir(), "os7.bd")
	if out, err := exec.CommandContext(t.Context(), program, "-o", "7", "-f", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, w := readGNUbg(t, path, "gnubg-OS-07-15-1-1-0"), testWide(t)
	positions := w.n.positions(maxCheckers)
	other, worst, worstFirst := 0, 0.0, 0.0
	for id := range positions {
		// Index: offset of the numbers; how many and from where, twice.
		e := b[8*id:]
		numbers := b[8*positions+2*int(binary.LittleEndian.Uint32(e)):]
		apart := func(r run, count, from int, numbers []byte) (most float64) {
			var p [64]float64
			for i := range count {
				p[from+i] = float64(binary.LittleEndian.Uint16(numbers[2*i:])) / unit
			}
			for i := range len(r.entries) / 2 {
				p[r.from+i] -= float64(r.at(i)) / unit
			}
			for _, x := range p {
				most = max(most, math.Abs(x))
			}
			return most
		}
		all, first := w.runs(uint32(id))
		d := apart(all, int(e[4]), int(e[5]), numbers)
		if d > 3e-4 {
			other++
		}
		worst = max(worst, d)
		if uint32(id) >= w.fifteen {
			worstFirst = max(worstFirst, apart(first, int(e[6]), int(e[7]), numbers[2*int(e[4]):]))
		}
	}
	t.Logf("worst difference %.6f, of the first checker off %.6f; %d of %d positions played otherwise", worst,
		worstFirst, other, positions)
	if worst > 0.005 || worstFirst > 0.001 || other > positions/200 {
		t.Error("too different")
	}
}
