package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/disk"
)

// contentOf reads a file; "-" where there is none.
func contentOf(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return "-"
	}
	return string(data)
}

// TestWholeFilesAtEveryCut replaces a file. At every cut the old content is there or
// the new one, and a writer without fsync is found out.
func TestWholeFilesAtEveryCut(t *testing.T) {
	careful := func(path string) error {
		return atomicfile.Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, "the new content")
			return err
		})
	}
	careless := func(path string) error {
		f, err := disk.OpenFile(path+".new", os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, "the new content"); err != nil {
			return err
		}
		return errors.Join(f.Close(), disk.Rename(path+".new", path))
	}
	for name, c := range map[string]struct {
		write func(path string) error
		whole bool
	}{"careful": {careful, true}, "careless": {careless, false}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Record(dir)
		if err != nil {
			t.Fatal(err)
		}
		restore := disk.Replace(r)
		err = c.write(path)
		restore()
		if err != nil {
			t.Fatal(err)
		}
		broken := 0
		for calls := range r.Calls() + 1 {
			for cut := range NumCuts {
				left := t.TempDir()
				if err := r.Replay(calls, cut, left); err != nil {
					t.Fatal(err)
				}
				got := contentOf(filepath.Join(left, "f"))
				if got != "old" && got != "the new content" {
					broken++
				}
				if calls == r.Calls() && c.whole && got != "the new content" {
					t.Errorf("%s after all calls: %q", cut, got)
				}
			}
		}
		if (broken == 0) != c.whole {
			t.Errorf("%s: broken at %d cuts", name, broken)
		}
	}
}

// TestEveryCallMayFail lets each call of a write fail: the old file stays, nothing
// is left behind, and the next attempt succeeds.
func TestEveryCallMayFail(t *testing.T) {
	for number := 1; ; number++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Record(dir)
		if err != nil {
			t.Fatal(err)
		}
		r.Fail(number, syscall.ENOSPC)
		restore := disk.Replace(r)
		write := func() error {
			return atomicfile.Write(path, func(w io.Writer) error {
				_, err := io.WriteString(w, "the new content")
				return err
			})
		}
		err = write()
		got := contentOf(path)
		again := write()
		restore()
		if err == nil {
			if number < 5 {
				t.Errorf("only %d calls", number-1)
			}
			return
		}
		if !errors.Is(err, syscall.ENOSPC) || got != "old" && got != "the new content" {
			t.Errorf("call %d: %v, the file holds %q", number, err, got)
		}
		if again != nil || contentOf(path) != "the new content" {
			t.Errorf("after call %d failed: %v, %q", number, again, contentOf(path))
		}
		if left, _ := filepath.Glob(path + ".tmp-*"); len(left) != 0 {
			t.Errorf("after call %d failed there is %v", number, left)
		}
	}
}
