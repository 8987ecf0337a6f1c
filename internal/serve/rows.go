package serve

import (
	"context"
	"time"

	"bgtrain/dataset"
)

// groupCache holds the row group that was read last. It belongs to whoever has the turn to
// read.
type groupCache struct {
	reader *dataset.Reader
	batch  *dataset.Batch // nil: none
	path   string
	at     time.Time // of the file
	group  int
}

// group hands a row group of a database, as it was at a time, to use: one is decoded at a
// time, however many pages ask.
func (v *Server) group(ctx context.Context, db *dataset.DB, at time.Time, i int, use func(*dataset.Batch) error) error {
	done, err := turn(ctx, v.limits.reading)
	if err != nil {
		return err
	}
	defer done()
	c := &v.last
	if c.batch == nil || c.path != db.Path() || !c.at.Equal(at) || c.group != i {
		if c.reader == nil {
			c.reader = &dataset.Reader{}
		}
		c.batch = nil
		b, err := c.reader.Read(db, i, dataset.Filter{})
		if err != nil {
			return err
		}
		c.batch, c.path, c.at, c.group = b, db.Path(), at, i
	}
	if c.batch.Len() > dataset.RowGroupRows { // of another program
		defer func() { v.last = groupCache{} }()
	}
	return use(c.batch)
}
