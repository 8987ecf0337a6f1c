//go:build integration

package matchfile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/internal/gnubgtest"
)

// TestMatReadByGNUbg lets GNU Backgammon read what WriteMat writes and save it as
// .sgf and .mat: both have to be the match that was written.
func TestMatReadByGNUbg(t *testing.T) {
	binary := gnubgtest.Binary(t)
	want := readBytes(t, "gnubg.mat", fixture(t, "gnubg.mat"))
	dir := t.TempDir()
	var text bytes.Buffer
	if err := WriteMat(&text, want); err != nil {
		t.Fatal(err)
	}
	ours := filepath.Join(dir, "ours.mat")
	if err := os.WriteFile(ours, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-t", "-q")
	cmd.Stdin = strings.NewReader(fmt.Sprintf("set lang en\nimport mat %s\nsave match %s\nexport match mat %s\n",
		ours, filepath.Join(dir, "theirs.sgf"), filepath.Join(dir, "theirs.mat")))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"theirs.sgf", "theirs.mat"} {
		ms, err := ReadAll(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Match{ms[0], want} {
			m.Line, m.Date, m.Place, m.Round, m.Event = 0, "", "", "", ""
		}
		if !reflect.DeepEqual(ms[0], want) {
			t.Errorf("%s: %s", name, firstDifference(ms[0], want))
		}
	}
}
