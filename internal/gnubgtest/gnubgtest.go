// Package gnubgtest runs an installed GNU Backgammon in tests, with its own
// weights or with weights made by the test.
//
// Where it is not installed, the functions skip the test that calls them; where
// the environment variable CI is set, they fail it. Tests that use this package
// carry the build tag integration.
package gnubgtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Where Debian installs GNU Backgammon, if it is not in PATH.
const (
	debianBinary  = "/usr/games/gnubg"
	debianDataDir = "/usr/share/gnubg"
)

// timeout bounds a run of a script.
const timeout = 5 * time.Minute

// Binary returns the path of GNU Backgammon.
func Binary(t testing.TB) string {
	t.Helper()
	if path, err := exec.LookPath("gnubg"); err == nil {
		return path
	}
	if _, err := os.Stat(debianBinary); err != nil {
		missing(t, "GNU Backgammon is not installed (Debian: apt install gnubg)")
	}
	return debianBinary
}

// ownDataDir returns the directory where GNU Backgammon has its weights: that of
// the environment variable GNUBG_DATA, or Debian's.
func ownDataDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("GNUBG_DATA")
	if dir == "" {
		dir = debianDataDir
	}
	if _, err := os.Stat(dir); err != nil {
		missing(t, fmt.Sprintf("%v: GNUBG_DATA can name GNU Backgammon's data directory", err))
	}
	return dir
}

// Weights returns the path of GNU Backgammon's own weights, binary.
func Weights(t testing.TB) string {
	t.Helper()
	path := filepath.Join(ownDataDir(t), "gnubg.wd")
	if _, err := os.Stat(path); err != nil {
		missing(t, err.Error())
	}
	return path
}

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// DataDir returns a data directory, for Run, that has the given weights instead
// of GNU Backgammon's own: a file with a name in .wd is binary, any other text.
func DataDir(t testing.TB, weights string) string {
	t.Helper()
	own := ownDataDir(t)
	entries, err := os.ReadDir(own)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, e := range entries {
		if e.Name() == "gnubg.wd" || e.Name() == "gnubg.weights" {
			continue
		}
		if err := os.Symlink(filepath.Join(own, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	name := "gnubg.weights"
	if filepath.Ext(weights) == ".wd" {
		name = "gnubg.wd"
	}
	content, err := os.ReadFile(weights)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Run runs a Python script inside GNU Backgammon and returns what the script
// writes to the file that the environment variable OUT names. A script that
// fails or ends GNU Backgammon otherwise than by status 0 fails the test.
// dataDir comes from DataDir, or is "" for GNU Backgammon as it is. vars are
// environment variables for the script, as "NAME=value".
func Run(t testing.TB, dataDir, script string, vars ...string) string {
	t.Helper()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "script.py"), filepath.Join(dir, "out")
	// GNU Backgammon goes on after an exception, so the script's end is marked.
	text := script + "\nopen(__import__('os').environ['OUT'] + '.done', 'w').close()\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"-t", "-q", "-r", "-s", dir, "-p", path}
	if dataDir != "" {
		args = append([]string{"-P", dataDir}, args...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, Binary(t), args...)
	cmd.Env = append(append(os.Environ(), vars...), "OUT="+out)
	said, err := cmd.CombinedOutput()
	if _, missing := os.Stat(out + ".done"); err == nil && missing != nil {
		err = fmt.Errorf("the script did not reach its end")
	}
	if err != nil {
		t.Fatalf("gnubg: %v\n%s", err, strings.TrimSpace(string(said)))
	}
	result, err := os.ReadFile(out)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(result)
}
