package main

import (
	"strings"
	"testing"

	"bgtrain/internal/cpu"
)

// --version says the release, the commit, Go and the tier of kernels.
func TestVersion(t *testing.T) {
	before, from := release, commit
	defer func() { release, commit = before, from }()
	release, commit = "v9.8.7", "0123456789ab"
	status, out, _ := runCommand(t, "--version")
	want := "bgtrain v9.8.7 (0123456789ab), go"
	if status != exitDone || !strings.HasPrefix(out, want) || !strings.HasSuffix(out, "kernels "+cpu.Level().String()+"\n") {
		t.Errorf("status %d, %q; %q… expected", status, out, want)
	}
}
