package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"bgtrain/internal/cpu"
)

// release is the version of this program, and commit what it was built from; both are
// set by the release script.
var (
	release = "development"
	commit  string
)

// version states which program this is: release, commit, Go, and the tier of
// kernels that it computes with here.
func version() string {
	from := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				from = fmt.Sprintf("%.12s", s.Value) + from
			case s.Key == "vcs.modified" && s.Value == "true":
				from += ", modified"
			}
		}
	}
	if commit != "" {
		from = commit
	}
	if from != "" {
		from = " (" + from + ")"
	}
	return fmt.Sprintf("%s%s, %s %s/%s, kernels %v", release, from, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		cpu.Level())
}
