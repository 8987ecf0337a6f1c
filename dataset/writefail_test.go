package dataset

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failAfter fails when more than n bytes are written.
type failAfter struct {
	w io.Writer
	n int
}

var errFull = errors.New("no space left on device")

func (f *failAfter) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return f.w.Write(p)
}

// TestFailedWritesAreErrors lets the file fail at many places: at none of them is
// there a panic, a success or a file.
func TestFailedWritesAreErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing that shorter tests do not")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "db")
	rows := randomRows(1, 300)
	for n := 0; ; n += 61 {
		w, err := createFile(path, Meta{})
		if err != nil {
			t.Fatal(err)
		}
		limited := &failAfter{w.sink.w, n}
		w.sink.w = limited
		for i := range rows {
			if err := w.write(&rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		err = w.close()
		if limited.n >= 0 {
			if err != nil || n < 1000 {
				t.Errorf("with room for %d bytes: %v", n, err)
			}
			break
		}
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "write "+path) {
			t.Fatalf("with room for %d bytes: %v", n, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Fatalf("with room for %d bytes: left %v", n, left)
		}
	}
}
