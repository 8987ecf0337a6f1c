package bearoff

import (
	"context"

	"bgtrain/internal/parallel"
)

// inRanges calls work for parts of [0, n), in several goroutines when there are at
// least two parts of size least. It always does all of it.
func inRanges(workers, n, least int, work func(from, to int)) {
	_ = parallel.Ranges(context.Background(), max(workers, 1), n, least, work) // never done, and work has no errors
}
