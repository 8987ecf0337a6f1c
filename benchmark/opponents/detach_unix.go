//go:build unix

package opponents

import (
	"os/exec"
	"syscall"
)

// detach puts a process into a group of its own.
func detach(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
