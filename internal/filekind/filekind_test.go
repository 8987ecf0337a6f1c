package filekind

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"":                         "empty",
		"PAR1\x15\x04":             "a Parquet file",
		"ARROW1\x00\x00":           "an Arrow file",
		"GNU Backgammon 1.00\n250": "a net (GNU Backgammon's weights)",
		"i0\xecC\x00\x00\x80?":     "a net (GNU Backgammon's weights)",
		"\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":1}": "a net (.safetensors)",
		"bgtrain td checkpoint 4\n{}":               "the checkpoint of a run that has not ended: its command goes on",
		"bgtrain makebm 3 0123\n":                   "the journal of a run that has not ended: its command goes on",
		"\xEF\xBB\xBF(;GM[6]":                       "a match (.sgf)",
		"; [Site \"x\"]\n\n 7 point match\r\n":      "a match (.mat)",
		"position_id,win\n":                         "a text of positions with outputs (CSV)",
		"# x\nOAHDPAABDAOAHDPAABDA 0.5 0.1":         "a text of positions with outputs",
		"# x\n\n#R OAHDPAABDAOAHDPAABDA 0.5":        "a benchmark file",
		"#sha256 00\n":                              "a benchmark file",
		"s settings\n":                              "a benchmark file",
		"{\"net\":1}\n":                             "JSON",
		"<!DOCTYPE html>":                           "a page or picture",
		"words of all kinds":                        "",
		"\x00\x01\x02":                              "a binary file of an unknown kind",
	} {
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Of(path); got != want || err != nil {
			t.Errorf("%q: %q, %v; %q expected", text, got, err, want)
		}
	}
	if got, err := Of(dir); got != "a directory" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	// The parts of a file that a run has not finished yet.
	parts := filepath.Join(dir, "new.parquet.parts")
	if err := os.Mkdir(parts, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Of(filepath.Join(dir, "new.parquet")); err == nil || !strings.Contains(err.Error(),
		parts+" is what an interrupted run has finished of it") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(parts, "unfinished.checkpoint"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Of(parts); !strings.HasPrefix(got, "a directory of a run that has not ended") || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestWrong(t *testing.T) {
	dir := t.TempDir()
	cause := errors.New("cause")
	path := filepath.Join(dir, "f")
	for text, want := range map[string]string{
		"PAR1": path + " is a Parquet file; a net expected", "odd": path + ": a net expected: cause",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Wrong(path, "a net", cause); err.Error() != want || !errors.Is(err, cause) {
			t.Errorf("%v, %s expected", err, want)
		}
	}
	// What is missing may be on its way.
	missing := filepath.Join(dir, "new.bm")
	if err := Wrong(missing, "a net", cause); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "run") {
		t.Error(err)
	}
	for name, text := range map[string]string{".tmp": "words", ".journal": "bgtrain makebm 3 x\n"} {
		if err := os.WriteFile(missing+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Wrong(missing, "a net", cause); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), missing+".journal is what an interrupted run") {
		t.Error(err)
	}
}

func FuzzOfHead(f *testing.F) {
	f.Add([]byte("PAR1"))
	f.Add([]byte("#sha256 "))
	f.Fuzz(func(_ *testing.T, head []byte) { ofHead(head) })
}

// A result is finished where it has something in it and no run left what it goes on from.
func TestFinished(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "net")
	for _, c := range []struct {
		file, text string
		want       bool
	}{{"", "", false}, {"net", "", false}, {"net", "x", true}, {"net.svg", "<svg", true},
		{"net.race.checkpoint", "bgtrain train checkpoint 3\n", false}} {
		if c.file != "" {
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := Finished(path); got != c.want {
			t.Errorf("after %s with %q: %v", c.file, c.text, got)
		}
	}
	if empty := t.TempDir(); Finished(empty) || !Finished(dir) || Finished(os.DevNull) {
		t.Error("a directory with files in it alone is finished, and no device")
	}
}
