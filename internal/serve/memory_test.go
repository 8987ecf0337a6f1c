package serve

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"bgtrain/data"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

// liveMB is what the heap holds that cannot be collected, in MB.
func liveMB() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers and pools hold
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// However many clients ask, what the server holds for them is bounded, at the worst moment
// and in the end.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	set, _, err := data.Net("default")
	if err != nil {
		t.Fatal(err)
	}
	p, err := player.New(set, nil, player.Options{CacheMB: 16})
	if err != nil {
		t.Fatal(err)
	}
	o := rollout.DefaultOptions()
	o.Trials, o.Truncate = 36, 2
	address := listening(t, Settings{Player: p, Rollout: o, Workers: 2})
	before, worst := liveMB(), 0.0
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		askAll(t, address, 200, 2)
	}()
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		case <-time.After(20 * time.Millisecond):
			worst = max(worst, liveMB())
		}
	}
	http.DefaultClient.CloseIdleConnections()
	after := liveMB()
	t.Logf("%.0f MB, %.0f at the worst moment, %.0f at the end", before, worst, after)
	if worst > before+140 || after > before+40 {
		t.Errorf("%.0f MB, %.0f at the worst moment, %.0f at the end", before, worst, after)
	}
}

// askAll lets so many clients ask for pages at once.
func askAll(t *testing.T, address string, clients, each int) {
	boards := bgtest.Positions(1000)
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(n), 8))
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for range each {
				id := boards[rng.IntN(len(boards))].Key().PositionID()
				paths := []string{"api/eval?ply=1&id=" + id, "api/plays?dice=31&id=" + id, fmt.Sprint("database?page=", rng.IntN(100)),
					"database?class=race", "runs", "grown", "api/rollout?id=" + id,
					"decisions?file=" + []string{"contact.bm", "race.bm", "crashed.bm"}[rng.IntN(3)]}
				r, err := client.Get("http://" + address + "/" + paths[rng.IntN(len(paths))])
				if err != nil {
					t.Error(err)
					return
				}
				_, err = io.Copy(io.Discard, r.Body)
				if r.Body.Close(); err != nil || r.StatusCode != 200 && r.StatusCode != 400 && r.StatusCode != 503 {
					t.Errorf("status %d, %v", r.StatusCode, err)
				}
			}
		})
	}
	all.Wait()
}
