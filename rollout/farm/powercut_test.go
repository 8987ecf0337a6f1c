package farm

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bgtrain/dataset"
)

// powerCuts is how many power cuts TestPowerCut tries.
const powerCuts = 4

// A power cut takes from the streams that are not synced what was written last: first all
// messages since the streams were made, then file by file, in part or not at all. What is
// lost is queued again, and the result is what it should be.
func TestPowerCut(t *testing.T) {
	many := uint64(powerCuts)
	if testing.Short() {
		many = 2
	}
	for seed := range many {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			lines := powerCut(t, seed)
			_, after, _ := strings.Cut(lines, "the farm is back")
			if seed == 0 && !strings.Contains(after, "they are queued again") && !strings.Contains(after, "made anew") {
				t.Error("nothing was lost")
			}
			if t.Failed() {
				t.Log(lines)
			}
		})
	}
}

// powerCut cuts the power under a run and returns what its command logs.
func powerCut(t *testing.T, seed uint64) string {
	s := ServerSettings{Listen: freeAddress(t), Store: t.TempDir()}
	e, err := StartServer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { e.Stop() }()
	var begun atomic.Int32
	reached, cut := make(chan int32), make(chan struct{})
	const early, late = 10, 25 // of 40 chunks
	j := markJob(0, func([]dataset.Row) error {
		n := begun.Add(1)
		if n == early || n == late {
			reached <- n
		}
		if n >= late {
			<-cut
		}
		return nil
	})
	var lines log
	r := testRunner(t, e.URL())
	r.Lease, r.Log = 300*time.Millisecond, lines.add
	startWorker(t, e.URL(), j, nil)
	var k taken
	in := testPositions(14, 200)
	first := r
	first.Place = "another"
	if err := first.Run(t.Context(), k.task(j, in[:5], 5)); err != nil { // the streams are there
		t.Fatal(err)
	}
	synced := readStore(t, s.Store)
	task, ended := k.task(j, in, 5), make(chan error, 1)
	k.done = 0
	go func() { ended <- r.Run(t.Context(), task) }()
	if <-reached; seed%2 == 1 {
		synced = readStore(t, s.Store)
	}
	<-reached
	left := t.TempDir()
	writeLeft(t, seed, left, synced, readStore(t, s.Store))
	e.Stop()
	s.Store = left
	if e, err = StartServer(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	close(cut)
	if err := <-ended; err != nil {
		t.Errorf("%v: %s", err, &lines)
	}
	k.check(t, in, 5)
	return lines.String()
}

// readStore returns the files of a store as they are.
func readStore(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // it goes while we look
		}
		if raw, err := os.ReadFile(path); err == nil {
			files[strings.TrimPrefix(path, dir)] = raw
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// writeLeft writes what a power cut leaves of a store: what has changed in the streams that
// are not synced may be there, or not, or in part.
func writeLeft(t *testing.T, seed uint64, dir string, before, after map[string][]byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 12))
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, was := before[name]
		raw := after[name]
		if strings.Contains(name, streamWork) || strings.Contains(name, streamParts) {
			synced := 0
			for synced < min(len(old), len(raw)) && old[synced] == raw[synced] {
				synced++
			}
			written := synced + rng.IntN(len(raw)-synced+1)
			what := rng.IntN(4)
			if seed == 0 {
				if what = 3; strings.Contains(name, "/msgs/") {
					what = 0
				}
			}
			switch what {
			case 0:
				if raw = old; !was {
					continue
				}
			case 1:
				raw = raw[:written]
			case 2: // the length of a file may be written before what is in it
				raw = append(slices.Clone(raw[:written]), make([]byte, len(raw)-written)...)
			}
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
