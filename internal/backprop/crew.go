package backprop

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew runs numbered tasks on several goroutines, one of which is the caller.
// Phases follow each other within microseconds, so idle workers poll for the
// next one for a while before they block.
type crew struct {
	helpers []helper
	tasks   int
	do      func(worker, task int)
	next    atomic.Int64 // task to be taken next
	phase   atomic.Int64 // rises with every run; negative: the crew is closed
	busy    atomic.Int64 // helpers that have not finished the phase
	gone    sync.WaitGroup
}

type helper struct {
	blocked atomic.Bool
	wake    chan struct{}
	_       [64]byte // no false sharing
}

// newCrew starts a crew of workers members, the caller included.
func newCrew(workers int) *crew {
	c := &crew{helpers: make([]helper, max(0, workers-1))}
	for i := range c.helpers {
		c.helpers[i].wake = make(chan struct{}, 1)
		c.gone.Add(1)
		go c.help(i)
	}
	return c
}

// close ends the helpers.
func (c *crew) close() {
	c.phase.Store(-1)
	c.rouse()
	c.gone.Wait()
	c.helpers = nil
}

func (c *crew) rouse() {
	for i := range c.helpers {
		if h := &c.helpers[i]; h.blocked.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
}

// run does tasks 0 to tasks-1, in any order, and returns when all are done. do is
// told which worker it is, the caller being 0.
func (c *crew) run(tasks int, do func(worker, task int)) {
	c.tasks, c.do = tasks, do
	c.next.Store(0)
	if len(c.helpers) > 0 && tasks > 1 {
		c.busy.Store(int64(len(c.helpers)))
		c.phase.Add(1)
		c.rouse()
		c.take(0)
		for spins := 1; c.busy.Load() > 0; spins++ {
			if spins%256 == 0 {
				runtime.Gosched()
			}
		}
		return
	}
	c.take(0)
}

func (c *crew) take(worker int) {
	for {
		t := int(c.next.Add(1)) - 1
		if t >= c.tasks {
			return
		}
		c.do(worker, t)
	}
}

// help does the tasks of every phase until the crew is closed.
func (c *crew) help(i int) {
	defer c.gone.Done()
	h := &c.helpers[i]
	for seen := int64(0); ; {
		phase := c.phase.Load()
		for spins := 1; phase == seen; spins++ {
			const polls = 20000 // some tens of microseconds
			if spins < polls {
				if spins%256 == 0 {
					runtime.Gosched()
				}
			} else {
				h.blocked.Store(true)
				// A phase that began before we said so sent no wake-up.
				if c.phase.Load() == seen || !h.blocked.CompareAndSwap(true, false) {
					<-h.wake
				}
			}
			phase = c.phase.Load()
		}
		if phase < 0 {
			return
		}
		seen = phase
		c.take(i + 1)
		c.busy.Add(-1)
	}
}
