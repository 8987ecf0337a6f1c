package dataset

// Reader reads row groups one at a time, in any order, and keeps its memory between them.
type Reader struct {
	r groupReader
	b Batch
}

// RowGroups returns the number of row groups in all parts.
func (db *DB) RowGroups() int { return len(db.groups) }

// Read returns row group i of a database, checked against its digests, as Batches yields it. The batch is
// valid until the next call.
func (r *Reader) Read(db *DB, i int, f Filter) (*Batch, error) {
	if err := r.r.read(db, i, &f, &r.b); err != nil {
		return nil, err
	}
	return &r.b, nil
}
