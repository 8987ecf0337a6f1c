package job

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"bgtrain/dataset"
)

// Local computes tasks with goroutines of this program.
type Local struct {
	Workers int // 0 is one a processor
}

// Run implements Runner. One goroutine reads chunks and hands out their blocks in
// order; workers do them; the worker that finishes a chunk's last block puts its
// part. So no worker waits for the end of a chunk.
func (l Local) Run(ctx context.Context, t *Task) error {
	if t.left() == 0 {
		return nil
	}
	workers := l.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := &localRun{t: t, size: max(t.Job.Block, 1), open: map[int]*chunk{}}
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()
	// Enough chunks that every worker has a block and one chunk waits to be written.
	perChunk := (t.Chunk + r.size - 1) / r.size
	r.slots = make(chan struct{}, workers/perChunk+2)
	r.blocks = make(chan block)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			work := t.Job.New()
			for b := range r.blocks {
				r.fail(r.doBlock(ctx, work, b))
			}
		})
	}
	r.fail(r.feed(ctx))
	close(r.blocks)
	wg.Wait()
	return r.keep()
}

// keep hands over what is done of chunks that have no part, where the run ends early, and
// returns why it did.
func (r *localRun) keep() error {
	unfinished := map[int]Unfinished{}
	for i, c := range r.open {
		if slices.ContainsFunc(c.done, func(rows []dataset.Row) bool { return rows != nil }) {
			unfinished[i] = Unfinished{r.size, c.done}
		}
	}
	if r.err == nil || len(unfinished) == 0 || r.t.Keep == nil {
		return r.err
	}
	return errors.Join(r.t.Keep(unfinished), r.err)
}

// localRun is one Run of Local.
type localRun struct {
	t    *Task
	size int // rows a block

	blocks chan block
	slots  chan struct{} // a token for every chunk in memory

	mu     sync.Mutex
	err    error
	open   map[int]*chunk // that have no part yet
	cancel context.CancelFunc
}

// chunk is the rows of a part in the making.
type chunk struct {
	index int
	done  [][]dataset.Row // by block: what goes into the part
	left  int             // blocks not yet done; guarded by localRun.mu
}

// block is a run of rows of a chunk.
type block struct {
	chunk *chunk
	index int // in the chunk
	rows  []dataset.Row
	first int64 // number of the first row in the input, from 0
}

// feed reads the input and hands out the blocks of the chunks to be made.
func (r *localRun) feed(ctx context.Context) error {
	for c, err := range r.t.Input.Chunks(ctx, r.t.Chunk, func(i int) bool { return r.t.Todo[i] }) {
		if err != nil {
			return err
		}
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := r.handOut(ctx, &c); err != nil {
			return err
		}
	}
	return nil
}

// handOut gives the blocks of a chunk to the workers.
func (r *localRun) handOut(ctx context.Context, from *Chunk) error {
	n := (len(from.Rows) + r.size - 1) / r.size
	c := &chunk{index: from.Index, left: n, done: make([][]dataset.Row, n)}
	kept := r.t.Kept[from.Index]
	if kept.Size != r.size || len(kept.Done) != n {
		kept.Done = make([][]dataset.Row, n)
	}
	r.mu.Lock()
	r.open[c.index] = c
	r.mu.Unlock()
	for at := 0; at < len(from.Rows); at += r.size {
		end := min(at+r.size, len(from.Rows))
		if rows := kept.Done[at/r.size]; rows != nil {
			if err := r.finish(block{chunk: c, index: at / r.size, rows: from.Rows[at:end]}, rows); err != nil {
				return err
			}
			continue
		}
		select {
		case r.blocks <- block{c, at / r.size, from.Rows[at:end:end], from.First + int64(at)}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// doBlock works on a block.
func (r *localRun) doBlock(ctx context.Context, work Work, b block) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rows, err := work(ctx, b.rows)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: rows %d to %d: %w", r.t.Input.Name(), b.first+1, b.first+int64(len(b.rows)), err)
	}
	return r.finish(b, rows)
}

// finish takes in the rows of a block and, if it was the chunk's last, puts the part.
func (r *localRun) finish(b block, rows []dataset.Row) error {
	r.mu.Lock()
	if r.t.Done != nil {
		r.t.Done(int64(len(b.rows)))
	}
	b.chunk.done[b.index] = rows
	b.chunk.left--
	last := b.chunk.left == 0
	r.mu.Unlock()
	if !last {
		return nil
	}
	defer func() { <-r.slots }()
	if err := r.t.Put(b.chunk.index, b.chunk.done); err != nil {
		return err
	}
	r.mu.Lock()
	delete(r.open, b.chunk.index)
	r.mu.Unlock()
	return nil
}

// fail keeps the first error and ends the run.
func (r *localRun) fail(err error) {
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
