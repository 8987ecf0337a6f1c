package farm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go"
)

// testVersion is the version of the program in tests.
const testVersion = "test"

// testPositions returns different positions.
func testPositions(seed uint64, n int) []bg.Key {
	var keys []bg.Key
	for _, b := range bgtest.Distinct(seed, n) {
		keys = append(keys, b.Key())
	}
	return keys
}

// markRow gives a row outputs that tell which position it belongs to.
func markRow(r *dataset.Row) error {
	b, err := r.Key.Board()
	if err != nil {
		return err
	}
	r.Class = dataset.ClassOf(&b)
	r.HasOutputs = true
	r.Outputs[bg.Win] = float32(r.Key[0]) / 256
	r.Method = "test"
	return nil
}

// markJob is a job that takes some time for each chunk. change, which may be nil,
// may spoil it.
func markJob(wait time.Duration, change func(rows []dataset.Row) error) *job.Job {
	s := job.Settings{Kind: job.Label}
	return &job.Job{Settings: s, ID: s.Identity(), New: func() job.Work {
		return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			for i := range rows {
				if err := markRow(&rows[i]); err != nil {
					return nil, err
				}
			}
			if change != nil {
				if err := change(rows); err != nil {
					return nil, err
				}
			}
			return rows, nil
		}
	}}
}

// taken is what a task took.
type taken struct {
	mu    sync.Mutex
	parts map[int][]dataset.Row
	twice int
	done  int64
}

// task is a task of positions in chunks.
func (k *taken) task(j *job.Job, in []bg.Key, chunk int) *job.Task {
	n := (len(in) + chunk - 1) / chunk
	t := &job.Task{Job: j, Input: job.RowsOf(in...), Chunk: chunk, Todo: make([]bool, n), Run: "test"}
	k.parts = map[int][]dataset.Row{}
	for i := range t.Todo {
		t.Todo[i] = true
	}
	t.Put = func(i int, rows [][]dataset.Row) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.parts[i] != nil {
			k.twice++
		}
		for _, r := range rows {
			k.parts[i] = append([]dataset.Row{}, r...)
		}
		return nil
	}
	t.Done = func(n int64) { k.done += n }
	return t
}

// check fails unless all rows are there as markJob makes them.
func (k *taken) check(t *testing.T, in []bg.Key, chunk int) {
	t.Helper()
	n := 0
	for i := range (len(in) + chunk - 1) / chunk {
		for _, r := range k.parts[i] {
			if want := (dataset.Row{Key: in[n]}); markRow(&want) != nil || r != want {
				t.Fatalf("row %d is %+v, want %+v", n, r, want)
			}
			n++
		}
	}
	if n != len(in) || k.done != int64(n) {
		t.Errorf("%d rows, %d reported, %d expected", n, k.done, len(in))
	}
}

// startServer starts a server on loopback that ends with the test.
func startServer(t testing.TB, change func(*ServerSettings)) *Server {
	t.Helper()
	s := ServerSettings{Listen: "127.0.0.1:0", Store: t.TempDir()}
	if change != nil {
		change(&s)
	}
	e, err := StartServer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Stop)
	return e
}

// startWorker starts a worker that ends with the test, or before by stop.
func startWorker(t testing.TB, url string, j *job.Job, change func(*Worker)) (stop func()) {
	t.Helper()
	w := Worker{
		Address: Address{URLs: url}, Version: testVersion, Slots: 2, Cache: filepath.Join(t.TempDir(),
			"cache"), Look: 300 * time.Millisecond,
		Open: func(context.Context, job.Settings, job.Nets, int) (*job.Job, error) { return j, nil },
		Log:  testLog(t),
	}
	if change != nil {
		change(&w)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("worker: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

// testLog logs lines while the test runs.
func testLog(t testing.TB) func(string) {
	return func(line string) {
		if t.Context().Err() == nil {
			t.Log(line)
		}
	}
}

// testRunner is a submitter with short times, but for the lease: on a slow machine chunks
// would be computed twice.
func testRunner(t testing.TB, url string) Runner {
	return Runner{
		Address: Address{URLs: url}, Version: testVersion, Place: t.Name(),
		Lease: time.Minute, AuditWait: time.Second, Tick: 200 * time.Millisecond, Log: testLog(t),
	}
}

func TestRunWithWorkersThatComeAndGo(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(1, 500)
	j := markJob(20*time.Millisecond, nil)
	var k taken
	task := k.task(j, in, 7)
	ended := make(chan error, 1)
	go func() { ended <- testRunner(t, e.URL()).Run(t.Context(), task) }()
	first := startWorker(t, e.URL(), j, nil)
	time.Sleep(400 * time.Millisecond)
	startWorker(t, e.URL(), j, nil)
	first()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 7)
	if k.twice > 0 {
		t.Errorf("%d parts were put twice", k.twice)
	}
}

// A part too large for a message comes in pieces; so do positions.
func TestLargeChunks(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(2, 60000)
	j := markJob(0, nil)
	startWorker(t, e.URL(), j, nil)
	var k taken
	if err := testRunner(t, e.URL()).Run(t.Context(), k.task(j, in, 50000)); err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 50000)
}

// A chunk that fails is tried five times, then by the command, and set aside; all others are
// done.
func TestPoisonChunk(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(3, 60)
	var mu sync.Mutex
	tries := map[bg.Key]int{}
	j := markJob(0, func(rows []dataset.Row) error {
		mu.Lock()
		defer mu.Unlock()
		tries[rows[0].Key]++
		switch rows[0].Key {
		case in[20]:
			return errors.New("this position is poison")
		case in[30]:
			panic("this one is worse")
		}
		return nil
	})
	startWorker(t, e.URL(), j, nil)
	var k taken
	err := testRunner(t, e.URL()).Run(t.Context(), k.task(j, in, 10))
	var failed *job.FailedError
	if !errors.As(err, &failed) || len(failed.Chunks) != 2 || !strings.Contains(fmt.Sprint(failed.Chunks), "poison") ||
		!strings.Contains(fmt.Sprint(failed.Chunks), "worse") {
		t.Fatalf("error %v", err)
	}
	if tries[in[20]] != maxFailures+1 || tries[in[30]] != maxFailures+1 {
		t.Errorf("tried %d and %d times", tries[in[20]], tries[in[30]])
	}
	if len(k.parts) != 4 || k.done != 40 {
		t.Errorf("%d parts, %d rows done", len(k.parts), k.done)
	}
}

// Nothing is left of a run that is over.
func TestRunLeavesNothing(t *testing.T) {
	e := startServer(t, nil)
	in := testPositions(4, 30)
	j := markJob(0, nil)
	startWorker(t, e.URL(), j, nil)
	var k taken
	if err := testRunner(t, e.URL()).Run(t.Context(), k.task(j, in, 10)); err != nil {
		t.Fatal(err)
	}
	leavesNothing(t, e.URL())
}

// Neither does a command that is stopped once it has all parts, also where they waited for it:
// no other would remove its run.
func TestRunStoppedAtItsEndLeavesNothing(t *testing.T) {
	for _, waited := range []bool{false, true} {
		e := startServer(t, nil)
		j := markJob(0, nil)
		in := testPositions(4, 30)
		if waited {
			partsWait(t, e.URL(), j, in)
		} else {
			startWorker(t, e.URL(), j, nil)
		}
		ctx, stop := context.WithCancel(t.Context())
		var k taken
		task := k.task(j, in, 10)
		put := task.Put
		task.Put = func(i int, rows [][]dataset.Row) error {
			if len(k.parts) == 2 {
				stop()
			}
			return put(i, rows)
		}
		if err := testRunner(t, e.URL()).Run(ctx, task); err != nil || ctx.Err() == nil {
			t.Fatalf("parts that waited %v: %v, stopped: %v", waited, err, ctx.Err())
		}
		leavesNothing(t, e.URL())
	}
}

// partsWait has all parts of a run, in chunks of 10, computed while its command is not there.
func partsWait(t *testing.T, url string, j *job.Job, in []bg.Key) {
	t.Helper()
	l, err := connect(t.Context(), Address{URLs: url}, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	many := func(stream string) func() bool {
		return func() bool {
			there, err := l.subjects(t.Context(), stream, ">")
			n := 0
			for _, of := range there {
				n += int(of)
			}
			return err == nil && n == (len(in)+9)/10
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var k taken
	ended := make(chan error, 1)
	go func() { ended <- testRunner(t, url).Run(ctx, k.task(j, in, 10)) }()
	queued := soon(many(streamWork))
	stop()
	if err := <-ended; !queued || !errors.Is(err, context.Canceled) {
		t.Fatalf("queued %v: %v", queued, err)
	}
	startWorker(t, url, j, nil)
	if !soon(many(streamParts)) {
		t.Fatal("no parts")
	}
}

// leavesNothing fails where something of a run is left.
func leavesNothing(t *testing.T, url string) {
	t.Helper()
	l, err := connect(t.Context(), Address{URLs: url}, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.nc.Close()
	for _, name := range []string{streamRuns, streamBlobs, streamWork, streamParts} {
		left, err := l.subjects(t.Context(), name, ">")
		if err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", name, left, err)
		}
	}
}

// A farm that is away when the last part was taken, and comes back soon, keeps nothing either.
func TestRunLeavesNothingAtAFarmThatWasAway(t *testing.T) {
	t.Parallel()
	s := ServerSettings{Listen: freeAddress(t), Store: t.TempDir()}
	e, err := StartServer(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { e.Stop() }()
	j := markJob(0, nil)
	startWorker(t, e.URL(), j, nil)
	var k taken
	task := k.task(j, testPositions(4, 30), 10)
	put, back := task.Put, make(chan error)
	task.Put = func(i int, rows [][]dataset.Row) error {
		if err := put(i, rows); err != nil || len(k.parts) < 3 {
			return err
		}
		e.Stop()
		go func() {
			time.Sleep(300 * time.Millisecond)
			var err error
			e, err = StartServer(t.Context(), s)
			back <- err
		}()
		return nil
	}
	if err := testRunner(t, e.URL()).Run(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	if err := <-back; err != nil {
		t.Fatal(err)
	}
	leavesNothing(t, e.URL())
}

// What somebody hands in for no run is removed while another one goes on.
func TestJunkIsRemovedDuringARun(t *testing.T) {
	e := startServer(t, nil)
	j := markJob(0, nil)
	r := testRunner(t, e.URL())
	r.Tick = 20 * time.Millisecond
	l, err := connect(t.Context(), r.Address, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	var k taken
	in := testPositions(15, 10)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context(), k.task(j, in, 5)) }()
	for _, subject := range []string{"nosuch.anonymous.a", "x.y.z"} {
		m := &nats.Msg{Subject: subjectPart + subject, Data: make([]byte, pieceSize)}
		if !soon(func() bool { return l.publish(t.Context(), m) == nil }) {
			t.Fatal("no stream")
		}
	}
	if !soon(func() bool {
		there, err := l.subjects(t.Context(), streamParts, ">")
		return err == nil && len(there) == 0
	}) {
		t.Error("it stays")
	}
	startWorker(t, e.URL(), j, nil)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	k.check(t, in, 5)
}

// What came in late for a run that is over is removed by the next command, but not what a
// run that is there waits for.
func TestWhatCameLateIsRemoved(t *testing.T) {
	e := startServer(t, nil)
	j := markJob(0, nil)
	r := testRunner(t, e.URL())
	startWorker(t, e.URL(), j, nil)
	var k taken
	in := testPositions(15, 10)
	if err := r.Run(t.Context(), k.task(j, in, 5)); err != nil {
		t.Fatal(err)
	}
	l, err := connect(t.Context(), r.Address, "test", false, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	waits := []string{subjectRun + "waits", subjectWork + "waits", subjectPart + "waits.anonymous.a"}
	for _, subject := range append([]string{subjectWork + "over", subjectPart + "over.anonymous.a",
		subjectPart + "over.anonymous.b"}, waits...) {
		if err := l.publish(t.Context(), &nats.Msg{Subject: subject, Data: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Run(t.Context(), k.task(j, in, 5)); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, stream := range []string{streamRuns, streamWork, streamParts} {
		there, err := l.subjects(t.Context(), stream, ">")
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, slices.Sorted(maps.Keys(there))...)
	}
	if !slices.Equal(left, waits) {
		t.Errorf("left: %q", left)
	}
}

// A server whose address another has says so at once, not after the time it has to start.
func TestAddressInUse(t *testing.T) {
	s := ServerSettings{Listen: strings.TrimPrefix(startServer(t, nil).URL(), "nats://"), Store: t.TempDir()}
	if _, err := StartServer(t.Context(), s); err == nil || !strings.Contains(err.Error(), "bind:") {
		t.Error(err)
	}
}
