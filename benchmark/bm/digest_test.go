package bm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/internal/splitmix"
)

// digested returns a text below its digest line.
func digested(text string) string {
	sum := sha256.Sum256([]byte(text))
	return digestMark + hex.EncodeToString(sum[:]) + "\n" + text
}

// writeRecordsOf copies the records of a file into a new one.
func writeRecordsOf(t *testing.T, path string, f *File) {
	t.Helper()
	err := WriteFile(path, func(w *Writer) error {
		w.Comment("sha256 is no digest\rhere")
		w.Settings("of a test")
		for i := range f.Records {
			w.Record(&f.Records[i])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every flip of a bit in a file with a digest is an error, or changes nothing but the
// digest line, which is a comment then.
func TestFlipsAreFound(t *testing.T) {
	f, err := ReadFile("testdata/crashed.bm", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "crashed.bm")
	writeRecordsOf(t, path, f)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(text, '\n')
	rng := splitmix.Rand(1, 0)
	for range 300 {
		at, bit := int(rng.Uint64()%uint64(len(text))), rng.Uint64()%8
		bad := bytes.Clone(text)
		bad[at] ^= 1 << bit
		for _, o := range []ReadOptions{{}, {SkipBad: true}} {
			got, err := Read(bytes.NewReader(bad), "bad.bm", o)
			switch {
			case err == nil && at < len(digestMark) && !got.Checked: // a comment like any other
			case err == nil && (!o.SkipBad || len(got.Skipped) == 0):
				t.Fatalf("bit %d of byte %d: read as if nothing had happened", bit, at)
			case err != nil && !strings.HasPrefix(err.Error(), "bad.bm:"):
				t.Fatalf("bit %d of byte %d: %v names no line", bit, at, err)
			}
		}
	}
	for n := bytes.LastIndexByte(text[:len(text)-1], '\n'); n > first; n = bytes.LastIndexByte(text[:n], '\n') {
		if _, err := Read(bytes.NewReader(text[:n+1]), "bad.bm", ReadOptions{}); err == nil {
			t.Fatalf("cut off behind a line, at byte %d, it was read", n)
		}
	}
}

func TestDigestLines(t *testing.T) {
	good := digested(goodRecord + "# words\n\no " + openingKey + " 0.5 0.1 0 0.1 0\n")
	for _, c := range []struct {
		name, text, want string
		checked          bool
	}{
		{"whole", good, "", true},
		{"none", goodRecord, "", false},
		{"joined", good + digested(goodR1+goodRecord), "", true},
		{"joined with one without", goodRecord + good, "", false},
		{"one without joined with it", good + goodRecord, "test.bm:1: lines 2 to 6 do not", false},
		{"line ends of another system", strings.ReplaceAll(good, "\n", "\r\n"), "", true},
		{"a mark at its beginning", "\xEF\xBB\xBF" + good, "", true},
		{"a later one wrong", good + strings.Replace(digested(goodRecord), "0.642309", "0.642308", 1),
			"test.bm:6: lines 7 to 7 do not", false},
		{"the first one wrong", strings.Replace(good, "0.642309", "0.642308", 1) + digested(goodRecord),
			"test.bm:1: lines 2 to 5 do not", false},
		{"short", "#sha256 abc\n" + goodRecord, "test.bm:1: digest of 3 digits, 64 expected", false},
		{"nothing below", digested(""), "", true},
	} {
		f, err := Read(strings.NewReader(c.text), "test.bm", ReadOptions{})
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: error %v, %q expected", c.name, err, c.want)
		case err == nil && f.Checked != c.checked:
			t.Errorf("%s: checked %v", c.name, f.Checked)
		}
	}
}

// A file that cannot be finished is not there.
func TestWriteFileFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.bm")
	stop := errors.New("stop")
	err := WriteFile(path, func(w *Writer) error {
		w.Settings("words")
		return stop
	})
	if _, there := os.Stat(path); !errors.Is(err, stop) || !strings.Contains(err.Error(), path) || there == nil {
		t.Errorf("%v, %v", err, there)
	}
}

func TestAddDigest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.bm")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{goodRecord, "\xEF\xBB\xBF# words\r\n" + goodRecord, goodRecord + digested("o "+openingKey+" 0.5 0.1 0 0.1 0\n")} {
		write(text)
		for _, first := range []bool{true, false} {
			if added, err := AddDigest(path); added != first || err != nil {
				t.Fatalf("%q: %v, %v", text, added, err)
			}
			if f, err := ReadFile(path, ReadOptions{}); err != nil || !f.Checked {
				t.Fatalf("%q: %v", text, err)
			}
		}
	}
	packed, err := os.ReadFile("testdata/contact.bm.bz2")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		string(packed): "compressed", strings.Replace(goodRecord, "5 3", "5 4", 1): "illegal candidate",
		strings.Replace(digested(goodRecord), "5 3", "3 5", 1): "do not have the digest", "x\n": "unknown record",
	} {
		write(text)
		added, err := AddDigest(path)
		if added || err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%.20q: %v, %v", text, added, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%.20q: the file was changed", text)
		}
	}
}

// The files that ship have digests, and no faults.
func TestShippedFiles(t *testing.T) {
	for _, path := range []string{"benchmarks/contact.bm", "benchmarks/crashed.bm", "benchmarks/race.bm"} {
		f, err := ReadShipped(path)
		if err != nil {
			t.Fatal(err)
		}
		if v := Validate(f); !f.Checked || v.Counts != [NumProblems]int{} {
			t.Errorf("%s: digest %v, %v", path, f.Checked, v.First)
		}
	}
	if f, err := ReadFile("../../data/themes/themes.bm", ReadOptions{}); err != nil || !f.Checked {
		t.Errorf("%v", err)
	}
}
