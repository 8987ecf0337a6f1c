package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/disk"
)

// IsFile reports whether an output is one file and no directory of parts, by its name.
func IsFile(output string) bool { return strings.HasSuffix(output, ".parquet") }

// partsSuffix ends the name of the directory beside a file where its parts are made.
const partsSuffix = ".parts"

// makeFile makes the parts that are not there, then the file that holds all of them
// in their order, and removes them. Killed at any moment it goes on, also where only
// some of the parts are removed.
func (p *parts) makeFile(ctx context.Context, r Runner) (*Report, error) {
	done, err := p.fileThere(ctx)
	if err != nil {
		return nil, err
	}
	rows := p.in.NumRows()
	report := &Report{Earlier: rows, Total: p.total()}
	if done {
		if p.h.Progress != nil {
			p.h.Progress(int(rows), int(rows))
		}
		return report, p.removeParts()
	}
	if report, err = p.makeDir(ctx, r); err != nil || len(report.Missing) > 0 {
		return report, err
	}
	if err := p.join(ctx); err != nil {
		return nil, err
	}
	return report, p.removeParts()
}

// fileThere reports whether the file is there already, and whole. One that was made in
// another way is an error.
func (p *parts) fileThere(ctx context.Context) (bool, error) {
	info, err := os.Stat(p.d.Output)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("write database: %w", err)
	case info.IsDir():
		return false, fmt.Errorf("write database %s: it is a directory: end the name in / to go on in it", p.d.Output)
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("write database %s: not a regular file", p.d.Output)
	case info.Size() == 0:
		return false, nil
	}
	db, err := dataset.Open(p.d.Output)
	if err == nil {
		if err := p.sameRun(db, p.meta, p.in.NumRows()); err != nil {
			if p.d.Replace {
				return false, nil
			}
			return false, fmt.Errorf("%w; --force replaces it, or choose another name", err)
		}
		err = readThrough(ctx, db)
	}
	var damage *dataset.DamageError
	if errors.As(err, &damage) {
		if p.h.Damaged != nil {
			p.h.Damaged(p.d.Output, err)
		}
		return false, nil
	}
	return err == nil, err
}

// join writes the file from its parts.
func (p *parts) join(ctx context.Context) error {
	db, err := dataset.Open(p.dir)
	if err != nil {
		return err
	}
	w, err := dataset.Create(p.d.Output, dataset.Options{Meta: p.meta})
	if err != nil {
		return err
	}
	defer w.Abort()
	for row, err := range db.Rows(ctx, dataset.Filter{}) {
		if err != nil {
			return err
		}
		if err := w.Write(&row); err != nil {
			return err
		}
	}
	return w.Close()
}

// removeParts removes the directory of the parts, if there is one.
func (p *parts) removeParts() error {
	if _, err := os.Stat(p.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for i := range p.total() {
		if err := disk.Remove(p.path(i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is whole; remove its parts: %w", p.d.Output, err)
		}
	}
	if err := disk.Remove(p.dir); err != nil {
		return fmt.Errorf("%s is whole; remove its parts: %w", p.d.Output, err)
	}
	return nil
}
