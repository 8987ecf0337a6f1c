package dataset

import (
	"context"
	"fmt"
)

// Validation is what Validate finds.
type Validation struct {
	Rows     int64    // rows or lines with a position looked at
	Bad      Counts   // bad rows by kind
	Examples []string // the first bad rows of each kind
}

// examplesPerKind is the number of examples that a Validation has of a kind.
const examplesPerKind = 3

// Validate reads a whole database, a GNUbg training text or a wildbg CSV, and
// counts its bad rows. Text is told from a database by the content. A file that
// is damaged or cut off is an error.
func Validate(ctx context.Context, path string) (Validation, error) {
	if IsDatabase(path) {
		return validateDB(ctx, path)
	}
	return validateText(ctx, path)
}

func (v *Validation) add(bad *BadRow, where string, args ...any) {
	if v.Bad[bad.Kind]++; v.Bad[bad.Kind] <= examplesPerKind {
		v.Examples = append(v.Examples, fmt.Sprintf(where, args...)+": "+bad.Msg)
	}
}

func validateDB(ctx context.Context, path string) (v Validation, err error) {
	db, err := Open(path)
	if err != nil {
		return v, err
	}
	var seen keyTable[struct{}]
	for b, err := range db.Batches(ctx, Filter{}) {
		if err != nil {
			return v, err
		}
		for i := range b.Len() {
			r := b.Row(i)
			v.Rows++
			bad := CheckRow(&r)
			if bad == nil || bad.Kind != BadKey && bad.Kind != BadOver {
				if _, isNew := seen.at(r.Key); !isNew && bad == nil {
					bad = badf(BadDuplicate, "position %v was there before", r.Key)
				}
			}
			if bad != nil {
				v.add(bad, "%s: row %d", b.Part, b.FirstRow+int64(i)+1)
			}
		}
	}
	return v, nil
}

func validateText(ctx context.Context, path string) (v Validation, err error) {
	var im importer
	err = im.eachLine(ctx, "validate", path, func(row *Row, bad *BadRow, line int) error {
		v.Rows++
		if bad != nil {
			v.add(bad, "%s:%d", path, line)
		}
		return nil
	})
	return v, err
}
