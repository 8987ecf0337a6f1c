package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/identity"
)

var id = identity.ID{"seed": "1", "net": "abc"}

// open opens a journal and returns it with its records.
func open(t testing.TB, path string) (*Journal, []string) {
	t.Helper()
	var got []string
	j, err := Open(path, "test", id, func(r string) error {
		got = append(got, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return j, got
}

// write makes a journal with records and returns its content.
func write(t testing.TB, path string, records ...string) []byte {
	t.Helper()
	j, _ := open(t, path)
	for _, r := range records {
		if err := j.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func put(t testing.TB, path string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

var records = []string{"first", "", "d with spaces  and ünïcode", strings.Repeat("x", 10000)}

func TestKeepsWhatItIsGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	write(t, path, records...)
	j, got := open(t, path)
	if !slices.Equal(got, records) || j.Cut() != 0 {
		t.Fatalf("read %q, cut %d", got, j.Cut())
	}
	if err := j.Add("more", "and more"); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, got = open(t, path)
	if !slices.Equal(got, append(slices.Clone(records), "more", "and more")) {
		t.Fatalf("read %q", got)
	}
	if err := j.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
}

// TestGoesOnFromEveryCut cuts a journal at every byte, as a kill does.
func TestGoesOnFromEveryCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	short := []string{"first", "", "third"}
	raw := write(t, path, short...)
	for n := range raw {
		put(t, path, raw[:n])
		j, got := open(t, path)
		if !slices.Equal(got, short[:len(got)]) {
			t.Fatalf("cut to %d: %q", n, got)
		}
		for _, r := range short[len(got):] {
			if err := j.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if again, _ := os.ReadFile(path); string(again) != string(raw) {
			t.Fatalf("cut to %d: %q, was %q", n, again, raw)
		}
	}
}

// TestFindsEveryFlip flips every bit: what is read is what was written, or less.
func TestFindsEveryFlip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	short := []string{"first", "", "third"}
	raw := write(t, path, short...)
	for at := range raw {
		for bit := range 8 {
			bad := slices.Clone(raw)
			bad[at] ^= 1 << bit
			put(t, path, bad)
			var got []string
			j, err := Open(path, "test", id, func(r string) error {
				got = append(got, r)
				return nil
			})
			if err != nil {
				continue // the head
			}
			j.Close()
			if len(got) >= len(short) || !slices.Equal(got, short[:len(got)]) {
				t.Fatalf("byte %d bit %d: %q", at, bit, got)
			}
		}
	}
}

// TestRecordsBelongWhereTheyStand moves, repeats and leaves out good lines.
func TestRecordsBelongWhereTheyStand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	lines := strings.SplitAfter(string(write(t, path, "a", "b", "c")), "\n")
	for name, order := range map[string][]int{
		"swapped": {0, 2, 1, 3}, "twice": {0, 1, 1, 2, 3}, "left out": {0, 2, 3}, "last twice": {0, 1, 2, 3, 3},
	} {
		text, good := "", 0
		for i, n := range order {
			text += lines[n]
			if i == good && n == i {
				good++
			}
		}
		put(t, path, []byte(text))
		j, got := open(t, path)
		j.Close()
		if len(got) != good-1 || j.Cut() == 0 {
			t.Errorf("%s: read %q, cut %d", name, got, j.Cut())
		}
	}
}

func TestRefusesOthersFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "journal")
	open := func(kind string, id identity.ID) error {
		j, err := Open(path, kind, id, func(string) error { return nil })
		if err == nil {
			j.Close()
		}
		return err
	}
	raw := write(t, path, "a")
	err := open("test", identity.ID{"seed": "2", "net": "abc"})
	if !errors.Is(err, identity.ErrOther) || !strings.Contains(err.Error(), "seed is 1 there and 2 here; remove it") {
		t.Errorf("other seed: %v", err)
	}
	if err := open("test", identity.ID{"seed": "1"}); !errors.Is(err, identity.ErrOther) {
		t.Errorf("a shorter identity: %v", err)
	}
	if err := open("other", id); err == nil || errors.Is(err, identity.ErrOther) {
		t.Errorf("other kind: %v", err)
	}
	if again, _ := os.ReadFile(path); string(again) != string(raw) {
		t.Error("the journal was changed")
	}
	for _, text := range []string{"something else", "bgtrain test 2 " + id.String() + "\n",
		"bgtrain test 3 " + id.String() + "=\n", "\n"} {
		put(t, path, []byte(text))
		if err := open("test", id); err == nil {
			t.Errorf("%q is a journal", text)
		}
		if again, _ := os.ReadFile(path); string(again) != text {
			t.Errorf("%q was changed", text)
		}
	}
	path = dir
	if err := open("test", id); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
}

func TestNamesTheLineThatReplayRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	raw := write(t, path, "a", "b")
	_, err := Open(path, "test", id, func(r string) error {
		if r == "b" {
			return errors.New("what is that")
		}
		return nil
	})
	if err == nil || err.Error() != path+":3: what is that" {
		t.Errorf("error %v", err)
	}
	if again, _ := os.ReadFile(path); string(again) != string(raw) {
		t.Error("the journal was changed")
	}
}

func TestRefusesRecordsOfTwoLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := open(t, path)
	if err := j.Add("good", "two\nlines"); err == nil {
		t.Error("no error")
	}
	j.Close()
	if _, got := open(t, path); len(got) != 0 {
		t.Errorf("read %q", got)
	}
}

// FuzzOpen opens files of arbitrary content. What is read can be read again, and
// more can be added.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "journal")
	f.Add(write(f, path, "a", "b b", ""))
	f.Add([]byte("bgtrain test 3 " + id.String() + "\n"))
	f.Add([]byte("bgtrain test 3 " + id.String() + "\n00000000 \n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		put(t, path, raw)
		var got []string
		replay := func(r string) error {
			if got = append(got, r); r == "refused" {
				return fmt.Errorf("refused")
			}
			return nil
		}
		j, err := Open(path, "test", id, replay)
		if err != nil {
			if again, _ := os.ReadFile(path); string(again) != string(raw) {
				t.Fatal("changed despite an error")
			}
			return
		}
		if err := errors.Join(j.Add("one more"), j.Close()); err != nil {
			t.Fatal(err)
		}
		first := append(got, "one more")
		got = nil
		if j, err = Open(path, "test", id, replay); err != nil {
			t.Fatal(err)
		}
		j.Close()
		if !slices.Equal(got, first) || j.Cut() != 0 {
			t.Fatalf("read %q, then %q", first, got)
		}
	})
}
