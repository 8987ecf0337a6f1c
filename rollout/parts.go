package rollout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"bgtrain/dataset"
)

// Parts makes a database out of another one in parts: chunk i of the input's
// positions, in their order, becomes the part file i of the output directory.
// A part is finished, fsynced and renamed, or it is not there, so that Run, killed
// at any moment, goes on where it was; and shards, that need not know of each
// other, fill the same directory. The parts together are the database.
//
// Every part says in its metadata how it was made. A directory with a part made
// in another way is refused.
type Parts struct {
	Input  *dataset.DB
	Output string // directory, made if it is not there
	Chunk  int    // positions a part, the last one has what is left
	Block  int    // positions handed to a worker at a time; 0 is 1
	Grows  bool   // the output may have more rows than the input

	// Meta goes into every part. Seed, Net and Extra must tell apart whatever gives
	// other rows; Part and Parts and the entries MetaInput and MetaChunk of Extra
	// are filled in here.
	Meta dataset.Meta

	// Only the chunks Shard, Shard + Shards, … are worked on, counted from 0.
	// Shards 0 is no sharding.
	Shard, Shards int

	// Progress, if set, is told the positions done and all positions of this shard,
	// those of earlier runs included. Calls do not overlap.
	Progress func(done, total int64)
	// Damaged, if set, is told of each part found damaged, which is made again.
	Damaged func(path string, err error)
}

// Entries of Meta.Extra that Parts writes.
const (
	MetaInput = "input" // digest of the input's positions, classes and sources, see inputDigest
	MetaChunk = "chunk" // positions a part
)

// ErrOtherSettings is wrapped by the error about an output directory with a part
// that was made from another input, with another seed or net or other settings.
var ErrOtherSettings = errors.New("made with other settings")

// PartsReport says what a Run did.
type PartsReport struct {
	Rows    int64 // positions worked on
	Earlier int64 // positions of this shard that were there already
	Parts   int   // parts written
	Total   int   // parts of the whole database
	Missing []int // numbers, from 1, of the parts that are not there yet
}

// Work fills in the outputs of some rows and returns what goes into the output
// database in their place: rows itself, changed, or, where Parts.Grows is set, other
// rows. It must not depend on anything but the rows, of which there are at most
// Parts.Block.
type Work func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error)

// columns are those of the input that the output keeps.
const columns = dataset.ColClass | dataset.ColSource

// Run works on all parts of the shard that are not there, with so many workers,
// each with a Work of its own. The first error ends it, as the end of ctx does;
// parts written so far stay.
func (p Parts) Run(ctx context.Context, workers int, newWork func() Work) (*PartsReport, error) {
	if p.Chunk < 1 || workers < 1 || p.Block < 0 || p.Shards < 0 || p.Shard < 0 || p.Shard >= max(p.Shards, 1) {
		return nil, fmt.Errorf("parts of %d positions in blocks of %d, shard %d of %d, %d workers: out of range",
			p.Chunk, p.Block, p.Shard, p.Shards, workers)
	}
	p.Block, p.Shards = max(p.Block, 1), max(p.Shards, 1)
	total := p.total()
	if total == 0 {
		return nil, fmt.Errorf("%s has no positions", p.Input.Path())
	}
	if total > maxParts {
		return nil, fmt.Errorf("%d positions in parts of %d are %d parts, at most %d expected: make the parts larger",
			p.Input.NumRows(), p.Chunk, total, maxParts)
	}
	digest, err := inputDigest(ctx, p.Input)
	if err != nil {
		return nil, err
	}
	p.Meta.Extra = withEntries(p.Meta.Extra, MetaInput, digest, MetaChunk, strconv.Itoa(p.Chunk))
	if err := os.MkdirAll(p.Output, 0o755); err != nil {
		return nil, fmt.Errorf("write database: %w", err)
	}
	have, err := p.present(ctx)
	if err != nil {
		return nil, err
	}
	r := newRun(&p, have)
	if err := r.run(ctx, workers, newWork); err != nil {
		return nil, err
	}
	report := &PartsReport{Rows: r.done - r.earlier, Earlier: r.earlier, Parts: r.written, Total: total}
	// Other shards may have written parts meanwhile.
	for i := range total {
		if _, err := os.Stat(p.path(i)); err != nil {
			report.Missing = append(report.Missing, i+1)
		}
	}
	return report, nil
}

// maxParts is the largest number that keeps the names of the parts in order.
const maxParts = 99999

// total returns the number of parts.
func (p *Parts) total() int {
	return int((p.Input.NumRows() + int64(p.Chunk) - 1) / int64(p.Chunk))
}

// mine tells whether chunk i, from 0, belongs to the shard.
func (p *Parts) mine(i int) bool { return i%p.Shards == p.Shard }

// rows returns the number of positions of chunk i.
func (p *Parts) rows(i int) int64 {
	return min(int64(p.Chunk), p.Input.NumRows()-int64(i)*int64(p.Chunk))
}

func (p *Parts) path(i int) string { return filepath.Join(p.Output, dataset.PartName(i+1)) }

// meta returns the metadata of chunk i.
func (p *Parts) meta(i int) dataset.Meta {
	m := p.Meta
	m.Part, m.Parts = i+1, p.total()
	return m
}

// present returns which chunks have a whole part in the directory. It reads the
// metadata of every part, and all rows of those of this shard.
func (p *Parts) present(ctx context.Context) ([]bool, error) {
	have := make([]bool, p.total())
	entries, err := os.ReadDir(p.Output)
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
		name := filepath.Join(p.Output, e.Name())
		i, ok := known[e.Name()]
		if !ok {
			return nil, fmt.Errorf("%s: %w: there are only %d parts of %d positions", name, ErrOtherSettings, len(have), p.Chunk)
		}
		db, err := dataset.Open(name)
		if err == nil {
			if err := p.sameSettings(db, i); err != nil {
				return nil, err
			}
			if p.mine(i) {
				err = readThrough(ctx, db)
			}
		}
		var damage *dataset.DamageError
		switch {
		case errors.As(err, &damage):
			if p.Damaged != nil && p.mine(i) {
				p.Damaged(name, err)
			}
		case err != nil:
			return nil, err
		default:
			have[i] = true
		}
	}
	return have, nil
}

// sameSettings returns an error if the part of chunk i was made in another way
// than this run would.
func (p *Parts) sameSettings(db *dataset.DB, i int) error {
	got, want := db.Meta(), p.meta(i)
	differ := func(what, got, want string) error {
		return fmt.Errorf("%s: %w: %s %q, this command's is %q", db.Path(), ErrOtherSettings, what, got, want)
	}
	switch {
	case got.Seed != want.Seed:
		return differ("seed", got.Seed, want.Seed)
	case got.Net != want.Net:
		return differ("net", got.Net, want.Net)
	case got.Part != want.Part || got.Parts != want.Parts:
		return differ("part", fmt.Sprintf("%d of %d", got.Part, got.Parts), fmt.Sprintf("%d of %d", want.Part, want.Parts))
	case db.NumRows() != p.rows(i) && !(p.Grows && db.NumRows() > p.rows(i)):
		return differ("positions", fmt.Sprint(db.NumRows()), fmt.Sprint(p.rows(i)))
	}
	for k, v := range want.Extra {
		if got.Extra[k] != v {
			return differ(k, got.Extra[k], v)
		}
	}
	for k, v := range got.Extra {
		if _, ok := want.Extra[k]; !ok {
			return differ(k, v, "")
		}
	}
	return nil
}

// readThrough reads all rows, which finds any damage.
func readThrough(ctx context.Context, db *dataset.DB) error {
	for _, err := range db.Batches(ctx, dataset.Filter{Partial: true}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the part of chunk i.
func (p *Parts) write(i int, blocks [][]dataset.Row) error {
	w, err := dataset.Create(p.path(i), dataset.Options{Meta: p.meta(i)})
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
	return w.Close()
}

// inputDigest returns the SHA-256, cut to 128 bits, of the positions, classes and
// sources of a database in their order: what its output depends on. It does not
// depend on how the rows are divided into parts.
func inputDigest(ctx context.Context, db *dataset.DB) (string, error) {
	h := sha256.New()
	var buf []byte
	for b, err := range db.Batches(ctx, dataset.Filter{Columns: columns}) {
		if err != nil {
			return "", err
		}
		for i := range b.Keys {
			source := b.Source.At(i)
			buf = append(buf[:0], b.Keys[i][:]...)
			buf = append(buf, byte(b.Class[i]))
			buf = strconv.AppendInt(buf, int64(len(source)), 10)
			buf = append(buf, ':')
			buf = append(buf, source...)
			h.Write(buf)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// withEntries returns a copy of m with more entries, given as key, value, ….
func withEntries(m map[string]string, kv ...string) map[string]string {
	out := make(map[string]string, len(m)+len(kv)/2)
	for k, v := range m {
		out[k] = v
	}
	for i := 0; i < len(kv); i += 2 {
		out[kv[i]] = kv[i+1]
	}
	return out
}
