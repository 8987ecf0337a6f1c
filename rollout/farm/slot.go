package farm

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"bgtrain/dataset"
	"bgtrain/rollout/job"
)

// slotWork is what a slot keeps from chunk to chunk.
type slotWork struct {
	job  *job.Job
	work job.Work // the memory of a goroutine, for job

	handing sync.WaitGroup // of the last chunk, while the next one is computed
}

// waitForWork is how long a slot waits at a queue for a chunk.
const waitForWork = 2 * time.Second

// slot takes one chunk after the other. It holds only the one that it works on, so
// that none gets old in waiting.
func (p *process) slot(ctx context.Context) {
	var mine slotWork
	defer mine.handing.Wait()
	for tries := 0; ctx.Err() == nil; {
		r, m := p.next(ctx)
		if m == nil {
			if len(p.openRuns()) == 0 || tries > 0 {
				// Nothing to do, or the server is away.
				select {
				case <-time.After(50*time.Millisecond + p.upTo(200*time.Millisecond)):
				case <-ctx.Done():
				}
			}
			tries++
			continue
		}
		tries = 0
		p.busy.Add(1)
		p.chunk(ctx, r, m, &mine)
		p.busy.Add(-1)
	}
}

// next waits for a chunk at the queues of the runs.
func (p *process) next(ctx context.Context) (at *workerRun, got message) {
	runs := p.openRuns()
	for i, r := range runs {
		within := waitForWork
		if i < len(runs)-1 { // the others may have something at once
			within = 50 * time.Millisecond
		}
		_ = r.queue.fetch(1, within, func(m message) bool { // a server that is away has nothing
			at, got = r, m
			return false
		})
		if got != nil || ctx.Err() != nil {
			break
		}
	}
	return at, got
}

// notMine is how long a chunk that another worker shall compute goes back for.
const notMine = time.Second

// chunk computes a chunk and hands it in.
func (p *process) chunk(ctx context.Context, r *workerRun, m message, mine *slotWork) {
	var o order
	if err := json.Unmarshal(m.Data(), &o); err != nil || o.Chunk < 0 || o.Chunk >= r.m.Chunks {
		_ = m.Term() // not a chunk: the submitter puts those that are missing into the queue again
		return
	}
	if o.Not == party(p.name) {
		_ = m.NakWithDelay(notMine)
		return
	}
	stop := p.hold(m, r.queue.lease())
	begun := p.now()
	done := &part{chunk: o.Chunk, version: p.w.Version}
	in, err := r.pages.chunk(ctx, o.Chunk)
	if err != nil && ctx.Err() == nil {
		stop()
		p.w.Log(fmt.Sprintf("positions of chunk %d: %v", o.Chunk+1, err))
		_ = m.NakWithDelay(notMine)
		return
	}
	rows, err := p.compute(ctx, r, in, mine)
	if ctx.Err() != nil {
		stop()
		_ = m.Nak() // somebody else shall have it at once
		return
	}
	done.rows, done.took = rows, p.now().Sub(begun)
	if err != nil {
		done.failure = err.Error()
	}
	mine.handing.Wait() // a slot holds one finished part at most
	mine.handing.Go(func() {
		defer stop()
		if p.handIn(ctx, r, done) {
			_ = m.Ack() // else it is computed again, which does no harm
			p.done.Add(1)
		} else {
			_ = m.Nak()
		}
	})
}

// hold keeps the lease of a message, until it is stopped.
func (p *process) hold(m message, lease time.Duration) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTicker(max(lease/3, 10*time.Millisecond))
		defer t.Stop()
		for {
			select {
			case <-t.C:
				_ = m.InProgress()
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

// compute returns the rows of a part.
func (p *process) compute(ctx context.Context, r *workerRun, in []dataset.Row, mine *slotWork) ([]dataset.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	before := mine.job
	mine.job = nil // what panicked is not used again
	return attempt(func() ([]dataset.Row, error) {
		if before != r.job {
			mine.work = r.job.New()
		}
		rows, err := mine.work(ctx, in)
		mine.job = r.job
		return rows, err
	})
}

// attempt makes a panic an error like others: one chunk shall end neither a worker nor a
// command.
func attempt(f func() ([]dataset.Row, error)) (rows []dataset.Row, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return f()
}

// handIn publishes a part until the server has it, and reports whether it has.
func (p *process) handIn(ctx context.Context, r *workerRun, done *part) bool {
	messages, err := done.messages(subjectPart + r.m.Run + "." + p.name)
	if err != nil {
		done = &part{chunk: done.chunk, version: done.version, failure: err.Error()}
		messages, _ = done.messages(subjectPart + r.m.Run + "." + p.name)
	}
	var absent time.Time // since when the run has been gone
	for _, m := range messages {
		for tries := 0; ; tries++ {
			step, stop := context.WithTimeout(ctx, 10*time.Second)
			err := p.publish(step, m)
			stop()
			if err == nil {
				break
			}
			if p.has(r) {
				absent = time.Time{}
			} else if absent.IsZero() {
				absent = p.now()
			}
			if ctx.Err() != nil || !absent.IsZero() && p.now().Sub(absent) > goneFor {
				return false
			}
			if tries%10 == 1 {
				p.w.Log(fmt.Sprintf("hand in chunk %d: %v; trying again", done.chunk+1, err))
			}
			if !p.pause(ctx, min(tries, 5)) {
				return false
			}
		}
	}
	return true
}

// goneFor is how long a run must have been gone before its parts are dropped.
const goneFor = time.Minute

// has reports whether a run was at the farm when the worker looked last.
func (p *process) has(r *workerRun) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runs[r.m.Run] != nil
}

// pageCache holds the pages of a run that were used last.
type pageCache struct {
	s    *store
	m    *Manifest
	list []Blob

	mu    sync.Mutex
	held  map[int][]dataset.Row
	order []int // of held, the oldest first
}

// heldPages is how many pages a worker holds of a run.
const heldPages = 8

// chunk returns a copy of the rows of a chunk.
func (c *pageCache) chunk(ctx context.Context, i int) ([]dataset.Row, error) {
	n := i / c.m.PageChunks
	c.mu.Lock()
	defer c.mu.Unlock() // one fetches, the others wait for the same page
	page, ok := c.held[n]
	if !ok {
		var err error
		if page, err = c.s.fetchPage(ctx, c.m, c.list, n); err != nil {
			return nil, err
		}
		if c.held == nil {
			c.held = map[int][]dataset.Row{}
		}
		c.held[n], c.order = page, append(c.order, n)
		if len(c.order) > heldPages {
			delete(c.held, c.order[0])
			c.order = c.order[1:]
		}
	}
	first := (i % c.m.PageChunks) * c.m.Chunk
	return append([]dataset.Row{}, page[first:][:c.m.chunkRows(i)]...), nil
}
