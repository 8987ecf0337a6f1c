package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"bgtrain/internal/cpu"
)

// release is the version of this program, set by the release script.
var release = "development"

// version says which program this is: release, commit, Go, and the tier of
// kernels that it computes with here.
func version() string {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = fmt.Sprintf(" (%.12s", s.Value) + commit
			case s.Key == "vcs.modified" && s.Value == "true":
				commit += ", modified"
			}
		}
	}
	if commit != "" {
		commit += ")"
	}
	return fmt.Sprintf("%s%s, %s %s/%s, kernels %v", release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		cpu.Level())
}
