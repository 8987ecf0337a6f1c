package parallel

import "sync"

// Counter adds up finished work of several goroutines for a progress report.
type Counter struct {
	mu     sync.Mutex
	done   int
	report func(done int)
}

// NewCounter returns a Counter that calls report, by one goroutine at a time,
// with a number that only grows. A nil report is not called.
func NewCounter(report func(done int)) *Counter { return &Counter{report: report} }

// Add counts n more as finished.
func (c *Counter) Add(n int) {
	if c.report == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += n
	c.report(c.done)
}
