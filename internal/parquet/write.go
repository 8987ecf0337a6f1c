package parquet

import (
	"fmt"

	"github.com/apache/arrow/go/v15/parquet/file"
)

// Guard runs f and turns its panics, by which the Arrow and Parquet libraries report bad data and failed writes,
// into errors. An error is wrapped with what, unless that is empty.
func Guard(what string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			var ok bool
			if err, ok = r.(error); !ok {
				err = fmt.Errorf("%v", r)
			}
		}
		if err != nil && what != "" {
			err = fmt.Errorf("%s: %w", what, err)
		}
	}()
	return f()
}

// WriteColumn writes the next column of a row group, whose Parquet type must be that of values. Levels are 1 where
// a row has a value and 0 where it is null; nil for a column that has no nulls.
func WriteColumn[T any](group file.SerialRowGroupWriter, values []T, levels []int16) error {
	column, err := group.NextColumn()
	if err != nil {
		return err
	}
	w, ok := column.(interface {
		WriteBatch(values []T, levels, repetitions []int16) (int64, error)
	})
	if !ok {
		return fmt.Errorf("column %s does not hold %T", column.Descr().Name(), values)
	}
	if _, err := w.WriteBatch(values, levels, nil); err != nil {
		return err
	}
	return column.Close()
}
