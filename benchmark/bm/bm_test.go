package bm

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"bgtrain/internal/bg"

	"github.com/klauspost/compress/zstd"
)

// The opening position, and a record with its rolled-out outputs.
const (
	openingKey = "OAHDPAABDAOAHDPAABDA"
	goodRecord = "m NGGOAGAEAGDGOPAGJAAA 5 3 DGOPEGCAAANGGOAGAAED 0.642309 DGOPAGAGAANGGOAGAEAG 0.075863\n"
	goodR1     = "#R DGOPEGCAAANGGOAGAAED 0.224325 0.037843 0.001024 0.126749 0.003077\n"
	goodR2     = "#R DGOPAGAGAANGGOAGAEAG 0.226594 0.010459 0.000186 0.029832 0.000448\n"
)

func readString(t *testing.T, s string) *File {
	t.Helper()
	f, err := Read(strings.NewReader(s), "test.bm", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReadFile(t *testing.T) {
	f, err := ReadFile("testdata/contact.bm", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Records) != 12 || len(f.Settings) != 1 || len(f.Loose) != 0 {
		t.Fatalf("%d records, %d settings, %d loose lines", len(f.Records), len(f.Settings), len(f.Loose))
	}
	r := &f.Records[0]
	if r.Line != 6 || r.Key.String() != "LHPLAAAAIABNMDAAHMBA" || r.Dice != [2]int{6, 4} || r.BestEquity != -2.002079 {
		t.Errorf("first record %+v", r)
	}
	want := []float64{0, 0.033289, 0.048168, 0.049970}
	for i, c := range r.Candidates {
		if c.Loss != want[i] || !c.RolledOut {
			t.Errorf("candidate %d: %+v", i, c)
		}
	}
	if o := r.Candidates[1].Outputs; o != (bg.Outputs{1, 0.997972, 0.037396, 0, 0}) {
		t.Errorf("outputs %v", o)
	}
	// What is rolled out is what the losses say: the outputs are the opponent's.
	for i := range f.Records {
		r := &f.Records[i]
		for _, c := range r.Candidates {
			mine := c.Outputs.Inverted()
			if d := float64(mine.Equity()) - (r.BestEquity - c.Loss); d > 2e-5 || d < -2e-5 {
				t.Errorf("line %d: candidate %s: equity and loss differ by %v", r.Line, c.Key, d)
			}
		}
	}
}

func TestRolledOutBeforeAndAfter(t *testing.T) {
	for _, text := range []string{
		goodR1 + goodR2 + goodRecord,
		goodRecord + goodR1 + goodR2,
		goodRecord + "# words\n" + goodR1 + "\n" + goodR2 + "o " + openingKey + " 0.5 0.1 0 0.1 0\n",
		goodR1 + goodRecord + goodR2,
	} {
		f := readString(t, text)
		if len(f.Records) != 1 || len(f.Loose) != 0 {
			t.Fatalf("%q: %d records, %d loose", text, len(f.Records), len(f.Loose))
		}
		for i, c := range f.Records[0].Candidates {
			if !c.RolledOut || c.Outputs[0] != []float32{0.224325, 0.226594}[i] {
				t.Errorf("%q: candidate %d: %+v", text, i, c)
			}
		}
	}
	f := readString(t, goodRecord+strings.Replace(goodR1, "DGOPEGCAAANGGOAGAAED", openingKey, 1))
	if len(f.Loose) != 1 {
		t.Errorf("%d loose lines, 1 expected", len(f.Loose))
	}
}

func TestSeeds(t *testing.T) {
	f := readString(t, goodRecord+"r 77\n"+goodRecord)
	if f.Records[0].Seed != 0 || f.Records[1].Seed != 77 {
		t.Errorf("seeds %d, %d", f.Records[0].Seed, f.Records[1].Seed)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"cut off", goodR1 + goodRecord[:len(goodRecord)-4], "test.bm:2: the last line has no line end"},
		{"unknown record", goodRecord + "x 1 2\n", `test.bm:2: unknown record "x"`},
		{"short key", "m NGGOAGAEAGDGOPAGJAA 5 3 DGOPEGCAAANGGOAGAAED 0.6\n", "20 letters expected"},
		{"letters", "m NGGOAGAEAGDGOPAGJAAZ 5 3 DGOPEGCAAANGGOAGAAED 0.6\n", "test.bm:1: "},
		{"16 checkers", "m PPPPAAAAAAOAHDPAABDA 5 3 DGOPEGCAAANGGOAGAAED 0.6\n", "more than 15 checkers"},
		{"die", strings.Replace(goodRecord, "5 3", "7 3", 1), `die "7"`},
		{"die 0", strings.Replace(goodRecord, "5 3", "5 0", 1), `die "0"`},
		{"descending", strings.Replace(goodRecord, "0.075863", "0.075863 DGOPAGAGAANGGOAGAEAG 0.07", 1),
			"losses must ascend"},
		{"negative", strings.Replace(goodRecord, "0.075863", "-0.075863", 1), "losses must ascend"},
		{"NaN", strings.Replace(goodRecord, "0.075863", "NaN", 1), "not a number"},
		{"huge", strings.Replace(goodRecord, "0.075863", "1e9", 1), "at most 6"},
		{"equity", strings.Replace(goodRecord, "0.642309", "3.5", 1), "-3 to 3 expected"},
		{"no loss", "m NGGOAGAEAGDGOPAGJAAA 5 3 DGOPEGCAAANGGOAGAAED 0.642309 DGOPAGAGAANGGOAGAEAG\n",
			"m record has 6 fields"},
		{"no candidate", "m NGGOAGAEAGDGOPAGJAAA 5 3\n", "m record has 3 fields"},
		{"outputs", "o " + openingKey + " 0.5 0.6 0 0.1 0\n", "contradict"},
		{"probability", "o " + openingKey + " 1.5 0.6 0 0.1 0\n", "not a probability"},
		{"few outputs", "#R " + openingKey + " 0.5 0.6 0 0.1\n", "#R line has 5 fields"},
		{"seed", "r x\n", "not a number"},
	} {
		_, err := Read(strings.NewReader(c.text), "test.bm", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "test.bm:") {
			t.Errorf("%s: error %v, %q expected", c.name, err, c.want)
		}
	}
}

func TestSkipBad(t *testing.T) {
	bad := strings.Replace(goodRecord, "5 3", "7 3", 1)
	f, err := Read(strings.NewReader(goodRecord+bad+goodRecord), "test.bm", ReadOptions{SkipBad: true})
	if err != nil || len(f.Records) != 2 || len(f.Skipped) != 1 {
		t.Fatalf("%v, %+v", err, f)
	}
	if _, err = Read(strings.NewReader(goodRecord+goodRecord[:30]), "test.bm", ReadOptions{SkipBad: true}); err == nil {
		t.Error("a cut-off file was read")
	}
}

func TestCompressed(t *testing.T) {
	plain, err := os.ReadFile("testdata/contact.bm")
	if err != nil {
		t.Fatal(err)
	}
	var gz, zs bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(plain)
	g.Close()
	z, _ := zstd.NewWriter(&zs)
	z.Write(plain)
	z.Close()
	want, err := Read(bytes.NewReader(plain), "x", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	bz, err := os.ReadFile("testdata/contact.bm.bz2")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zs.Bytes(), "bzip2": bz} {
		got, err := Read(bytes.NewReader(data), "x", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); got.Digest != hex.EncodeToString(sum[:16]) {
			t.Errorf("%s: digest %s", name, got.Digest)
		}
		got.Digest = want.Digest
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other records", name)
		}
		for _, cut := range []int{1, 10, len(data) / 2} {
			if _, err := Read(bytes.NewReader(data[:len(data)-cut]), "x", ReadOptions{}); err == nil {
				t.Errorf("%s cut off by %d bytes was read", name, cut)
			}
		}
	}
}

func TestWriteRoundTrip(t *testing.T) {
	f, err := ReadFile("testdata/crashed.bm", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f.Records[1].Seed, f.Records[2].Seed = 5, 5
	o, _ := bg.ParseKey(openingKey)
	f.Cubes = []CubeRecord{{Key: o, Outputs: bg.Outputs{0.5, 0.25, 0.125, 0.25, 0}}}
	var b bytes.Buffer
	if err := writeFile(&b, f); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b, f.Name, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Records {
		got.Records[i].Line, f.Records[i].Line = 0, 0
		if i > 2 { // the seed stays until the next r record
			f.Records[i].Seed = got.Records[i].Seed
		}
	}
	got.Cubes[0].Line, got.Digest = 0, f.Digest
	if !reflect.DeepEqual(got, f) {
		t.Error("written and read back, the file is another")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteError(t *testing.T) {
	if err := writeFile(failingWriter{}, readString(t, goodRecord)); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("error %v", err)
	}
}

func TestClassOfFile(t *testing.T) {
	f := readString(t, goodRecord)
	for name, want := range map[string]bg.Class{
		"x/contact.bm": bg.Contact, "Crashed-2012.bm.gz": bg.Crashed, "race.bm": bg.Race, "mine.bm": bg.Contact,
	} {
		if f.Name = name; f.Class() != want {
			t.Errorf("%s: class %v, %v expected", name, f.Class(), want)
		}
	}
	// By the majority: a race with 15 checkers home on both sides.
	f = readString(t, "m GNNNBHAAAAAPAAAAAAAA 3 6 GNNNBHAAAAAPAAAAAAAA 0\n")
	if f.Name = "mine.bm"; f.Class() != bg.Race {
		t.Errorf("majority: class %v", f.Class())
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/contact.bm")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:2000])
	f.Add([]byte(goodR1 + goodRecord + goodR2 + "r 5\ns x\no " + openingKey + " 0.5 0.2 0.1 0.2 0.1\n"))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data), "fuzz", ReadOptions{})
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := writeFile(&b, file); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(b.Bytes()), "fuzz", ReadOptions{})
		if err != nil {
			t.Fatalf("written file: %v\n%s", err, b.Bytes())
		}
		if len(again.Records) != len(file.Records) || len(again.Cubes) != len(file.Cubes) {
			t.Fatalf("%d and %d records", len(file.Records), len(again.Records))
		}
	})
}

// writeFile writes a benchmark file: settings, then each record with the #R lines of
// its rolled-out candidates before it, then the cube records. Read gives the
// same decisions back, numbers to six decimals.
func writeFile(w io.Writer, f *File) error {
	bw := newWriter(w)
	for _, s := range f.Settings {
		bw.Settings(s)
	}
	for i := range f.Records {
		bw.Record(&f.Records[i])
	}
	for i := range f.Cubes {
		writeCube(bw, &f.Cubes[i])
	}
	return bw.flush()
}

// writeCube writes an o record.
func writeCube(w *Writer, c *CubeRecord) {
	b := append(w.buf[:0], "o "...)
	b = append(b, c.Key.String()...)
	for _, p := range c.Outputs {
		b = append(b, ' ')
		b = appendNumber(b, float64(p))
	}
	b = append(b, '\n')
	w.w.Write(b)
	w.buf = b
}
