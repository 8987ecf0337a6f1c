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

	Undigested int // files of other programs, in which not all damage can be seen
}

// examplesPerKind is the number of examples that a Validation has of a kind.
const examplesPerKind = 3

// Add counts a bad row; where names it.
func (v *Validation) Add(bad *BadRow, where string) {
	if v.Bad[bad.Kind]++; v.Bad[bad.Kind] <= examplesPerKind {
		v.Examples = append(v.Examples, where+": "+bad.Msg)
	}
}

// Validate reads a whole database and counts its bad rows. A file that is damaged or cut off is an error.
func Validate(ctx context.Context, db *DB) (v Validation, err error) {
	if err := db.CheckBytes(ctx); err != nil {
		return v, err
	}
	for _, p := range db.parts {
		if p.groups == nil {
			v.Undigested++
		}
	}
	var rows Checker
	for b, err := range db.Batches(ctx, Filter{Unchecked: true}) {
		if err != nil {
			return v, err
		}
		for i := range b.Len() {
			r := b.Row(i)
			v.Rows++
			if bad := rows.Check(&r); bad != nil {
				v.Add(bad, fmt.Sprintf("%s: row %d", b.Part, b.FirstRow+int64(i)+1))
			}
		}
	}
	return v, nil
}
