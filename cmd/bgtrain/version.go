package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"bgtrain/internal/cpu"
	"bgtrain/internal/identity"
)

// release is the version of this program, and commit what it was built from; both are
// set by the release script.
var (
	release = "development"
	commit  string
)

// build is what Go built this program from: a revision, "" where that is not known, and
// whether it was changed since.
func build() (revision string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", true
	}
	modified = true
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value != "false"
		}
	}
	return revision, modified
}

// version states which program this is: release, commit, Go, and the tier of
// kernels that it computes with here.
func version() string {
	from := commit
	if revision, modified := build(); from == "" && revision != "" {
		if from = fmt.Sprintf("%.12s", revision); modified {
			from += ", modified"
		}
	}
	if from != "" {
		from = " (" + from + ")"
	}
	return fmt.Sprintf("%s%s, %s %s/%s, kernels %v", release, from, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		cpu.Level())
}

// programVersion distinguishes programs that may compute something else: by release,
// by commit, or else by the bytes of the program itself.
func programVersion() (string, error) {
	if release != "development" {
		return release, nil
	}
	if revision, modified := build(); revision != "" && !modified {
		return revision[:min(len(revision), 16)], nil
	}
	var digest string
	path, err := os.Executable()
	if err == nil {
		digest, err = identity.OfFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("version of this program: %w", err)
	}
	return "built-" + digest[:16], nil
}
