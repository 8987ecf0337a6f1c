//go:build !amd64

package cpu

// Detected returns Go: the assembly kernels are for amd64.
func Detected() Tier { return Go }

func hasAVXVNNI() bool { return false }
