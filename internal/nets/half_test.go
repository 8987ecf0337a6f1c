package nets

import (
	"bytes"
	"encoding/binary"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/nn"
)

// Every float of 16 bits is widened exactly, by the definition of binary16, and narrowed again
// to itself; a number between two goes to the nearer, halfway to the even one.
func TestHalfIsExact(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&31), float64(h&1023)
		want := sign * math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = sign * math.Ldexp(fraction/1024, -14)
		case exponent == 31 && fraction == 0:
			want = math.Inf(int(sign))
		case exponent == 31:
			want = math.NaN()
		}
		got := fromHalf(h)
		if math.IsNaN(want) != math.IsNaN(float64(got)) || want == want && float64(got) != want ||
			want == 0 && math.Signbit(float64(got)) != (h>>15 == 1) {
			t.Fatalf("%#04x is %g, %g expected", h, got, want)
		}
		back, ok := toHalf(got)
		if ok != (exponent < 31) || ok && back != h {
			t.Fatalf("%#04x, %g, becomes %#04x, %v", h, got, back, ok)
		}
		if exponent > 29 || exponent == 30 {
			continue
		}
		next := fromHalf(h + 1)
		middle := (got + next) / 2
		even := h + h&1
		for v, nearest := range map[float32]uint16{
			middle:                         even,
			math.Nextafter32(middle, got):  h,
			math.Nextafter32(middle, next): h + 1,
			math.Nextafter32(next, middle): h + 1,
			math.Nextafter32(got, middle):  h,
		} {
			if back, ok := toHalf(v); !ok || back != nearest {
				t.Fatalf("%g between %g and %g becomes %#04x, %#04x expected", v, got, next, back, nearest)
			}
		}
	}
	for v, want := range map[float32]uint16{65504: 0x7BFF, 65519.996: 0x7BFF, 0x1p-25: 0, 0x1.8p-25: 1,
		-0x1p-24: 0x8001, 0x1.FFFp-15: 0x0400, 1e-30: 0} {
		if h, ok := toHalf(v); !ok || h != want {
			t.Errorf("%g becomes %#04x, %v; %#04x expected", v, h, ok, want)
		}
	}
	for _, v := range []float32{65520, -65520, 1e9, float32(math.Inf(1)), float32(math.NaN())} {
		if h, ok := toHalf(v); ok {
			t.Errorf("%g becomes %#04x", v, h)
		}
	}
}

// halfPlayer is a player whose weights are all within what 16 bits hold.
func halfPlayer(hidden ...int) *Set {
	set := tesauroPlayer(5, nn.ReLU, hidden...)
	for _, e := range set.Nets {
		for _, l := range e.Net.Layers {
			for _, values := range [][]float32{l.Weights, l.Bias} {
				for i := range values {
					values[i] = max(-65504, min(65504, values[i]))
				}
			}
		}
	}
	return set
}

// A file of 16 bits holds the rounded weights and nothing else changed: it takes half, it is
// read as what WriteHalf returns, and written by the other means it stays that player.
func TestWriteHalf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "half.safetensors")
	set := halfPlayer(40, 7)
	set.Nets[PruneRace] = set.Nets[Race]
	set.Provenance = map[string]string{"command": "made by hand"}
	w := set.Nets[Contact].Net.Layers[0].Weights
	copy(w, []float32{0x1.5p-20, -0x1p-24, 0x1p-30, 65504, 1.0009765625, 1.00048828125})
	wrote, err := WriteHalf(path, set)
	if err != nil {
		t.Fatal(err)
	}
	if w[2] != 0x1p-30 {
		t.Error("the player itself was rounded")
	}
	read, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	sameNets(t, read, wrote)
	if read.Fingerprint() != wrote.Fingerprint() || read.Fingerprint() == set.Fingerprint() {
		t.Errorf("fingerprints %s, %s of what was written, %s before", read.Fingerprint(), wrote.Fingerprint(),
			set.Fingerprint())
	}
	if read.Provenance["command"] != "made by hand" {
		t.Errorf("provenance %v", read.Provenance)
	}
	got := read.Nets[Contact].Net.Layers[0].Weights[:6]
	for i, want := range []float32{0x1.5p-20, -0x1p-24, 0, 65504, 1.0009765625, 1} {
		if got[i] != want {
			t.Errorf("weight %d is %g, %g expected", i, got[i], want)
		}
	}
	for role, e := range set.Nets {
		for k, l := range e.Net.Layers {
			for i, v := range l.Weights {
				r := read.Nets[role].Net.Layers[k].Weights[i]
				if d := math.Abs(float64(r - v)); d > max(math.Abs(float64(v))*0x1p-11, 0x1p-25) {
					t.Fatalf("%s layer %d: %g becomes %g", role, k, v, r)
				}
			}
		}
	}
	var half, full bytes.Buffer
	if err := writeSafetensors(&half, wrote, dtypeF16); err != nil {
		t.Fatal(err)
	}
	if err := WriteSafetensors(&full, wrote); err != nil {
		t.Fatal(err)
	}
	sizeOf := func(b []byte) int { return len(b) - 8 - int(binary.LittleEndian.Uint64(b)) }
	if h, f := sizeOf(half.Bytes()), sizeOf(full.Bytes()); 2*h != f {
		t.Errorf("%d bytes of tensors, %d in float32", h, f)
	}
	again, err := ReadSafetensors(&full)
	if err != nil {
		t.Fatal(err)
	}
	sameNets(t, again, read)
}

// A number that 16 bits cannot hold names its tensor, and leaves no file.
func TestWriteHalfOverflow(t *testing.T) {
	for _, part := range []string{"weight", "bias"} {
		set := halfPlayer(3)
		l := &set.Nets[Crashed].Net.Layers[1]
		if part == "weight" {
			l.Weights[7] = -65520
		} else {
			l.Bias[2] = 1e6
		}
		path := filepath.Join(t.TempDir(), "half.safetensors")
		_, err := WriteHalf(path, set)
		if err == nil || !strings.Contains(err.Error(), `tensor "crashed.1.`+part+`" holds`) {
			t.Errorf("%s: error %v", part, err)
		}
		if left, _ := filepath.Glob(path + "*"); len(left) != 0 {
			t.Errorf("%s: it leaves %v", part, left)
		}
	}
}
