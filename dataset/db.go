package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/internal/bg"
)

// DB is a database opened for reading. It holds the footers of its files, no open files and no rows, so there is
// nothing to close. Its methods may be called by several goroutines at once.
type DB struct {
	path   string
	parts  []*part
	groups []groupRef
	rows   int64
	dir    bool
}

// groupRef is a row group: its part and its index there.
type groupRef struct {
	part  *part
	index int
}

// Open opens a database: a file, or a directory whose part-*.parquet are read
// together in name order. It reads and checks the footers only.
func Open(path string) (*DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := &DB{path: path, dir: info.IsDir()}
	names := []string{path}
	if db.dir {
		if names, err = filepath.Glob(filepath.Join(globQuote(path), "part-*.parquet")); err != nil {
			return nil, fmt.Errorf("open database %s: %w", path, err)
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("open database %s: the directory has no part-*.parquet, as that of a database has",
				path)
		}
		slices.Sort(names)
	}
	for _, name := range names {
		p, err := openPart(name)
		if err != nil {
			return nil, err
		}
		if db.dir {
			if err := p.belongs(db.parts); err != nil {
				return nil, err
			}
		}
		db.add(p)
	}
	return db, nil
}

// OpenFS opens a database that is one file of fsys, such as one inside the program, which Path and messages call
// name. The files of fsys can be read from any place, as those of embed.FS can.
func OpenFS(fsys fs.FS, file, name string) (*DB, error) {
	p, err := newPart(name, func() (partFile, error) {
		f, err := fsys.Open(file)
		if err != nil {
			return nil, err
		}
		if f, ok := f.(partFile); ok {
			return f, nil
		}
		f.Close()
		return nil, fmt.Errorf("%s cannot be read from any place", file)
	})
	if err != nil {
		return nil, err
	}
	db := &DB{path: name}
	db.add(p)
	return db, nil
}

// add adds the next part.
func (db *DB) add(p *part) {
	db.parts = append(db.parts, p)
	db.rows += p.rows
	for i := range p.footer.RowGroups {
		db.groups = append(db.groups, groupRef{p, i})
	}
}

// ErrStrayPart is wrapped by the error about a part that is no part of the database in whose directory it is.
var ErrStrayPart = errors.New("a stray part")

// belongs returns an error if a numbered part has the name of another, or was made in another way than the
// numbered parts before it.
func (p *part) belongs(others []*part) error {
	if p.meta.Part == 0 {
		return nil
	}
	if want := PartName(p.meta.Part); filepath.Base(p.path) != want {
		return fmt.Errorf("database %s: %w: it is part %d, which is called %s", p.path, ErrStrayPart, p.meta.Part, want)
	}
	for _, o := range others {
		if o.meta.Part == 0 {
			continue
		}
		err := p.meta.Check(&o.meta)
		if p.meta.Parts > 0 && o.meta.Parts > 0 && p.meta.Parts != o.meta.Parts {
			err = fmt.Errorf("it is one of %d parts, not of %d", p.meta.Parts, o.meta.Parts)
		}
		if err != nil {
			return fmt.Errorf("database %s: %w: against %s: %w; merge joins databases", p.path, ErrStrayPart, o.path,
				err)
		}
		break // the others agree with it
	}
	return nil
}

// globQuote makes a path match itself in a pattern.
func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// IsDatabase reports whether path looks like a database: a Parquet file, or a directory with parts.
func IsDatabase(path string) bool {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		names, _ := filepath.Glob(filepath.Join(globQuote(path), "part-*.parquet"))
		return len(names) > 0
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	n, _ := f.ReadAt(head[:], 0)
	return n == 4 && string(head[:]) == "PAR1"
}

// Path returns the path the database was opened by.
func (db *DB) Path() string { return db.path }

// NumRows returns the number of rows in all parts.
func (db *DB) NumRows() int64 { return db.rows }

// Meta returns the metadata of the first part.
func (db *DB) Meta() Meta { return db.parts[0].meta.clone() }

// PartInfo describes one file of a database.
type PartInfo struct {
	Path      string
	Bytes     int64
	Rows      int64
	RowGroups int
	Digested  bool // written by this program, with digests that reading checks
	Meta      Meta
}

// Parts returns the files of the database in the order they are read.
func (db *DB) Parts() []PartInfo {
	var out []PartInfo
	for _, p := range db.parts {
		out = append(out, PartInfo{p.path, p.size, p.rows, len(p.footer.RowGroups), p.groups != nil, p.meta.clone()})
	}
	return out
}

// ErrMissingParts is wrapped by the error of reading a directory that lacks some of its parts.
var ErrMissingParts = errors.New("parts are missing")

// Missing returns the numbers of the parts that are missing, and in total how many there should be. Total is 0
// when it is in no part: then, if the parts are numbered at all, the last one is missing.
func (db *DB) Missing() (numbers []int, total int) {
	have, last := map[int]bool{}, 0
	for _, p := range db.parts {
		if p.meta.Part > 0 {
			have[p.meta.Part] = true
			last = max(last, p.meta.Part)
			total = max(total, p.meta.Parts)
		}
	}
	if !db.dir || last == 0 {
		return nil, total
	}
	end := total
	if total == 0 {
		end = last + 1
	}
	for i := 1; i <= end; i++ {
		if !have[i] {
			numbers = append(numbers, i)
		}
	}
	return numbers, total
}

// checkWhole returns an error when parts are missing.
func (db *DB) checkWhole() error {
	missing, total := db.Missing()
	if len(missing) == 0 {
		return nil
	}
	of := ""
	if total > 0 {
		of = fmt.Sprintf(" of %d", total)
	}
	const show = 10
	dots := ""
	if len(missing) > show {
		missing, dots = missing[:show], " …"
	}
	return fmt.Errorf("database %s: %w: %v%s%s", db.path, ErrMissingParts, missing, dots, of)
}

// Filter chooses what to read. The zero value is everything.
type Filter struct {
	Columns Columns    // 0 is AllColumns
	Classes []bg.Class // only rows of these classes; empty is all
	Method  string     // only rows whose method begins so; "" is all

	// Partial allows a directory with parts missing, such as a rollout that has not finished.
	Partial bool

	// The rows of files that other programs wrote are checked as CheckRow does, as
	// far as their columns are read: a bad one is a *BadRowsError. SkipBad leaves bad
	// rows out and counts them in Bad, if that is not nil; Unchecked hands them out.
	SkipBad   bool
	Bad       *Counts
	Unchecked bool
}

func (f *Filter) columns() Columns {
	c := f.Columns
	if c == 0 {
		c = AllColumns
	}
	if len(f.Classes) > 0 {
		c |= ColClass
	}
	if f.Method != "" {
		c |= ColMethod
	}
	return c
}

// RowGroupRows returns the number of rows of row group i, before any filter.
func (db *DB) RowGroupRows(i int) int {
	g := db.groups[i]
	return int(g.part.footer.RowGroups[g.index].NumRows)
}

// Batches reads the whole database, one batch a row group, in order. The next row group is decoded while the
// caller works on a batch. A batch is valid until the next step. The first error ends the sequence. Every row
// group is checked against its digests before it is yielded.
func (db *DB) Batches(ctx context.Context, f Filter) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		if !f.Partial {
			if err := db.checkWhole(); err != nil {
				yield(nil, err)
				return
			}
		}
		ctx, cancel := context.WithCancel(ctx)
		type result struct {
			b   *Batch
			err error
		}
		results := make(chan result)
		defer func() {
			cancel()
			for range results { // nothing is decoded for a caller that has left
			}
		}()
		free := make(chan *Batch, 2)
		free <- new(Batch)
		free <- new(Batch)
		go func() {
			defer close(results)
			var r groupReader
			for i := range db.groups {
				var b *Batch
				select {
				case b = <-free:
				case <-ctx.Done():
					return
				}
				err := r.read(db, i, &f, b)
				select {
				case results <- result{b, err}:
				case <-ctx.Done():
					return
				}
				if err != nil {
					return
				}
			}
		}()
		for res := range results {
			if res.err != nil {
				yield(nil, res.err)
				return
			}
			if !yield(res.b, nil) {
				return
			}
			free <- res.b
		}
		if err := ctx.Err(); err != nil {
			yield(nil, fmt.Errorf("read database %s: %w", db.path, err))
		}
	}
}

// Rows reads the whole database row by row. It is Batches for those who do not need its speed.
func (db *DB) Rows(ctx context.Context, f Filter) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for b, err := range db.Batches(ctx, f) {
			if err != nil {
				yield(Row{}, err)
				return
			}
			for i := range b.Len() {
				if !yield(b.Row(i), nil) {
					return
				}
			}
		}
	}
}
