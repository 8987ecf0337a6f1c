package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"bgtrain/dataset"
	"bgtrain/internal/disk"
	"bgtrain/internal/identity"
)

// Database is a database to be made out of another one in parts: chunk i of the
// input's positions, in their order, becomes the part file i of the output
// directory. A part is finished, fsynced and renamed, or it is not there, so that
// Make, killed at any moment, goes on where it was; and shards, that need not know
// of each other, fill the same directory. The parts together are the database.
//
// Every part has the identity of its run in its metadata. A directory with a part of
// another run is refused with an identity.ErrOther.
//
// Where IsFile says so of the output, it is one file: the parts are made in a
// directory beside it, and joined when all are there.
type Database struct {
	Input   *dataset.DB
	Output  string // directory, made if it is not there, or file
	Chunk   int    // positions a part, the last one has what is left
	Command string // what the parts say of the command that made them
	Replace bool   // the database of another run, in place of an error

	// Only the chunks Shard, Shard + Shards, … are worked on, counted from 0.
	// Shards 0 is no sharding.
	Shard, Shards int
}

// Hooks let a caller follow Make; each may be nil.
type Hooks struct {
	// Progress is told the positions done and all positions of this shard, those of
	// earlier runs included. Calls do not overlap.
	Progress func(done, total int)
	// Damaged is told of each part found damaged, which is made again.
	Damaged func(path string, err error)
}

// Entries that Make adds to the identity of the job.
const (
	MetaInput = "input" // what Digest says of the input
	MetaChunk = "chunk" // positions a part
)

// Report describes what Make did.
type Report struct {
	Rows    int64 // positions worked on
	Earlier int64 // positions of this shard that were there already
	Parts   int   // parts written
	Total   int   // parts of the whole database
	Missing []int // numbers, from 1, of the parts that are not there yet
}

// Make computes all parts of the shard that are not there. The first error ends
// it, as the end of ctx does; parts written so far stay. Where the runner set
// chunks aside and did the others, the report comes with the error.
func (d Database) Make(ctx context.Context, j *Job, r Runner, h Hooks) (*Report, error) {
	if d.Chunk < 1 || d.Shards < 0 || d.Shard < 0 || d.Shard >= max(d.Shards, 1) {
		return nil, fmt.Errorf("parts of %d positions, shard %d of %d: out of range", d.Chunk, d.Shard, d.Shards)
	}
	d.Shards = max(d.Shards, 1)
	p := &parts{d: &d, j: j, h: &h, in: databaseInput{d.Input}, id: identity.ID{}, dir: strings.TrimRight(d.Output, "/")}
	if IsFile(d.Output) {
		if d.Shards > 1 {
			return nil, fmt.Errorf("%s: shards fill a directory of parts, not one file", d.Output)
		}
		p.dir = d.Output + partsSuffix
	}
	total := p.total()
	if total == 0 {
		return nil, fmt.Errorf("%s has no positions", d.Input.Path())
	}
	if total > maxParts {
		return nil, fmt.Errorf("%d positions in parts of %d are %d parts, at most %d expected: make the parts larger",
			d.Input.NumRows(), d.Chunk, total, maxParts)
	}
	digest, err := Digest(ctx, p.in)
	if err != nil {
		return nil, err
	}
	p.id.AddAll("", j.ID)
	p.id.Add(MetaInput, digest)
	p.id.Add(MetaChunk, d.Chunk)
	p.meta = dataset.MetaOf(p.id)
	p.meta.Command = d.Command
	if IsFile(d.Output) {
		return p.makeFile(ctx, r)
	}
	return p.makeDir(ctx, r)
}

// makeDir makes the parts that are not there.
func (p *parts) makeDir(ctx context.Context, r Runner) (*Report, error) {
	if err := disk.MkdirAll(p.dir, 0o777); err != nil {
		return nil, fmt.Errorf("write database: %w", err)
	}
	have, err := p.present(ctx)
	if err != nil {
		return nil, err
	}
	return p.make(ctx, r, have)
}

// maxParts is the largest number that keeps the names of the parts in order.
const maxParts = 99999

// parts is one run of Make.
type parts struct {
	d    *Database
	j    *Job
	h    *Hooks
	in   Input
	id   identity.ID
	meta dataset.Meta // with id
	dir  string       // of the parts

	mu      sync.Mutex // guards written
	written int
}

// make lets the runner compute what is not there.
func (p *parts) make(ctx context.Context, r Runner, have []bool) (*Report, error) {
	t := &Task{Job: p.j, Input: p.in, Chunk: p.d.Chunk, Todo: make([]bool, len(have)), Run: p.id.Digest(), Put: p.put}
	var earlier, total int64
	for i := range have {
		if !p.mine(i) {
			continue
		}
		total += chunkRows(p.in, p.d.Chunk, i)
		if have[i] {
			earlier += chunkRows(p.in, p.d.Chunk, i)
		} else {
			t.Todo[i] = true
		}
	}
	done := earlier
	t.Done = func(n int64) {
		done += n
		if p.h.Progress != nil {
			p.h.Progress(int(done), int(total))
		}
	}
	t.Done(0)
	t.Kept, t.Keep = p.kept(), p.keep
	err := r.Run(ctx, t)
	var failed *FailedError
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	if err == nil {
		if err := p.forget(); err != nil {
			return nil, err
		}
	}
	report := &Report{Rows: done - earlier, Earlier: earlier, Parts: p.written, Total: len(have)}
	// Other shards may have written parts meanwhile.
	for i := range have {
		if _, err := os.Stat(p.path(i)); err != nil {
			report.Missing = append(report.Missing, i+1)
		}
	}
	return report, err
}

// total returns the number of parts.
func (p *parts) total() int { return numChunks(p.in, p.d.Chunk) }

// mine reports whether chunk i, from 0, belongs to the shard.
func (p *parts) mine(i int) bool { return i%p.d.Shards == p.d.Shard }

func (p *parts) path(i int) string { return filepath.Join(p.dir, dataset.PartName(i+1)) }

// metaOf returns the metadata of chunk i.
func (p *parts) metaOf(i int) dataset.Meta {
	m := p.meta
	m.Part, m.Parts = i+1, p.total()
	return m
}

// present returns which chunks have a whole part in the directory. It reads the
// metadata of every part, and all rows of those of this shard.
func (p *parts) present(ctx context.Context) ([]bool, error) {
	have := make([]bool, p.total())
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	known := map[string]int{}
	for i := range have {
		known[dataset.PartName(i+1)] = i
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if ok, _ := filepath.Match("part-*.parquet", e.Name()); !ok {
			continue
		}
		name := filepath.Join(p.dir, e.Name())
		i, ok := known[e.Name()]
		if !ok && p.d.Replace {
			if err := disk.Remove(name); err != nil {
				return nil, fmt.Errorf("replace database: %w", err)
			}
			continue
		}
		if !ok {
			return nil, fmt.Errorf("%s: %w: there are only %d parts of %d positions", name, identity.ErrOther,
				len(have), p.d.Chunk)
		}
		db, err := dataset.Open(name)
		if err == nil {
			other := p.sameRun(db, p.metaOf(i), chunkRows(p.in, p.d.Chunk, i))
			if other != nil && p.d.Replace {
				if err := disk.Remove(name); err != nil {
					return nil, fmt.Errorf("replace database: %w", err)
				}
				continue
			}
			if other != nil {
				return nil, fmt.Errorf("%w; --force replaces it, or choose another name", other)
			}
			if p.mine(i) {
				err = readThrough(ctx, db)
			}
		}
		var damage *dataset.DamageError
		switch {
		case errors.As(err, &damage):
			if p.h.Damaged != nil && p.mine(i) {
				p.h.Damaged(name, err)
			}
		case err != nil:
			return nil, err
		default:
			have[i] = true
		}
	}
	return have, nil
}

// sameRun returns an identity.ErrOther if a file is not one of so many positions that
// this run would make.
func (p *parts) sameRun(db *dataset.DB, want dataset.Meta, rows int64) error {
	got := db.Meta()
	here, there := identity.ID{}, identity.ID{}
	here.Add("part", fmt.Sprintf("%d of %d", want.Part, want.Parts))
	there.Add("part", fmt.Sprintf("%d of %d", got.Part, got.Parts))
	if n := db.NumRows(); n != rows && !(p.j.Grows && n > rows) {
		here.Add("positions", rows)
		there.Add("positions", n)
	}
	err := here.Check(there)
	if err == nil {
		err = want.Check(&got)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", db.Path(), err)
	}
	return nil
}

// readThrough reads all rows and all bytes, which finds any damage.
func readThrough(ctx context.Context, db *dataset.DB) error {
	if err := db.CheckBytes(ctx); err != nil {
		return err
	}
	for _, err := range db.Batches(ctx, dataset.Filter{Partial: true}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// put writes the part of chunk i.
func (p *parts) put(i int, blocks [][]dataset.Row) error {
	w, err := dataset.Create(p.path(i), dataset.Options{Meta: p.metaOf(i)})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, rows := range blocks {
		for k := range rows {
			if err := w.Write(&rows[k]); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written++
	return nil
}
