package parallel

import "sync"

// Counter adds up finished work of several goroutines for a progress report.
type Counter struct {
	mu     sync.Mutex
	done   int
	total  int
	report func(done, total int)
}

// NewCounter returns a Counter that calls report, by one goroutine at a time, with a
// number that only grows up to total. A nil report is not called.
func NewCounter(total int, report func(done, total int)) *Counter {
	return &Counter{total: total, report: report}
}

// Add counts n more as finished.
func (c *Counter) Add(n int) {
	if c.report == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += n
	c.report(c.done, c.total)
}
