package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// Chunk is the rows that a part is made of.
type Chunk struct {
	Index int
	First int64 // number of the first row in the input, from 0
	Rows  []dataset.Row
}

// Input is the rows that a job works on, always in the same order: keys, classes
// and sources.
type Input interface {
	Name() string // for messages
	NumRows() int64
	// Chunks reads the rows in chunks of size, the last of what is left, those of
	// which want is true. Rows are the caller's.
	Chunks(ctx context.Context, size int, want func(i int) bool) iter.Seq2[Chunk, error]
}

// numChunks returns the number of chunks of an input.
func numChunks(in Input, size int) int { return int((in.NumRows() + int64(size) - 1) / int64(size)) }

// chunkRows returns the number of rows of chunk i.
func chunkRows(in Input, size, i int) int64 {
	return min(int64(size), in.NumRows()-int64(i)*int64(size))
}

// databaseInput is a database as Input.
type databaseInput struct{ db *dataset.DB }

// columns are those of the input that the output keeps.
const columns = dataset.ColClass | dataset.ColSource

// Name returns the path of the database.
func (d databaseInput) Name() string { return d.db.Path() }

// NumRows returns how many positions the database has.
func (d databaseInput) NumRows() int64 { return d.db.NumRows() }

// Chunks implements Input: the rows that are wanted, so many at a time.
func (d databaseInput) Chunks(ctx context.Context, size int, want func(i int) bool) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		var rows []dataset.Row
		row := int64(0)
		for b, err := range d.db.Batches(ctx, dataset.Filter{Columns: columns}) {
			if err != nil {
				yield(Chunk{}, err)
				return
			}
			for i := 0; i < b.Len(); {
				index := int(row / int64(size))
				first := int64(index) * int64(size)
				n := min(int(first+int64(size)-row), b.Len()-i)
				if want(index) {
					if rows == nil {
						rows = make([]dataset.Row, 0, chunkRows(d, size, index))
					}
					for k := range n {
						rows = append(rows, b.Row(i+k))
					}
					if len(rows) == cap(rows) {
						if !yield(Chunk{index, first, rows}, nil) {
							return
						}
						rows = nil
					}
				}
				i += n
				row += int64(n)
			}
		}
	}
}

// Rows are an Input in memory.
type Rows []dataset.Row

// RowsOf returns rows of positions.
func RowsOf(keys ...bg.Key) Rows {
	rows := make(Rows, len(keys))
	for i, k := range keys {
		rows[i].Key = k
	}
	return rows
}

// Name returns what messages call the rows.
func (r Rows) Name() string { return fmt.Sprintf("%d positions", len(r)) }

// NumRows returns their number.
func (r Rows) NumRows() int64 { return int64(len(r)) }

// Chunks implements Input.
func (r Rows) Chunks(_ context.Context, size int, want func(i int) bool) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for i := range numChunks(r, size) {
			if !want(i) {
				continue
			}
			c := Chunk{Index: i, First: int64(i) * int64(size)}
			c.Rows = slices.Clone(r[c.First:][:chunkRows(r, size, i)])
			if !yield(c, nil) {
				return
			}
		}
	}
}

// Digest returns the SHA-256, cut to 128 bits, of the positions, classes and
// sources of an input in their order: what its output depends on. It does not
// depend on how the rows are divided.
func Digest(ctx context.Context, in Input) (string, error) {
	h := sha256.New()
	var buf []byte
	for c, err := range in.Chunks(ctx, 4096, func(int) bool { return true }) {
		if err != nil {
			return "", err
		}
		for i := range c.Rows {
			r := &c.Rows[i]
			buf = append(buf[:0], r.Key[:]...)
			buf = append(buf, byte(r.Class))
			buf = strconv.AppendInt(buf, int64(len(r.Source)), 10)
			buf = append(buf, ':')
			buf = append(buf, r.Source...)
			h.Write(buf)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
