package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked is wrapped by the error about an output that another process is writing.
var ErrLocked = errors.New("another process is writing it")

// LockSuffix ends the names of the files that Lock makes.
const LockSuffix = ".lock"

// Lock keeps other processes, and other callers in this one, from writing the output path until unlock is called
// or the process ends, however it ends. It does so by a lock on the file PATH.lock, which is removed at the end;
// one that is left by a killed process does not matter. Where the file system has no locks, nobody is kept from
// anything.
func Lock(path string) (unlock func(), err error) {
	name := strings.TrimRight(path, "/") + LockSuffix
	for {
		l := flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o666))
		ok, err := l.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			return nil, fmt.Errorf("write %s: %w", path, err)
		case err != nil:
			return func() {}, nil // no locks here
		case !ok:
			return nil, fmt.Errorf("write %s: %w%s", path, ErrLocked, holder(name))
		case !same(l, name): // its holder has just removed it
			_ = l.Close()
			continue
		}
		// Who holds it is only for people: without it the lock holds all the same.
		_ = os.WriteFile(name, fmt.Appendf(nil, "process %d since %s: %s\n",
			os.Getpid(), time.Now().UTC().Format(time.RFC3339), strings.Join(os.Args, " ")), 0o666)
		return func() {
			_ = os.Remove(name)
			_ = l.Close()
		}, nil
	}
}

// holder returns who holds a lock, by the text of its file.
func holder(name string) string {
	text, err := os.ReadFile(name)
	if err != nil || len(text) == 0 {
		return ""
	}
	line, _, _ := strings.Cut(string(text[:min(len(text), 500)]), "\n")
	return fmt.Sprintf(" (%s says: %q)", name, line)
}

// same reports whether a lock's file is still that of its name.
func same(l *flock.Flock, name string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(name)
	return err == nil && os.SameFile(held, now)
}

// unlocker is a lock on a temporary file or directory; nil is none.
type unlocker struct{ l *flock.Flock }

// lockTemp locks a temporary file or directory that is there. It is an error if somebody else has it, or it is
// gone.
func lockTemp(name string) (unlocker, error) {
	if runtime.GOOS == "windows" { // locks there keep the holder itself from writing
		return unlocker{}, nil
	}
	l := flock.New(name, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return unlocker{}, err
	case err != nil:
		return unlocker{}, nil // no locks here
	case !ok:
		return unlocker{}, ErrLocked
	case !same(l, name):
		_ = l.Close()
		return unlocker{}, fs.ErrNotExist
	}
	return unlocker{l}, nil
}

func (u unlocker) unlock() {
	if u.l != nil {
		_ = u.l.Close()
	}
}
