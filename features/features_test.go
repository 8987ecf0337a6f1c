package features

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"bgtrain/internal/bg"
)

// references computes the same inputs slowly, see reference_test.go.
var references = map[*Set]func(b *bg.Board) []float32{
	Tesauro:      refTesauro,
	GNUbgPrune:   refPoints,
	GNUbgRace:    refRace,
	Race:         refRaceRolls,
	GNUbgContact: func(b *bg.Board) []float32 { return refContact(b, false) },
	Contact:      refContactRolls,
	GNUbgCrashed: func(b *bg.Board) []float32 { return refContact(b, true) },
}

// differ checks every set on a board against its reference, to the last bit,
// and that Encode writes all of its inputs and nothing beyond them.
func differ(t *testing.T, b *bg.Board) {
	t.Helper()
	var dst [400]float32
	nan := float32(math.NaN())
	for _, s := range sets {
		want := references[s](b)
		for i := range dst {
			dst[i] = nan
		}
		s.Encode(b, dst[:])
		for i, w := range want {
			if math.Float32bits(dst[i]) != math.Float32bits(w) {
				t.Fatalf("%s, input %d (%s): got %v, want %v\n%s", s.Name, i, s.InputName(i), dst[i], w, b.Draw())
			}
		}
		if g := dst[s.Size]; g == g {
			t.Fatalf("%s writes beyond its %d inputs", s.Name, s.Size)
		}
	}
}

func TestEncodeEqualsReference(t *testing.T) {
	for _, file := range []string{"testdata/gnubg-eval0.txt.gz", "testdata/positions.txt.gz"} {
		for _, f := range readLines(t, file) {
			b := parseBoard(t, f[0])
			differ(t, &b)
		}
	}
	n := 6_000
	if testing.Short() {
		n = 2_000
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		b := randomBoard(rng)
		differ(t, &b)
	}
	randomGames(5, n/1000, func(b *bg.Board) { differ(t, b) })
}

// TestGNUbgInputs holds the contact and crashed inputs to those that GNU
// Backgammon's own code gives, compiled as in its 1.07.001 release.
func TestGNUbgInputs(t *testing.T) {
	for _, f := range readLines(t, "testdata/gnubg-inputs.txt.gz") {
		b := parseBoard(t, f[0])
		s, err := ByName(f[1])
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, s.Size)
		s.Encode(&b, got)
		for k, text := range f[2:] {
			want, err := strconv.ParseFloat(text, 32)
			if err != nil {
				t.Fatal(err)
			}
			if i := pruneInputs + k; got[i] != float32(want) {
				t.Errorf("%s %s, input %d (%s): got %v, want %v", f[0], f[1], i, s.InputName(i), got[i], want)
			}
		}
	}
}

func FuzzEncode(f *testing.F) {
	for _, b := range []bg.Board{bg.Start, {}, {Me: bg.Side{bg.Bar: 15}},
		{Opp: bg.Side{bg.Bar: 15}, Me: bg.Side{23: 1}}} {
		k := b.Key()
		f.Add(k[:])
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var k bg.Key
		copy(k[:], raw)
		b, err := k.Board()
		if err != nil {
			return
		}
		differ(t, &b)
	})
}

func TestEncodeAllocatesNothing(t *testing.T) {
	b := bg.Start
	for _, s := range sets {
		dst := make([]float32, s.Size)
		if n := testing.AllocsPerRun(100, func() { s.Encode(&b, dst) }); n != 0 {
			t.Errorf("%s: %v allocations", s.Name, n)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	classes := map[*Set][]bg.Class{
		Tesauro:      {bg.Contact},
		GNUbgPrune:   {bg.Contact},
		GNUbgContact: {bg.Contact},
		Contact:      {bg.Contact},
		GNUbgCrashed: {bg.Crashed},
		GNUbgRace:    {bg.Race},
		Race:         {bg.Race},
		Hilton198:    {bg.Contact},
		Hilton326:    {bg.Contact},
		Blog2:        {bg.Contact},
		Blog21:       {bg.Contact},
		Blog22:       {bg.Contact},
		Blog23:       {bg.Contact},
		Blog24:       {bg.Contact},
		Blog35:       {bg.Contact},
	}
	for _, s := range sets {
		boards := candidates(b, classes[s]...)
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			dst := make([]float32, s.Size)
			i := 0
			for b.Loop() {
				s.Encode(&boards[i], dst)
				if i++; i == len(boards) {
					i = 0
				}
			}
		})
	}
}
