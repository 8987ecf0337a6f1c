package farm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Files of a queue that are damaged while the farm is down are set aside: the run makes them
// again, says so, and ends with what it should.
func TestDamagedStore(t *testing.T) {
	for _, stream := range []string{streamWork, streamParts} {
		for name, change := range damages {
			t.Run(stream+" "+name, func(t *testing.T) {
				t.Parallel()
				lines := damagedStore(t, stream, "obs/*/o.dat", change)
				if aside := strings.Contains(lines, "set aside and made again"); aside != (name != "empty") {
					t.Error(lines)
				}
			})
			if testing.Short() {
				break
			}
		}
	}
}

var damages = map[string]func([]byte) []byte{
	"empty": func([]byte) []byte { return nil },
	"half":  func(raw []byte) []byte { return raw[:len(raw)/2] },
	"flipped": func(raw []byte) []byte {
		for i := range raw {
			raw[i] ^= 0x55
		}
		return raw
	},
}

// damagedStore changes files of a stream under a run and returns what its command says.
func damagedStore(t *testing.T, stream, files string, change func([]byte) []byte) string {
	s := ServerSettings{Listen: freeAddress(t), Store: t.TempDir()}
	e, err := StartServer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	in := testPositions(13, 100)
	j := markJob(0, nil)
	var k taken
	task := k.task(j, in, 10)
	var lines log
	r := testRunner(t, e.URL())
	r.Lease, r.Log = 100*time.Millisecond, lines.add
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context(), task) }()
	obs := filepath.Join(s.Store, "jetstream", "$G", "streams", stream)
	if !soon(func() bool {
		m, _ := filepath.Glob(filepath.Join(s.Store, "jetstream", "$G", "streams", "*", "obs", "*", "o.dat"))
		return len(m) == 2
	}) {
		t.Fatal("no queues")
	}
	e.Stop()
	found, err := filepath.Glob(filepath.Join(obs, files))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, change(raw), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if e, err = StartServer(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	defer func() { e.Stop() }()
	startWorker(t, e.URL(), j, nil)
	select {
	case err = <-ended:
	case <-time.After(waitsTooLong):
		t.Fatalf("%d files; it waits: %s", len(found), &lines)
	}
	if err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 10)
	return lines.String()
}
