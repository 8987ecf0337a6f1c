//go:build !unix

package nn

import "time"

var processStart = time.Now()

// cpuTime stands for the processor time that the process has used.
func cpuTime() time.Duration { return time.Since(processStart) }
