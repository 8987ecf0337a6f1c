package benchmark

import "sync"

// counter adds up finished work of several goroutines for a progress report.
type counter struct {
	mu     sync.Mutex
	done   int
	report func(done int)
}

func newCounter(report func(done int)) *counter { return &counter{report: report} }

func (c *counter) add(n int) {
	if c.report == nil {
		return
	}
	c.mu.Lock()
	c.done += n
	c.report(c.done)
	c.mu.Unlock()
}
