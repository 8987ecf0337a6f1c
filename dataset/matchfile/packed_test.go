package matchfile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// listBZ2 is "4HPwATDgc/ABMA\n4HPwATDgc/ABM!\n", by bzip2.
const listBZ2 = "QlpoOTFBWSZTWUmbc1YAAANfgAAQIACEADRCRAAIgACAIAAhKjT0jRiEAABNEiGcs2UQdJEWUWfF3JFOFCQSZtzVgA=="

// TestCompressed reads matches of every format through every compression, tells
// their formats, and states where in the text a mistake is.
func TestCompressed(t *testing.T) {
	mat := fixture(t, "gnubg.mat")
	want := readBytes(t, "gnubg.mat", mat)
	dir := t.TempDir()
	for name, data := range map[string][]byte{"m.mat": mat, "m.sgf": fixture(t, "gnubg.sgf"), "m.xg": xgFile(want, 32)} {
		plain := filepath.Join(dir, name)
		write(t, plain, data)
		format, err := DetectFile(plain)
		if err != nil {
			t.Fatal(err)
		}
		for ending, packed := range map[string][]byte{".gz": gzipped(t, data), ".zst": zstandard(t, data)} {
			path := plain + ending
			write(t, path, packed)
			if got, err := DetectFile(path); got != format || err != nil {
				t.Errorf("%s: format %v, %v", path, got, err)
			}
			ms, err := ReadAll(path)
			if err != nil || len(ms) != 1 {
				t.Fatalf("%s: %d matches, %v", path, len(ms), err)
			}
			ms[0].Line, ms[0].Date = want.Line, want.Date
			if !reflect.DeepEqual(ms[0], want) {
				t.Errorf("%s: %s", path, firstDifference(ms[0], want))
			}
			write(t, path, packed[:len(packed)*2/3])
			if _, err := ReadAll(path); err == nil || !strings.Contains(err.Error(), "cut off") {
				t.Errorf("%s cut off: %v", path, err)
			}
		}
	}
	list, err := base64.StdEncoding.DecodeString(listBZ2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readSlice("ids.bz2", list); err == nil || !strings.Contains(err.Error(), "ids.bz2:2 (byte 15)") {
		t.Errorf("bzip2: %v", err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(data, nil)
}
