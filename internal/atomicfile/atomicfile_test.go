package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
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
	left := filepath.Join(dir, "db.tmp-5")
	if err := os.MkdirAll(filepath.Join(left, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "sub", "part"), nil, 0o644); err != nil {
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

// TestCleanLeavesThoseAtWork has two writers of one name: neither takes the
// other's temporary file for a leftover.
func TestCleanLeavesThoseAtWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	first, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range []*File{first, second} {
		fmt.Fprintf(f, "writer %d", i)
		if err := f.Commit(); err != nil {
			t.Errorf("writer %d: %v", i, err)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "writer 1" {
		t.Errorf("file holds %q", got)
	}
	dir := filepath.Join(t.TempDir(), "d")
	d, err := CreateDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := Clean(dir); err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(); err != nil {
		t.Error(err)
	}
}

func TestCreateRemovesLeftovers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path+".tmp-123", []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if n := names(t, dir); len(n) != 1 {
		t.Errorf("left: %v", n)
	}
}

func TestModeGoesByUmask(t *testing.T) {
	dir := t.TempDir()
	plain, path := filepath.Join(dir, "plain"), filepath.Join(dir, "f")
	if f, err := os.Create(plain); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if err := Write(path, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(plain)
	got, err := os.Stat(path)
	if err != nil || got.Mode() != want.Mode() {
		t.Errorf("mode %v, %v; other new files have %v", got.Mode(), err, want.Mode())
	}
}

func TestCreateDir(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "db")
	for _, commit := range []bool{false, true} {
		d, err := CreateDir(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d.Name(), "part"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if commit {
			if err := d.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		d.Abort()
	}
	if got, _ := os.ReadFile(filepath.Join(path, "part")); string(got) != "x" {
		t.Fatalf("part holds %q", got)
	}
	if n := names(t, dir); len(n) != 1 {
		t.Errorf("left: %v", n)
	}
	if _, err := CreateDir(path); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Fatalf("over a directory that is not empty: %v", err)
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "db")
	unlock, err := Lock(path + "/")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Lock(path)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("process %d since", os.Getpid())) {
		t.Errorf("error %v", err)
	}
	unlock()
	if n := names(t, dir); len(n) != 0 {
		t.Errorf("left: %v", n)
	}
	// What a killed process left keeps nobody out.
	if err := os.WriteFile(path+LockSuffix, []byte("process 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if unlock, err = Lock(path); err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := Lock(filepath.Join(dir, "none", "db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestLockIsHeldByOneAtATime lets goroutines fight for a lock.
func TestLockIsHeldByOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	var held, taken atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for taken.Load() < 300 {
				unlock, err := Lock(path)
				if err != nil {
					continue
				}
				if held.Add(1) != 1 {
					t.Error("held twice")
				}
				taken.Add(1)
				held.Add(-1)
				unlock()
			}
		})
	}
	wg.Wait()
}
