package rollout

import (
	"context"
	"fmt"
	"sync"

	"bgtrain/dataset"
)

// partsRun is one Run of Parts. One goroutine reads chunks and hands out their
// blocks in order; workers do them; the worker that finishes a chunk's last block
// writes its part. So no worker waits for the end of a chunk.
type partsRun struct {
	p    *Parts
	have []bool // chunks that are there already

	blocks chan block
	slots  chan struct{} // a token for every chunk in memory

	mu            sync.Mutex
	done, earlier int64 // positions of this shard
	total         int64
	written       int
	err           error
	cancel        context.CancelFunc
}

// chunk is the rows of a part in the making.
type chunk struct {
	index int
	rows  []dataset.Row
	done  [][]dataset.Row // by block: what goes into the part
	left  int             // blocks not yet done; guarded by partsRun.mu
}

// block is a run of rows of a chunk.
type block struct {
	chunk *chunk
	index int // in the chunk
	rows  []dataset.Row
	first int64 // number of the first row in the input, from 0
}

func newRun(p *Parts, have []bool) *partsRun {
	r := &partsRun{p: p, have: have}
	for i := range have {
		if !p.mine(i) {
			continue
		}
		r.total += p.rows(i)
		if have[i] {
			r.earlier += p.rows(i)
		}
	}
	r.done = r.earlier
	return r
}

func (r *partsRun) run(ctx context.Context, workers int, newWork func() Work) error {
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()
	r.report(0)
	if r.done == r.total {
		return nil
	}
	// Enough chunks that every worker has a block and one chunk waits to be written.
	perChunk := (r.p.Chunk + r.p.Block - 1) / r.p.Block
	r.slots = make(chan struct{}, workers/perChunk+2)
	r.blocks = make(chan block)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			work := newWork()
			for b := range r.blocks {
				r.fail(r.doBlock(ctx, work, b))
			}
		})
	}
	r.fail(r.feed(ctx))
	close(r.blocks)
	wg.Wait()
	return r.err
}

// feed reads the input and hands out the blocks of the chunks to be made.
func (r *partsRun) feed(ctx context.Context) error {
	var c *chunk
	row := int64(0)
	for b, err := range r.p.Input.Batches(ctx, dataset.Filter{Columns: columns}) {
		if err != nil {
			return err
		}
		for i := 0; i < b.Len(); {
			index := int(row / int64(r.p.Chunk))
			n := min(int(int64(index+1)*int64(r.p.Chunk)-row), b.Len()-i)
			if r.p.mine(index) && !r.have[index] {
				if c == nil {
					select {
					case r.slots <- struct{}{}:
					case <-ctx.Done():
						return ctx.Err()
					}
					c = &chunk{index: index, rows: make([]dataset.Row, 0, r.p.rows(index))}
				}
				for k := range n {
					c.rows = append(c.rows, b.Row(i+k))
				}
				if len(c.rows) == cap(c.rows) {
					if err := r.handOut(ctx, c); err != nil {
						return err
					}
					c = nil
				}
			}
			i += n
			row += int64(n)
		}
	}
	return nil
}

// handOut gives the blocks of a chunk to the workers.
func (r *partsRun) handOut(ctx context.Context, c *chunk) error {
	size := r.p.Block
	c.left = (len(c.rows) + size - 1) / size
	c.done = make([][]dataset.Row, c.left)
	first := int64(c.index) * int64(r.p.Chunk)
	for at := 0; at < len(c.rows); at += size {
		end := min(at+size, len(c.rows))
		select {
		case r.blocks <- block{c, at / size, c.rows[at:end:end], first + int64(at)}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// doBlock works on a block and, if it was the chunk's last, writes the part.
func (r *partsRun) doBlock(ctx context.Context, work Work, b block) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rows, err := work(ctx, b.rows)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: rows %d to %d: %w", r.p.Input.Path(), b.first+1, b.first+int64(len(b.rows)), err)
	}
	r.report(int64(len(b.rows)))
	r.mu.Lock()
	b.chunk.done[b.index] = rows
	b.chunk.left--
	last := b.chunk.left == 0
	r.mu.Unlock()
	if !last {
		return nil
	}
	defer func() { <-r.slots }()
	if err := r.p.write(b.chunk.index, b.chunk.done); err != nil {
		return err
	}
	r.mu.Lock()
	r.written++
	r.mu.Unlock()
	return nil
}

// report adds n to the positions done.
func (r *partsRun) report(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += n
	if r.p.Progress != nil {
		r.p.Progress(r.done, r.total)
	}
}

// fail keeps the first error and ends the run.
func (r *partsRun) fail(err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.cancel()
}
