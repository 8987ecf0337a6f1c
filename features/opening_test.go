package features

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"bgtrain/internal/bg"
)

var update = flag.Bool("update", false, "write the golden files")

// TestOpening compares the input vectors of the opening position with
// testdata/opening-*.txt: one line an input, with its index and name. They are
// there to be compared with by other programs too.
func TestOpening(t *testing.T) {
	for _, s := range sets {
		x := make([]float32, s.Size)
		s.Encode(&bg.Start, x)
		var got bytes.Buffer
		fmt.Fprintf(&got, "# %s version %d: the %d inputs of the opening position %s\n", s.Name, s.Version, s.Size,
			bg.Start.Key())
		for i, v := range x {
			fmt.Fprintf(&got, "%d\t%s\t%v\n", i, s.InputName(i), v)
		}
		path := "testdata/opening-" + s.Name + ".txt"
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s differs (go test -update writes it): got\n%s", path, got.Bytes())
		}
	}
}
