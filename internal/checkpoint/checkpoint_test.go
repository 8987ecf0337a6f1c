package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/identity"
)

var (
	id    = identity.ID{"seed": "1", "net": "a b\xff"}
	state = Sections{"weights": AppendFloats(nil, []float32{1, -2.5, 3e-30}), "none": {}, "progress": []byte("{}\n")}
)

func equal(a, b Sections) bool {
	return maps.EqualFunc(a, b, func(x, y []byte) bool { return bytes.Equal(x, y) })
}

// write returns the content of a checkpoint.
func write(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "checkpoint")
	if err := Write(path, "test", id, state); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestReadsWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	if s, err := Read(path, "test", id); s != nil || err != nil {
		t.Fatalf("no file: %v, %v", s, err)
	}
	for _, s := range []Sections{{}, state} {
		if err := Write(path, "test", id, s); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(path, "test", id); err != nil || got == nil || !equal(got, s) {
			t.Errorf("%q read as %q: %v", s, got, err)
		}
	}
	_, err := Read(path, "test", identity.ID{"seed": "2", "net": id["net"]})
	if !errors.Is(err, identity.ErrOther) || !strings.Contains(err.Error(), path) ||
		!strings.Contains(err.Error(), "seed is 1 there and 2 here") {
		t.Errorf("another run: %v", err)
	}
	if _, err := Read(path, "other", id); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("another kind: %v", err)
	}
}

// TestFindsDamage cuts a checkpoint at every byte and flips every bit.
func TestFindsDamage(t *testing.T) {
	raw := write(t)
	for n := range raw {
		if _, err := parse(raw[:n], "test", id); err == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(raw))
		}
		for bit := range 8 {
			bad := slices.Clone(raw)
			bad[n] ^= 1 << bit
			if _, err := parse(bad, "test", id); err == nil {
				t.Errorf("byte %d, bit %d: no error", n, bit)
			}
		}
	}
}

func TestFloats(t *testing.T) {
	x := []float32{0, float32(math.Copysign(0, -1)), 1.5, -math.MaxFloat32, math.SmallestNonzeroFloat32}
	got := make([]float32, len(x))
	if err := ReadFloats(got, AppendFloats(nil, x)); err != nil || !slices.Equal(got, x) {
		t.Errorf("%v read as %v: %v", x, got, err)
	}
	if err := ReadFloats(got, make([]byte, 19)); err == nil {
		t.Error("19 bytes for 5 numbers")
	}
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		if err := ReadFloats(got[:1], AppendFloats(nil, []float32{v})); err == nil {
			t.Errorf("%v: no error", v)
		}
	}
}

// FuzzParse parses arbitrary bytes as they are and with a good checksum.
func FuzzParse(f *testing.F) {
	raw := write(f)
	f.Add(raw)
	f.Add(magic("test"))
	const header = `{"identity":"net=\"a b\\xff\" seed=1","sections":[{"name":"a","bytes":9}]}`
	f.Add(append(magic("test"), header+"\n1234"...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		sum := sha256.Sum256(raw)
		for _, raw := range [][]byte{raw, slices.Concat(raw, sum[:])} {
			s, err := parse(raw, "test", id)
			n := 0
			for _, part := range s {
				n += len(part)
			}
			if err == nil && n > len(raw) {
				t.Errorf("%d bytes of sections in %d", n, len(raw))
			}
		}
	})
}
