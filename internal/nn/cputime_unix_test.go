//go:build unix

package nn

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used: on a machine
// that others use too, a better measure than the time on the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // with these arguments it cannot fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
