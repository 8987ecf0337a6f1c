package play

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bgtrain/dataset/matchfile"
)

// FuzzPlay types anything at a table: nothing that is typed ends it with a panic, and
// the match that is kept can be read, whenever it stops.
func FuzzPlay(f *testing.F) {
	brain, err := testBrain()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		"8/5 6/5\nroll\nhint\nundo\n13/11*\nbar/off\n", "double\nroll\ntake\nresign 3\nresign\n", "help\nboard\nquit\n",
		"tutor 0\nhint\n3\ny\nroll\n8 5 6 5\n1\nhint\n1\n", "tutor\ntutor off\ndouble\nno\n13 11 13\nbar 22\n9\n",
		"resign 1\nresign 2\n\n\nroll\n24/18(4) 13/off\nundo\nundo\nundo\n", ",\n, ,\n",
	} {
		f.Add(text, uint64(1))
		f.Add(text, uint64(2))
		f.Add(text, uint64(3))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if strings.Count(text, "\n") > 40 || strings.Contains(strings.ToLower(text), "save") { // no files here
			return
		}
		path := ""
		if seed%16 == 1 { // a file a change takes its time
			path = filepath.Join(t.TempDir(), "m.mat")
		}
		err := Play(context.Background(), strings.NewReader(text), io.Discard, brain,
			Settings{Length: 3, Seed: seed, File: path})
		if err != nil {
			return // the input ended
		}
		if path == "" {
			return
		}
		if _, err := matchfile.ReadAll(path); err != nil {
			t.Error(err)
		}
	})
}
