package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CheckFolder returns an error unless there is a directory for a file of this name.
func CheckFolder(path string) error {
	dir := filepath.Dir(strings.TrimRight(filepath.ToSlash(path), "/"))
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no directory %s", dir)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	return err
}

// CheckWritable finds out whether a file can be made under a name, or in a directory of the
// name, before the work for it. file means that it may not be a directory, whole that the
// directory must be empty.
func CheckWritable(path string, file, whole bool) error {
	info, err := os.Stat(path)
	switch {
	case err != nil: // not there: beside it
	case info.IsDir() && file:
		return fmt.Errorf("it is a directory: a file expected")
	case info.IsDir():
		if entries, _ := os.ReadDir(path); whole && len(entries) > 0 {
			return fmt.Errorf("the directory exists and is not empty: remove it, or choose another name")
		}
		path = filepath.Join(path, "output")
	case !info.Mode().IsRegular():
		return nil // such as /dev/null
	}
	probe, err := Create(strings.TrimRight(path, "/"))
	if err == nil {
		probe.Abort()
	}
	return err
}

// CheckOverlap returns an error where an output is one of the other files, is in one that
// is a directory, or is a directory with one in it. "" and - are no files.
func CheckOverlap(output string, others []string) error {
	for _, other := range others {
		if other == "" || other == "-" {
			continue
		}
		if a, b := realPath(output), realPath(other); a == b || inside(a, b) || inside(b, a) {
			if _, err := os.Stat(other); a == b || err == nil {
				return fmt.Errorf("the command also reads or writes %s: choose another name", other)
			}
		}
	}
	return nil
}

// realPath returns the absolute path of a file without symbolic links, also of one
// that is not there yet.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return path
}

// inside reports whether path is below the directory dir.
func inside(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimRight(dir, string(filepath.Separator))+string(filepath.Separator))
	return ok && rest != ""
}
