package job

import (
	"context"
	"fmt"

	"bgtrain/dataset"
)

// Task is what a Runner is to compute: a job on some chunks of an input.
type Task struct {
	Job   *Job
	Input Input
	Chunk int    // rows a chunk
	Todo  []bool // by index of the chunk

	// Run is the digest of the run's identity, from which the names of its chunks are
	// made.
	Run string

	// Put takes the part of a chunk, once; it may be called by several goroutines.
	Put func(i int, rows [][]dataset.Row) error
	// Done, which may be nil, is told of positions done since the last call. Calls
	// do not overlap.
	Done func(n int64)

	// Kept is what an earlier run had done of chunks, by index; Keep, which may be nil, is
	// given that of a run that ends before they are done. A Runner may leave both alone.
	Kept map[int]Unfinished
	Keep func(map[int]Unfinished) error
}

// Runner computes tasks. The parts do not depend on which one does.
type Runner interface {
	// Run computes all chunks that are to do. The first error of Put ends it, as the
	// end of ctx does.
	Run(ctx context.Context, t *Task) error
}

// left returns the number of chunks to do.
func (t *Task) left() (n int) {
	for _, todo := range t.Todo {
		if todo {
			n++
		}
	}
	return n
}

// FailedError is returned by a Runner that computed all chunks but some.
type FailedError struct {
	Chunks []FailedChunk
}

// FailedChunk is a chunk that was set aside.
type FailedChunk struct {
	Index int // from 0
	Err   string
}

// Error states which chunks failed, and why.
func (f *FailedError) Error() string {
	c := &f.Chunks[0]
	return fmt.Sprintf("%d chunks failed and were set aside; chunk %d: %s", len(f.Chunks), c.Index+1, c.Err)
}
