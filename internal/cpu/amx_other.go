//go:build !(linux && amd64)

package cpu

// AMX returns false: this program uses it on Linux only, which asks for permission.
func AMX() bool { return false }
