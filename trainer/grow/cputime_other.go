//go:build !unix

package grow

import "time"

// processorTime returns 0: the time of all processors is not known here.
func processorTime() time.Duration { return 0 }
