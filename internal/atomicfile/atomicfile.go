// Package atomicfile writes files that are either whole or not there.
//
// Data goes to a temporary file in the directory of the final name. Committing
// flushes it, fsyncs it, renames it over the final name and fsyncs the
// directory, so that a reader, a kill -9 or a power cut at any moment leaves the
// old file or the new one, never a part. A process that is killed before it
// commits leaves its temporary file behind; Clean removes such leftovers.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// bufferSize is the size of a File's write buffer.
const bufferSize = 256 << 10

// tempMark is in the middle of the name of every temporary file, between the
// final name and a random number.
const tempMark = ".tmp-"

// Write writes the file path with what write writes to its argument. If write
// or anything after it fails, the error is returned, an older file of that name
// stays as it was and the temporary file is removed.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return f.Commit()
}

// File is a file being written under a temporary name. Its Write is buffered.
// It is not safe for use by several goroutines at once.
type File struct {
	path string // the final name
	tmp  *os.File
	buf  *bufio.Writer
	mode os.FileMode
	done bool // committed or aborted
}

// Create starts the file path. Nothing is seen under that name before Commit.
// Call Abort when the file is not to be, best by defer: after a Commit it does
// nothing.
func Create(path string) (*File, error) {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("write %s: not a regular file", path)
		}
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+tempMark+"*")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return &File{path: path, tmp: tmp, buf: bufio.NewWriterSize(tmp, bufferSize), mode: mode}, nil
}

// Write writes to the temporary file through the buffer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	if err != nil {
		err = fmt.Errorf("write %s: %w", f.path, err)
	}
	return n, err
}

// Name returns the name of the temporary file.
func (f *File) Name() string { return f.tmp.Name() }

// Sync flushes the buffer and fsyncs the temporary file, which can then be
// opened under Name and checked before it is committed.
func (f *File) Sync() error {
	if err := f.buf.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := f.tmp.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// Commit makes the file appear under its final name. If it fails, the temporary
// file is removed.
func (f *File) Commit() error {
	if f.done {
		return fmt.Errorf("write %s: already committed or aborted", f.path)
	}
	defer f.Abort()
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.tmp.Chmod(f.mode); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := f.tmp.Close(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := os.Rename(f.tmp.Name(), f.path); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	f.done = true
	return SyncDir(filepath.Dir(f.path))
}

// Abort removes the temporary file. It does nothing after a Commit or an
// earlier Abort.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	f.tmp.Close()
	os.Remove(f.tmp.Name())
}

// SyncDir fsyncs a directory, which makes the names in it last.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	return nil
}

// MkdirTemp makes a temporary directory beside path, to be filled and then given
// that name by RenameDir. Whoever makes it removes it if it comes to nothing.
func MkdirTemp(path string) (string, error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+tempMark+"*")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", fmt.Errorf("write %s: %w", path, err)
	}
	return dir, nil
}

// RenameDir fsyncs the directory tmp and renames it to path, which must not be
// there or be an empty directory. The files in it are fsynced already.
func RenameDir(tmp, path string) error {
	if err := SyncDir(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return SyncDir(filepath.Dir(path))
}

// IsTemp tells whether name (a path or a base name) is that of a temporary file
// of this package.
func IsTemp(name string) bool {
	_, after, found := cutLast(filepath.Base(name), tempMark)
	return found && after != "" && strings.Trim(after, "0123456789") == ""
}

// Clean removes the temporary files and directories that killed writers of path
// left behind.
// Nobody may be writing path meanwhile.
func Clean(path string) error {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("clean up after %s: %w", path, err)
	}
	for _, e := range entries {
		before, _, found := cutLast(e.Name(), tempMark)
		if !found || before != base || !IsTemp(e.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("clean up after %s: %w", path, err)
		}
	}
	return nil
}

// cutLast is strings.Cut at the last occurrence of sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
