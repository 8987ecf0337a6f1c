// Package parallel is the one parallel for of this program.
//
// Work is numbered and handed out in order; results go into slots of the caller's own by number, so that what is
// made of them does not depend on the number of goroutines. The trainers' inner loops, whose phases are a few
// microseconds, have a crew of their own (internal/backprop).
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is the number of goroutines that a setting means: one a processor where it is 0 or less.
func Workers(setting int) int {
	if setting > 0 {
		return setting
	}
	return runtime.GOMAXPROCS(0)
}

// For calls work(worker, i) for i from 0 to n-1 on Workers(workers) goroutines,
// beginning in that order. Calls with the same worker, from 0, do not overlap, so
// that a worker can have memory of its own. One worker is the caller's goroutine.
//
// No call begins after ctx is done or a call has failed; those under way end before For returns. The error is that
// of the lowest i that failed, so it does not depend on the number of workers either, or, where none failed and
// some were not begun, the cause of ctx's end.
func For(ctx context.Context, workers, n int, work func(worker, i int) error) error {
	workers = min(Workers(workers), n)
	if workers <= 1 {
		for i := range n {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := work(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		next, done atomic.Int64
		wg         sync.WaitGroup
		mu         sync.Mutex
		failed     atomic.Bool
		first      error
		at         int // where first came from
	)
	fail := func(i int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if first == nil || i < at {
			first, at = err, i
		}
		failed.Store(true)
	}
	for w := range workers {
		wg.Go(func() {
			for ctx.Err() == nil && !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(w, i); err != nil {
					fail(i, err)
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if first != nil || done.Load() == int64(n) {
		return first
	}
	return context.Cause(ctx)
}

// Ranges divides the numbers from 0 to n-1 into ranges of about the same length, at least least each, one a
// goroutine, and calls work(from, to) for each. It always does all of it.
func Ranges(workers, n, least int, work func(from, to int)) {
	parts := max(1, min(Workers(workers), n/max(least, 1)))
	_ = For(context.Background(), parts, parts, func(_, i int) error { // never done, and work has no errors
		work(n*i/parts, n*(i+1)/parts)
		return nil
	})
}
