package farm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// soakVar is how long TestSoak goes on.
const soakVar = "BGTRAIN_SOAK"

// soak is a farm, three workers and a command in this process, and what may happen to them.
type soak struct {
	t       *testing.T
	rng     *rand.Rand
	keys    []Key
	dir     string
	listen  string
	server  *Server
	workers []func() // each stops one
	faults  map[string]int

	mu   sync.Mutex
	said []string // the last lines of the command and the workers
}

// log keeps a line, to explain what does not settle.
func (s *soak) log(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said = append(s.said, time.Now().Format("15:04:05.000 ")+line); len(s.said) > 80 {
		s.said = s.said[1:]
	}
}

// Three workers and a command, one run after the other under faults: each ends with what a
// local run has, and memory, goroutines and open files do not grow.
func TestSoak(t *testing.T) {
	length := 5 * time.Second
	if text := os.Getenv(soakVar); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := &soak{t: t, rng: rand.New(rand.NewPCG(1, 1)), dir: t.TempDir(), listen: freeAddress(t), faults: map[string]int{}}
	for _, name := range []string{"boss", "oak", "elm", "ash"} {
		role := WorkerRole
		if name == "boss" {
			role = SubmitterRole
		}
		k, err := NewKey(role, name, s.key(name))
		if err != nil {
			t.Fatal(err)
		}
		s.keys = append(s.keys, k)
	}
	s.start()
	defer func() { s.server.Stop() }()
	for _, k := range s.keys[1:] {
		s.workers = append(s.workers, s.worker(k.Name))
	}
	var samples []usage
	begun, said := time.Now(), time.Now()
	for len(samples) < 4 || time.Since(begun) < length {
		s.oneRun(len(samples))
		u := s.settled(samples)
		if samples = append(samples, u); time.Since(said) > time.Minute {
			said = time.Now()
			t.Logf("%v: %d runs, %+v", time.Since(begun).Round(time.Second), len(samples), u)
		}
	}
	last, before := samples[len(samples)-1], most(samples[:len(samples)/2])
	t.Logf("%d runs in %v, faults %v; most of the first half %+v, at the end %+v", len(samples),
		time.Since(begun).Round(time.Second), s.faults, before, last)
	if last.goroutines > before.goroutines || last.files > before.files || last.heap > before.heap*5/4+2<<20 ||
		last.kept > before.kept {
		t.Error("it grows")
	}
}

func (s *soak) key(name string) string { return filepath.Join(s.dir, name+".key") }

func (s *soak) address(name string) Address {
	return Address{URLs: "nats://" + s.listen, Key: s.key(name)}
}

func (s *soak) store() string { return filepath.Join(s.dir, "store") }

func (s *soak) start() {
	s.t.Helper()
	var err error
	settings := ServerSettings{Listen: s.listen, Store: s.store(), Keys: s.keys}
	if s.server, err = StartServer(s.t.Context(), settings); err != nil {
		s.t.Fatal(err)
	}
}

func (s *soak) worker(name string) (stop func()) {
	return startWorker(s.t, "", markJob(3*time.Millisecond, nil), func(w *Worker) {
		w.Address, w.Log = s.address(name), func(line string) { s.log(name + ": " + line) }
	})
}

// quietRun is a short run without faults, after which nothing is left of what came in late
// for others.
func (s *soak) quietRun() {
	s.t.Helper()
	r := testRunner(s.t, "")
	r.Address, r.Log, r.Place = s.address("boss"), s.log, "quiet"
	var k taken
	if err := r.Run(s.t.Context(), k.task(markJob(0, nil), testPositions(1, 5), 5)); err != nil {
		s.t.Fatal(err)
	}
}

// oneRun is a run with faults; the command may be stopped and started again.
func (s *soak) oneRun(number int) {
	s.t.Helper()
	in := testPositions(uint64(number), 400)
	j := markJob(0, nil)
	var k taken
	task := k.task(j, in, 5)
	r := testRunner(s.t, "")
	r.Address, r.Audit, r.Log, r.Place = s.address("boss"), 0.1, s.log, fmt.Sprint(number)
	r.Lease = 2 * time.Second
	for {
		ctx, stop := context.WithCancel(s.t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx, task) }()
		var err error
		select {
		case err = <-ended:
		case <-time.After(time.Duration(s.rng.IntN(500)) * time.Millisecond):
			s.fault(stop, r.Place, task)
			err = <-ended
		}
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			s.t.Fatalf("run %d: %v", number, err)
		}
		for i := range task.Todo {
			task.Todo[i] = k.parts[i] == nil
		}
	}
	k.check(s.t, in, 5)
}

// fault does something bad.
func (s *soak) fault(stopCommand func(), place string, task *job.Task) {
	s.t.Helper()
	name := ""
	switch w := s.rng.IntN(len(s.workers)); s.rng.IntN(6) {
	case 0:
		name = "the farm stopped and started"
		s.server.Stop()
		s.start()
	case 1:
		name = "its store wiped"
		s.server.Stop()
		if err := os.RemoveAll(s.store()); err != nil {
			s.t.Fatal(err)
		}
		s.start()
	case 2:
		name = "a worker stopped and started"
		if w > 0 { // one lives as long as the test
			s.workers[w]()
			s.workers[w] = s.worker(s.keys[1+w].Name)
		}
	case 3:
		name = "the command stopped and started"
		stopCommand()
	case 4:
		name = "junk handed in"
		s.junk(runName(task.Run, testVersion, place))
	case 5:
		name = "the queues dropped"
		l, err := connect(s.t.Context(), s.address("boss"), "test", false, func(string) {})
		if err != nil {
			s.t.Fatal(err)
		}
		defer l.close()
		for _, stream := range []string{streamWork, streamParts} {
			_ = l.dropQueue(s.t.Context(), stream, runName(task.Run, testVersion, place)) // it may be over
		}
	}
	s.faults[name]++
}

// junk hands in pieces that never end and parts of nothing, as a worker.
func (s *soak) junk(run string) {
	s.t.Helper()
	l, err := connect(s.t.Context(), s.address("ash"), "test", false, func(string) {})
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.close()
	for i := range 20 {
		_ = l.nc.PublishMsg(&nats.Msg{
			Subject: subjectPart + run + "." + l.key + ".junk", Data: make([]byte, 1000),
			Header: nats.Header{headerChunk: {fmt.Sprint(i)}, headerDigest: {fmt.Sprint(s.rng.Uint64())}, headerPiece: {"0/2"}},
		})
	}
	_ = l.nc.Flush()
}

// usage is what the whole process uses between two runs.
type usage struct {
	goroutines, files int
	heap              uint64
	kept              int // messages at the farm
}

// settled returns what is used once it is no more than ever before and nothing is left at the
// farm, or after a minute.
func (s *soak) settled(before []usage) usage {
	s.t.Helper()
	bound := most(before)
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		u, waited := s.usage(), time.Since(begun)
		calm := u.goroutines <= bound.goroutines && u.files <= bound.files
		if len(before) == 0 {
			calm = waited > time.Second
		}
		switch {
		case u.kept == 0 && calm:
			return u
		case waited > time.Minute:
			s.explain(u)
			return u
		}
		if u.kept > 0 {
			s.quietRun()
		}
	}
}

// explain says what did not settle.
func (s *soak) explain(u usage) {
	s.t.Helper()
	var stacks strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t.Logf("not settled: %+v\nat the farm: %v\n%s\n%s", u, s.kept(), strings.Join(s.said, "\n"), &stacks)
}

// kept returns the number of messages at the farm by subject.
func (s *soak) kept() map[string]uint64 {
	s.t.Helper()
	l, err := connect(s.t.Context(), s.address("boss"), "test", false, func(string) {})
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.close()
	all := map[string]uint64{}
	for _, stream := range []string{streamRuns, streamBlobs, streamWork, streamParts} {
		there, err := l.subjects(s.t.Context(), stream, ">")
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) { // its store was wiped as the run ended
			s.t.Fatal(err)
		}
		maps.Copy(all, there)
	}
	return all
}

func (s *soak) usage() (u usage) {
	s.t.Helper()
	for _, n := range s.kept() {
		u.kept += int(n)
	}
	runtime.GC()
	runtime.GC() // what finalizers hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.goroutines, u.heap = runtime.NumGoroutine(), m.HeapAlloc
	open, err := os.ReadDir("/proc/self/fd")
	if err == nil { // elsewhere there is no such place
		u.files = len(open)
	}
	return u
}

// most returns the largest of each.
func most(all []usage) (m usage) {
	for _, u := range all {
		m.goroutines, m.files = max(m.goroutines, u.goroutines), max(m.files, u.files)
		m.heap, m.kept = max(m.heap, u.heap), max(m.kept, u.kept)
	}
	return m
}
