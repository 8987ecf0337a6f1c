package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/internal/bgtest"
)

// BenchmarkServeMemory reports the memory of serve, with the player and the files that
// ship with the program, before, under and after 200 clients at once that ask for pages,
// boards at 2-ply, decisions, databases and rollouts.
func BenchmarkServeMemory(b *testing.B) {
	for b.Loop() {
		c := child(b.TempDir(), "serve --listen 127.0.0.1:0 --trials 36")
		out, err := c.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			b.Fatalf("%v: %v", err, c.Stderr)
		}
		url := strings.TrimSpace(line)
		if _, err := ask(http.DefaultClient, url); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(statusMB(b, c.Process.Pid, "VmRSS"), "MB-begin")
		begun := time.Now()
		requests := manyClients(b, url)
		b.ReportMetric(float64(requests)/time.Since(begun).Seconds(), "requests/s")
		b.ReportMetric(statusMB(b, c.Process.Pid, "VmHWM"), "MB-peak")
		b.ReportMetric(statusMB(b, c.Process.Pid, "VmRSS"), "MB-end")
		if err := c.Process.Kill(); err != nil {
			b.Fatal(err)
		}
		_ = c.Wait() // killed
	}
}

// manyClients asks as 200 clients do and returns how many answers came.
func manyClients(b *testing.B, url string) (answers int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	boards := bgtest.Positions(1000)
	for n := range 200 {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(n), 8))
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for range 6 {
				id := boards[rng.IntN(len(boards))].Key().PositionID()
				paths := []string{"api/eval?ply=2&id=" + id, "api/plays?ply=2&dice=31&id=" + id,
					"api/plays?ply=1&dice=64&id=" + id,
					fmt.Sprint("database?page=", rng.IntN(100)), "database?class=race", "runs", "grown",
					"decisions?file=" + []string{"contact.bm", "race.bm", "crashed.bm"}[rng.IntN(3)],
					"api/rollout?id=" + id}
				got, err := ask(client, url+paths[rng.IntN(len(paths))])
				if err != nil {
					b.Error(err)
				}
				mu.Lock()
				answers += got
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return answers
}

// ask reads the answer to a request.
func ask(client *http.Client, url string) (answers int, err error) {
	r, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return 1, err
}

// statusMB reads a line of a process's status, in MB.
func statusMB(b *testing.B, pid int, name string) float64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip(err) // another system
	}
	for line := range bytes.Lines(raw) {
		if text, ok := strings.CutPrefix(string(line), name+":"); ok {
			kb, err := strconv.Atoi(strings.Fields(text)[0])
			if err != nil {
				b.Fatal(err)
			}
			return float64(kb) / 1024
		}
	}
	b.Fatalf("no %s", name)
	return 0
}
