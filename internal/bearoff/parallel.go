package bearoff

import "sync"

// parallel calls work for parts of [0, n), in several goroutines when there are
// at least two parts of size least.
func parallel(workers, n, least int, work func(from, to int)) {
	workers = min(workers, n/least)
	if workers < 2 {
		work(0, n)
		return
	}
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() { work(n*i/workers, n*(i+1)/workers) })
	}
	wg.Wait()
}
