package td

import (
	"context"
	"runtime"
	"testing"

	"bgtrain/internal/player"
	"bgtrain/internal/splitmix"

	"golang.org/x/sys/unix"
)

// BenchmarkSecondWorker describes what a second processor is worth to td, on a machine
// that may be busy: it measures the processor time of every piece of work of a round,
// and how long two workers need for these if they begin them in the order of
// parallel.For. The metrics are times as fast as one worker.
func BenchmarkSecondWorker(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := Defaults()
	s.Workers = 1
	st, err := New(s)
	if err != nil {
		b.Fatal(err)
	}
	s.Games = 640
	if err := Run(context.Background(), st, nil, s, nil); err != nil { // games of random weights are long
		b.Fatal(err)
	}
	r, err := newRunner(st, nil, s)
	if err != nil {
		b.Fatal(err)
	}
	var one, overlapped, apart float64
	for b.Loop() {
		var learn, play []float64
		serial := timed(func() {
			r.take(s.RoundGames)
			p, err := player.New(st.Nets.Clone(), nil, player.Options{})
			if err != nil {
				b.Fatal(err)
			}
			g := &gamePlayer{ev: p.NewEvaluator()}
			for i := range s.RoundGames {
				play = append(play, timed(func() {
					r.games[i] = g.play(splitmix.Rand(1, uint64(st.Games+i)), &s, r.games[i][:0])
				}))
			}
		}) - total(play)
		for _, l := range r.learners {
			learn = append(learn, timed(func() { r.learnOne(l, st.ahead, 0.1) }))
		}
		st.Games += s.RoundGames
		one += serial + total(learn) + total(play)
		overlapped += serial + twoWorkers(append(learn, play...))
		apart += serial + twoWorkers(play) + twoWorkers(learn)
	}
	b.ReportMetric(one/overlapped, "x-overlap")
	b.ReportMetric(one/apart, "x-without")
}

// timed returns the processor time that a call takes on this thread, in seconds.
func timed(f func()) float64 {
	now := func() float64 {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
			panic(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	begin := now()
	f()
	return now() - begin
}

// twoWorkers is the time that two workers need for work begun in order.
func twoWorkers(work []float64) float64 {
	var busy [2]float64
	for _, w := range work {
		next := 0
		if busy[1] < busy[0] {
			next = 1
		}
		busy[next] += w
	}
	return max(busy[0], busy[1])
}
