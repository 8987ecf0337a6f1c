//go:build unix

package grow

import (
	"syscall"
	"time"
)

// processorTime returns the time of all processors that this process has taken.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
