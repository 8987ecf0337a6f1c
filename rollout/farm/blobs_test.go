package farm

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A net or settings that a worker has cached under a digest which is not theirs are
// not used: they are fetched again.
func TestCacheOfAnotherNet(t *testing.T) {
	e := startServer(t, nil)
	l, err := connect(t.Context(), Address{URLs: e.URL()}, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.nc.Close()
	if err := l.makeStreams(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("the net of the run "), 1000)
	p := newBlob(want)
	if err := p.put(t.Context(), l, "run", nil); err != nil {
		t.Fatal(err)
	}
	s := store{h: l, dir: t.TempDir()}
	for _, cached := range []string{"", "another net", string(want[1:])} {
		if cached != "" {
			if err := os.WriteFile(filepath.Join(s.dir, p.SHA256), []byte(cached), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.get(t.Context(), "run", &p.Blob)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("with %.20q cached: %d bytes, %v", cached, len(got), err)
		}
		if now, err := os.ReadFile(filepath.Join(s.dir, p.SHA256)); err != nil || !bytes.Equal(now, want) {
			t.Errorf("with %.20q cached: the cache is not mended: %v", cached, err)
		}
	}
}
