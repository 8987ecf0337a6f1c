package dataset

import (
	"fmt"

	"bgtrain/internal/bg"
)

// Report counts rows that were moved from one place to another.
type Report struct {
	Rows    int64                // rows written
	Classes [bg.NumClasses]int64 // of them, by class
	Bad     Counts               // rows left out as bad
	Dropped int64                // rows that Merge dropped as duplicates
}

// BadRowsError is the end of an import, export, merge or read that met bad rows without SkipBad. Nothing was
// written.
type BadRowsError struct {
	Doing string  // what was being done, and to which line or row: "import a.txt:81"
	First *BadRow // the first of them
	Bad   Counts  // all of them

	reading bool // of a file that another program wrote
}

// Error returns what is wrong with the first bad row, and how many there are.
func (e *BadRowsError) Error() string {
	s := fmt.Sprintf("%s: %v", e.Doing, e.First)
	if n := e.Bad.Total(); n > 1 {
		s += fmt.Sprintf("; %d bad rows in all (%v)", n, &e.Bad)
	}
	if e.reading {
		return s + "; validate counts them, merge --skip-bad makes a database without them"
	}
	return s + "; --skip-bad leaves bad rows out"
}

// Unwrap returns what is wrong with the first bad row.
func (e *BadRowsError) Unwrap() error { return e.First }
