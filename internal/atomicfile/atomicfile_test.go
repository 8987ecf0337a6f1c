package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "net")
	big := strings.Repeat("0123456789", bufferSize/5) // twice the buffer
	for _, want := range []string{"first", big, ""} {
		err := Write(path, func(w io.Writer) error {
			if _, err := os.Stat(path); want == "first" && err == nil {
				t.Error("the final name is there before the commit")
			}
			_, err := io.WriteString(w, want)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Fatalf("read %d bytes, %v; want %d", len(got), err, len(want))
		}
		if n := names(t, dir); len(n) != 1 {
			t.Fatalf("left in the directory: %v", n)
		}
	}
}

func TestWriteKeepsModeOfOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
}

func TestFailedWriteLeavesOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		return boom
	})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), path) {
		t.Fatalf("error %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Fatalf("file holds %q", got)
	}
	if n := names(t, dir); len(n) != 1 {
		t.Fatalf("left in the directory: %v", n)
	}
}

func TestWriteIntoMissingDirectory(t *testing.T) {
	err := Write(filepath.Join(t.TempDir(), "none", "f"), func(io.Writer) error { return nil })
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("error %v", err)
	}
}

func TestWriteRefusesDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, func(io.Writer) error { return nil }); err == nil {
		t.Fatal("wrote over a directory")
	}
}

func TestCreateAbortAndCommitOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if !IsTemp(f.Name()) || filepath.Dir(f.Name()) != dir {
		t.Fatalf("temporary name %s", f.Name())
	}
	io.WriteString(f, "x")
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(f.Name()); string(got) != "x" {
		t.Fatalf("after Sync the temporary file holds %q", got)
	}
	f.Abort()
	f.Abort()
	if err := f.Commit(); err == nil {
		t.Fatal("committed after an abort")
	}
	if n := names(t, dir); len(n) != 0 {
		t.Fatalf("left in the directory: %v", n)
	}
}

func TestIsTemp(t *testing.T) {
	for name, want := range map[string]bool{
		"a.parquet.tmp-123":   true,
		"d/part-0.tmp-9":      true,
		"a.tmp-1.tmp-2":       true,
		"a.tmp-":              false,
		"a.tmp-1x":            false,
		"a.parquet":           false,
		"a.tmp-1/b.parquet":   false,
		"a.tmp-1.tmp-parquet": false,
	} {
		if got := IsTemp(name); got != want {
			t.Errorf("IsTemp(%q) = %v", name, got)
		}
	}
}

func TestCleanRemovesOnlyLeftovers(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"db", "db.tmp-77", "db.tmp-78", "db2.tmp-1", "db.tmp-x", "other"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	left, err := MkdirTemp(filepath.Join(dir, "db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "part"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Clean(filepath.Join(dir, "db")); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(names(t, dir), " "), "db db.tmp-x db2.tmp-1 other"; got != want {
		t.Fatalf("left: %s, want %s", got, want)
	}
	if err := Clean(filepath.Join(dir, "none", "db")); err != nil {
		t.Fatal(err)
	}
}

func TestRenameDir(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "db")
	fill := func() string {
		tmp, err := MkdirTemp(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tmp, "part"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		return tmp
	}
	if err := RenameDir(fill(), path); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(path, "part")); string(got) != "x" {
		t.Fatalf("part holds %q", got)
	}
	if err := RenameDir(fill(), path); err == nil {
		t.Fatal("renamed over a directory that is not empty")
	}
}
