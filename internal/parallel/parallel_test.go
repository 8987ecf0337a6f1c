package parallel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
)

func TestForDoesEverythingOnceWithSeparateWorkers(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 3, 16} {
		for _, n := range []int{0, 1, 2, 15, 1000} {
			calls := make([]atomic.Int32, n)
			inside := make([]atomic.Int32, max(Workers(workers), 1))
			err := For(t.Context(), workers, n, func(worker, i int) error {
				if inside[worker].Add(1) != 1 {
					t.Errorf("worker %d does two things at once", worker)
				}
				calls[i].Add(1)
				inside[worker].Add(-1)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("%d workers: %d of %d done %d times", workers, i, n, c)
				}
			}
		}
	}
}

// TestForReturnsTheErrorOfTheLowest lets a later number fail before an earlier one.
func TestForReturnsTheErrorOfTheLowest(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		later := make(chan struct{})
		err := For(t.Context(), workers, 100, func(_, i int) error {
			switch {
			case i == 3 && workers > 1:
				<-later // 4 to 6 may be under way meanwhile
				return errors.New("3")
			case i == 3:
				return errors.New("3")
			case i == 4:
				close(later)
				return errors.New("4")
			}
			return nil
		})
		if err == nil || err.Error() != "3" {
			t.Errorf("%d workers: error %v", workers, err)
		}
	}
}

func TestForBeginsNothingAfterAnError(t *testing.T) {
	var calls atomic.Int32
	err := For(t.Context(), 2, 1_000_000, func(_, i int) error {
		calls.Add(1)
		return fmt.Errorf("%d", i)
	})
	if err == nil || err.Error() != "0" || calls.Load() > 2 {
		t.Errorf("error %v after %d calls", err, calls.Load())
	}
}

func TestForEndsWithItsContext(t *testing.T) {
	why := errors.New("enough")
	for _, workers := range []int{1, 3} {
		ctx, stop := context.WithCancelCause(t.Context())
		var calls, late atomic.Int32
		err := For(ctx, workers, 1000, func(_, i int) error {
			if ctx.Err() != nil {
				late.Add(1) // it was about to begin when the context ended
			}
			if calls.Add(1) == 5 {
				stop(why)
			}
			return nil
		})
		if !errors.Is(err, why) || late.Load() > int32(workers) {
			t.Errorf("%d workers: error %v, %d calls after the end", workers, err, late.Load())
		}
		// A context that ends with the last call spoils nothing.
		ctx, stop = context.WithCancelCause(t.Context())
		if err := For(ctx, workers, 7, func(_, i int) error {
			if i == 6 {
				stop(why)
			}
			return nil
		}); err != nil {
			t.Errorf("%d workers: all done, but %v", workers, err)
		}
	}
}

func TestRangesCoverAllNumbers(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 8} {
		for _, n := range []int{0, 1, 63, 64, 65, 1000} {
			seen := make([]int32, n)
			Ranges(workers, n, 64, func(from, to int) {
				for i := from; i < to; i++ {
					atomic.AddInt32(&seen[i], 1)
				}
			})
			if i := slices.IndexFunc(seen, func(c int32) bool { return c != 1 }); i >= 0 {
				t.Errorf("%d workers, %d numbers: %d seen %d times", workers, n, i, seen[i])
			}
		}
	}
}

func BenchmarkForOneWorker(b *testing.B) {
	b.ReportAllocs()
	var sum int
	for b.Loop() {
		_ = For(b.Context(), 1, 100, func(_, i int) error { sum += i; return nil })
	}
}

func BenchmarkForTwoWorkers(b *testing.B) {
	b.ReportAllocs()
	sums := make([]int, 2)
	for b.Loop() {
		_ = For(b.Context(), 2, 100, func(w, i int) error { sums[w] += i; return nil })
	}
}
