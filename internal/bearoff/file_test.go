package bearoff

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// openSmall opens the databases, two-sided of 2 checkers, in dir.
func openSmall(t *testing.T, dir string) *DB {
	t.Helper()
	db, err := Open(context.Background(), Options{Dir: dir, TwoSidedCheckers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// cached returns a directory with the files of openSmall, and the databases, which
// were computed without a cache.
func cached(t *testing.T) (dir string, db *DB) {
	t.Helper()
	two, err := buildTwoSided(context.Background(), 2, 1, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	db, dir = &DB{one: testDB(t).one, two: two}, t.TempDir()
	if err := writeOneSided(filepath.Join(dir, "bearoff-one-sided-v1.bin"), db.one); err != nil {
		t.Fatal(err)
	}
	if err := writeTwoSided(filepath.Join(dir, "bearoff-two-sided-2-v1.bin"), db.two); err != nil {
		t.Fatal(err)
	}
	return dir, db
}

// readDir returns the files of a directory.
func readDir(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func sameDB(a, b *DB) bool {
	return slices.Equal(a.one, b.one) && slices.Equal(a.two.moved, b.two.moved)
}

func sameFiles(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			return false
		}
	}
	return true
}

func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("computes both databases, as TestOpenAtOnce does")
	}
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	built := openSmall(t, dir)
	want, _ := cached(t)
	if !sameFiles(readDir(t, dir), readDir(t, want)) {
		t.Fatalf("other files than expected: %d", len(readDir(t, dir)))
	}
	again, err := Open(context.Background(), Options{Dir: dir, TwoSidedCheckers: 2, Progress: func(int, int) {
		t.Error("computed again")
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !sameDB(built, again) {
		t.Error("the cached databases differ from the computed ones")
	}
	if n := again.TwoSidedCheckers(); n != 2 {
		t.Errorf("two-sided database of %d checkers", n)
	}
}

// TestDamagedCache damages each file in every region. Reading it must be an
// error; what is opened must be good, and the file afterwards too.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, and shares nothing")
	}
	dir, good := cached(t)
	files := readDir(t, dir)
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte {
			b[(at+len(b))%len(b)] ^= 0x10
			return b
		}
	}
	tests := []struct {
		name   string
		damage func([]byte) []byte
	}{ // the last ones are opened as well
		{"magic", flip(3)},
		{"kind", flip(20)},
		{"checkers", flip(24)},
		{"reserved", flip(29)},
		{"length", flip(32)},
		{"first byte of the data", flip(headerSize)},
		{"data", flip(headerSize + 1500)},
		{"last byte of the data", flip(-5)},
		{"checksum", flip(-1)},
		{"empty", func(b []byte) []byte { return nil }},
		{"cut in the header", func(b []byte) []byte { return b[:headerSize-1] }},
		{"cut after the header", func(b []byte) []byte { return b[:headerSize] }},
		{"cut in the data", func(b []byte) []byte { return b[:len(b)/2] }},
		{"last byte missing", func(b []byte) []byte { return b[:len(b)-1] }},
		{"byte too many", func(b []byte) []byte { return append(b, 0) }},
		{"zeros", func(b []byte) []byte { clear(b); return b }},
		{"another version", func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[16:], version+1)
			return reseal(b)
		}},
		{"nonsense under a good checksum", func(b []byte) []byte {
			for i := headerSize; i < len(b); i++ {
				b[i] = 0xff
			}
			return reseal(b)
		}},
	}
	for name := range files {
		twoSided := name == "bearoff-two-sided-2-v1.bin"
		for i, tt := range tests {
			if tt.name == "nonsense under a good checksum" && twoSided {
				continue // any numbers of the right count are a two-sided database
			}
			bad := tt.damage(bytes.Clone(files[name]))
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, bad, 0o644); err != nil {
				t.Fatal(err)
			}
			var err error
			if twoSided {
				_, err = readTwoSided(path, 2)
			} else {
				_, err = readOneSided(path)
			}
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %s: error %v", name, tt.name, err)
			}
			if !twoSided && i < len(tests)-2 {
				continue // building it takes a while
			}
			if !sameDB(openSmall(t, dir), good) {
				t.Errorf("%s: %s: other databases", name, tt.name)
			}
			if !sameFiles(readDir(t, dir), files) {
				t.Errorf("%s: %s: not rebuilt", name, tt.name)
			}
		}
	}
}

// reseal sets the checksum of a file whose content was changed on purpose.
func reseal(b []byte) []byte {
	end := len(b) - 4
	binary.LittleEndian.PutUint32(b[end:], crc32.Checksum(b[:end], castagnoli))
	return b
}

// TestNoCache opens where nothing can be read or written.
func TestNoCache(t *testing.T) {
	if testing.Short() {
		t.Skip("computes both databases twice, as other tests do")
	}
	dir, good := cached(t)

	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !sameDB(openSmall(t, filepath.Join(file, "below")), good) {
		t.Error("other databases below a file")
	}

	taken := t.TempDir()
	for name := range readDir(t, dir) {
		if err := os.Mkdir(filepath.Join(taken, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if !sameDB(openSmall(t, taken), good) {
		t.Error("other databases where directories have the names")
	}
}

// TestOpenAtOnce opens several times at once with an empty cache.
func TestOpenAtOnce(t *testing.T) {
	dir := t.TempDir()
	dbs := make([]*DB, 3)
	errs := make([]error, len(dbs))
	var wg sync.WaitGroup
	for i := range dbs {
		wg.Go(func() { dbs[i], errs[i] = Open(context.Background(), Options{Dir: dir, TwoSidedCheckers: 2}) })
	}
	wg.Wait()
	for i := range dbs {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		if !sameDB(dbs[i], dbs[0]) {
			t.Errorf("database %d differs", i)
		}
	}
	alone, _ := cached(t)
	if !sameFiles(readDir(t, dir), readDir(t, alone)) {
		t.Error("files differ from those written alone")
	}
}

func TestOpenCanceled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Open(ctx, Options{Dir: dir, TwoSidedCheckers: 5, Progress: func(done, total int) {
		if calls++; calls == 50 {
			cancel()
		}
	}})
	if err == nil || len(readDir(t, dir)) != 0 {
		t.Errorf("error %v, %d files after the one-sided database was canceled", err, len(readDir(t, dir)))
	}
	dir, _ = cached(t)
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	_, err = Open(ctx, Options{Dir: dir, TwoSidedCheckers: 5, Progress: func(int, int) { cancel() }})
	if err == nil || len(readDir(t, dir)) != 2 {
		t.Errorf("error %v, %d files after the two-sided database was canceled", err, len(readDir(t, dir)))
	}
}

func TestProgress(t *testing.T) {
	last, end := 0, 0
	_, err := Open(context.Background(), Options{Dir: t.TempDir(), TwoSidedCheckers: 4,
		Progress: func(done, total int) {
			if done <= last || done > total || end != 0 && total != end {
				t.Errorf("%d of %d after %d of %d", done, total, last, end)
			}
			last, end = done, total
		}})
	if err != nil {
		t.Fatal(err)
	}
	if last == 0 || last != end {
		t.Errorf("ended with %d of %d", last, end)
	}
}

func TestOptions(t *testing.T) {
	for _, n := range []int{-2, MaxTwoSided + 1} {
		if _, err := Open(context.Background(), Options{Dir: t.TempDir(), TwoSidedCheckers: n}); err == nil {
			t.Errorf("%d checkers: no error", n)
		}
	}
	dir, _ := cached(t)
	for n, want := range map[int]int{-1: 0, 0: DefaultTwoSided, 3: 3} {
		db, err := Open(context.Background(), Options{Dir: dir, TwoSidedCheckers: n})
		if err != nil {
			t.Fatal(err)
		}
		if got := db.TwoSidedCheckers(); got != want {
			t.Errorf("option %d: %d checkers, want %d", n, got, want)
		}
	}
}

// TestWorkers: the databases are the same however many compute them.
func TestWorkers(t *testing.T) {
	ctx, none := context.Background(), func(int) {}
	checkers := 7
	if testing.Short() {
		checkers = 5
	}
	build := func(workers int) *DB {
		one, err := buildOneSided(ctx, workers, none)
		if err != nil {
			t.Fatal(err)
		}
		two, err := buildTwoSided(ctx, checkers, workers, none)
		if err != nil {
			t.Fatal(err)
		}
		return &DB{one: one, two: two}
	}
	if !sameDB(build(1), build(7)) {
		t.Error("1 and 7 workers compute other databases")
	}
}

// FuzzReadFile reads any bytes as both kinds of file, and as the data of both
// under a good header and checksum. Nothing may panic, and what is read must
// survive being written and read again.
func FuzzReadFile(f *testing.F) {
	f.Add([]byte{})
	f.Add(header(kindOneSided, maxCheckers, 0, 0))
	f.Add([]byte{0, 0, 1, 0, 0, 0x80, 0x3f, 1, 1, 1, 0, 0, 0x80, 0x3f, 31, 31, 31})
	f.Add(make([]byte, 4*28*28))
	dir := f.TempDir() // a folder an input would cost more than the reading
	path, again := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, kind := range []int{0, kindOneSided, kindTwoSided} {
			content := b
			if kind != 0 {
				checkers := maxCheckers
				if kind == kindTwoSided {
					checkers = 2
				}
				content = reseal(append(append(header(kind, checkers, 0, len(b)), b...), 0, 0, 0, 0))
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			if one, err := readOneSided(path); err == nil {
				t.Errorf("%d positions from %d bytes", len(one), len(b))
			}
			two, err := readTwoSided(path, 2)
			if err != nil {
				continue
			}
			if err := writeTwoSided(again, two); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(again); err != nil || !bytes.Equal(got, content) {
				t.Errorf("written again it differs: %v", err)
			}
		}
	})
}
