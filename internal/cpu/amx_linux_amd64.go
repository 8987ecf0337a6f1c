package cpu

import (
	"sync"

	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"
)

// AMX reports whether kernels may use AMX's tiles of bfloat16, beside VNNI, the highest
// tier: whether the processor and the system have them, and EnvVar does not lower
// the tier. The first call asks the system for the process, threads there are and will
// be included.
var AMX = sync.OnceValue(func() bool {
	const (
		requestPermission = 0x1023 // ARCH_REQ_XCOMP_PERM
		tileData          = 18     // of the parts of the processor's extended state
	)
	x := &cpu.X86
	if level < VNNI || !x.HasAMXTile || !x.HasAMXBF16 {
		return false
	}
	// It fails where the system does not save tiles (bits 17 and 18 of XCR0), and where
	// a thread's stack for signals, of 32 KB in Go, is too small for them.
	_, _, err := unix.RawSyscall(unix.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return err == 0
})
