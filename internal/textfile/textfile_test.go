package textfile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// "# comment\n" and "OAHDPAABDAOAHDPAABDA .5 .1 0 .1 0\n", by bzip2.
const commentBZ2 = "QlpoOTFBWSZTWSgLf+UAAARfgAAQSAFiADRAwAAKA4QAIAAhKU0ye1BqG0KZMTIMjKz06Q/jsJsQOQd0NEFGVRfk73PBdyRThQkCgLf+UA=="

// lines returns all lines and how they ended.
func lines(data []byte) (all []string, err error) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		line, err := r.Next()
		if err == nil || errors.Is(err, ErrCutOff) {
			all = append(all, string(line))
		}
		if err != nil {
			return all, err
		}
		if r.Line() != len(all) {
			return all, errors.New("wrong line number")
		}
	}
}

func TestLines(t *testing.T) {
	for text, want := range map[string]struct {
		lines []string
		err   error
	}{
		"":                     {nil, io.EOF},
		"\n":                   {[]string{""}, io.EOF},
		"a\n\r\n b \r\n":       {[]string{"a", "", " b "}, io.EOF},
		"a\nb":                 {[]string{"a", "b"}, ErrCutOff},
		"\xEF\xBB\xBFa\n":      {[]string{"a"}, io.EOF},
		"\xEF\xBB\xBF":         {nil, io.EOF},
		"\xEF\xBB":             {[]string{"\xEF\xBB"}, ErrCutOff},
		"a\n\xEF\xBB\xBFb\n":   {[]string{"a", "\xEF\xBB\xBFb"}, io.EOF},
		strings.Repeat("x", 9): {[]string{"xxxxxxxxx"}, ErrCutOff},
	} {
		got, err := lines([]byte(text))
		if !errors.Is(err, want.err) || !slices.Equal(got, want.lines) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestLongLines(t *testing.T) {
	fits := strings.Repeat("x", MaxLine-1) + "\n"
	if got, err := lines([]byte(fits + "a\n")); len(got) != 2 || err != io.EOF {
		t.Errorf("%d lines, %v", len(got), err)
	}
	if got, err := lines([]byte("a\nx" + fits)); len(got) != 1 || err == nil ||
		!strings.Contains(err.Error(), "more than 131072 bytes") {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

// compressed returns a text by every program, under its name.
func compressed(t testing.TB, text string) map[string][]byte {
	t.Helper()
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	bz, err := base64.StdEncoding.DecodeString(commentBZ2)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"gzip": gz.Bytes(), "zstd": zst.Bytes(), "bzip2": bz}
}

func TestCompressedTextsEvenCutOff(t *testing.T) {
	want := []string{"# comment", "OAHDPAABDAOAHDPAABDA .5 .1 0 .1 0"}
	for name, data := range compressed(t, strings.Join(want, "\n")+"\n") {
		if got, err := lines(data); err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		for n := 4; n < len(data); n++ {
			if got, err := lines(data[:n]); err == nil || err == io.EOF {
				t.Errorf("%s cut off at %d of %d: %q, %v", name, n, len(data), got, err)
			}
		}
	}
}

// What unpacks to far more than any text is refused long before its end.
func TestBombs(t *testing.T) {
	for name, part := range compressed(t, strings.Repeat(strings.Repeat("x", 1023)+"\n", 1<<12)) {
		if name == "bzip2" {
			continue // not of this text
		}
		packed := bytes.NewReader(bytes.Repeat(part, 1<<20/len(part)))
		r, err := NewReader(packed)
		for err == nil {
			_, err = r.Next()
		}
		if !strings.Contains(err.Error(), "unpack to more than") || packed.Len() < 1<<18 {
			t.Errorf("%s: %d bytes not read, %v in line %d", name, packed.Len(), err, r.Line())
		}
		r.Close()
	}
}

func TestOpenNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.gz")
	if _, err := Open(path); err == nil || err.Error() != path+": no such file or directory" {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(path, []byte{0x1F, 0x8B, 8}, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path+": gzip: the file is cut off") {
		t.Errorf("error %v", err)
	}
}

// FuzzNext reads arbitrary streams: it may fail, but not panic or hang.
func FuzzNext(f *testing.F) {
	for _, data := range compressed(f, "a\nb\n") {
		f.Add(data)
	}
	f.Add([]byte("a\r\n\xEF\xBB\xBFb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		for range 1 << 16 {
			line, err := r.Next()
			if len(line) > MaxLine || bytes.IndexByte(line, '\n') >= 0 {
				t.Fatalf("line of %d bytes", len(line))
			}
			if err != nil {
				return
			}
		}
	})
}
