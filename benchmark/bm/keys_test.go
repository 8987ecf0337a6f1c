package bm

import (
	"os"
	"path/filepath"
	"testing"

	"bgtrain/internal/bg"
)

// Everything that a benchmark file says of positions is excluded: decisions,
// candidates and cube decisions.
func TestReadKeysOfBenchmarks(t *testing.T) {
	const (
		decision = "NKMMGAAADGOMHGIHAAAC"
		best     = "OMHGIHBAAANKMMGAAADG"
		worse    = "OMPGAOAAACNKMMGAAADG"
		cube     = "OAHDPAABDAOAHDPAABDA"
	)
	path := filepath.Join(t.TempDir(), "contact.bm")
	text := "s test\nm " + decision + " 2 3 " + best + " 0.959246 " + worse + " 0.024218\no " + cube + " 0.6 0.1 0 0.1 0\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	keys, err := ReadKeys(t.Context(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{decision, best, worse, cube} {
		b, err := bg.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		if !keys[b.Key()] {
			t.Errorf("%s is not excluded", text)
		}
	}
}
