package benchmark

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls work(worker, i) for i from 0 to n-1, in that order of
// beginning, on several goroutines (0: one a processor). It stops handing out
// work when ctx is done or a call fails, and returns the first error. Every call
// that has begun ends before it returns.
func inParallel(ctx context.Context, workers, n int, work func(worker, i int) error) error {
	workers = min(workerCount(workers), max(n, 1))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(w, i); err != nil {
					stop(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// workerCount is the number of goroutines that a setting of 0 or more means.
func workerCount(setting int) int {
	if setting > 0 {
		return setting
	}
	return runtime.GOMAXPROCS(0)
}

// movers holds one Mover of a player for each worker, made when first needed.
type movers struct {
	p   Player
	all []Mover
}

func newMovers(p Player, workers int) *movers {
	return &movers{p, make([]Mover, workerCount(workers))}
}

// get returns the mover of a worker; only that worker may call it.
func (m *movers) get(worker int) (Mover, error) {
	if m.all[worker] == nil {
		v, err := m.p.NewMover()
		if err != nil {
			return nil, err
		}
		m.all[worker] = v
	}
	return m.all[worker], nil
}

// drop closes a worker's mover after a failure.
func (m *movers) drop(worker int) {
	closeMover(m.all[worker])
	m.all[worker] = nil
}

func (m *movers) close() {
	for i := range m.all {
		if m.all[i] != nil {
			m.drop(i)
		}
	}
}
