package farm

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go/jetstream"
)

// cpuSeconds returns the processor time that this process has used.
func cpuSeconds(b testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// simulate computes chunks of one position on a farm, with workers whose work is
// waiting, and returns the time from the first part to the last.
func simulate(b testing.TB, workers, chunks int, wait time.Duration) time.Duration {
	b.Helper()
	e := startServer(b, nil)
	in := testPositions(1, chunks)
	j := markJob(wait, nil)
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	cache := filepath.Join(b.TempDir(), "cache")
	for range workers {
		wg.Go(func() {
			_ = Worker{
				Address: Address{URLs: e.URL()}, Version: testVersion, Slots: 1, Cache: cache,
				Open: func(context.Context, job.Settings, job.Nets, int) (*job.Job, error) { return j, nil },
			}.Run(ctx)
		})
	}
	defer wg.Wait()
	defer stop()
	var k taken
	task := k.task(j, in, 1)
	var first time.Time
	put := task.Put
	task.Put = func(i int, rows [][]dataset.Row) error {
		if first.IsZero() {
			first = time.Now()
		}
		return put(i, rows)
	}
	r := Runner{Address: Address{URLs: e.URL()}, Version: testVersion, Place: b.Name()}
	if err := r.Run(context.Background(), task); err != nil {
		b.Fatal(err)
	}
	return time.Since(first)
}

// BenchmarkThroughput reports how many chunks a second go through a server, in one
// process with submitter and workers, and synced to disk one by one. What workers
// could do at most is workers / 0.1 s.
func BenchmarkThroughput(b *testing.B) {
	for _, workers := range []int{1, 10, 50, 100, 200, 500, 1000} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			const wait = 100 * time.Millisecond
			chunks := min(10000, 100*workers)
			for b.Loop() {
				before := cpuSeconds(b)
				took := simulate(b, workers, chunks, wait)
				b.ReportMetric(1000*(cpuSeconds(b)-before)/float64(chunks), "cpu-ms/chunk")
				rate := float64(chunks) / took.Seconds()
				b.ReportMetric(rate, "chunks/s")
				b.ReportMetric(100*rate*wait.Seconds()/float64(workers), "%busy")
			}
		})
	}
}

// BenchmarkSmallChunks reports the same where chunks take no time.
func BenchmarkSmallChunks(b *testing.B) {
	for _, workers := range []int{1, 10, 100, 500} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			chunks := min(10000, 2000*workers)
			for b.Loop() {
				b.ReportMetric(float64(chunks)/simulate(b, workers, chunks, 0).Seconds(), "chunks/s")
			}
		})
	}
}

// BenchmarkOverhead compares chunks of one second on two workers with two workers
// without a farm, in one run; work is waiting.
func BenchmarkOverhead(b *testing.B) {
	const chunks, wait = 40, time.Second
	for b.Loop() {
		farm := simulate(b, 2, chunks, wait)
		in := testPositions(1, chunks)
		j := markJob(wait, nil)
		var k taken
		task := k.task(j, in, 1)
		begun := time.Now()
		if err := (job.Local{Workers: 2}).Run(context.Background(), task); err != nil {
			b.Fatal(err)
		}
		// The farm's time is counted from the end of its first chunk.
		b.ReportMetric(100*(time.Since(begun)-wait).Seconds()/farm.Seconds(), "%oflocal")
	}
}

// BenchmarkQueue reports what waiting chunks cost: time to queue one, and memory of
// the whole process, server and submitter, for each.
func BenchmarkQueue(b *testing.B) {
	for _, chunks := range []int{1000, 10000, 100000, 1000000} {
		b.Run(fmt.Sprintf("chunks=%d", chunks), func(b *testing.B) {
			for b.Loop() {
				fillQueue(b, chunks)
			}
		})
	}
}

func fillQueue(b *testing.B, chunks int) {
	e := startServer(b, nil)
	one := testPositions(1, 1000)
	in := make([]bg.Key, chunks)
	for i := range in {
		in[i] = one[i%len(one)]
	}
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	l, err := connect(context.Background(), Address{URLs: e.URL()}, "benchmark", false, func(string) {})
	if err != nil {
		b.Fatal(err)
	}
	defer l.nc.Close()
	var k taken
	task := k.task(markJob(0, nil), in, 1)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	begun := time.Now()
	go func() {
		ended <- Runner{Address: Address{URLs: e.URL()}, Version: testVersion, Place: b.Name()}.Run(ctx, task)
	}()
	for {
		time.Sleep(20 * time.Millisecond)
		s, err := l.js.Stream(ctx, streamWork)
		if err != nil {
			continue
		}
		if info, err := s.Info(ctx, jetstream.WithSubjectFilter(">")); err == nil && info.State.Msgs >= uint64(chunks) {
			break
		}
	}
	b.ReportMetric(float64(chunks)/time.Since(begun).Seconds(), "queued/s")
	b.ReportMetric((heap()-before)/(1<<20), "MiB")
	b.ReportMetric((heap()-before)/float64(chunks), "B/chunk")
	stop()
	<-ended
}
