// Package atomicfile writes files that are either whole or not there.
//
// Data goes to a temporary file in the directory of the final name. Committing flushes it, fsyncs it, renames it
// over the final name and fsyncs the directory, so that a reader, a kill -9 or a power cut at any moment leaves
// the old file or the new one, never a part. A process that is killed before it commits leaves its temporary file
// behind; whoever next writes a file of the same name removes it. Temporary files at work are locked, so that
// nobody takes them for leftovers.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bgtrain/internal/disk"
)

// bufferSize is the size of a File's write buffer.
const bufferSize = 256 << 10

// tempMark is in the middle of the name of every temporary file, between the final name and a random number.
const tempMark = ".tmp-"

// Write writes the file path with what write writes to its argument. If write or anything after it fails, the
// error is returned, an older file of that name stays as it was and the temporary file is removed.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return writing(path, err)
	}
	return f.Commit()
}

// WriteDir writes files, by their names, into a directory, which it makes where there is
// none. Each is whole or not there; an error leaves those that come before it by name.
func WriteDir(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := Write(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := w.Write(files[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// File is a file being written under a temporary name. Its Write is buffered.
// It is not safe for use by several goroutines at once.
type File struct {
	path string // the final name
	tmp  disk.File
	lock unlocker
	buf  *bufio.Writer
	mode *fs.FileMode // of the file that is replaced, nil for a new one
	done bool         // committed or aborted
}

// Create starts the file path, and removes what killed writers of it left. Nothing is seen under that name before
// Commit. Call Abort when the file is not to be, best by defer: after a Commit it does nothing.
func Create(path string) (*File, error) {
	f := &File{path: path}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("write %s: not a regular file", path)
		}
		mode := info.Mode().Perm()
		f.mode = &mode
	}
	if err := Clean(path); err != nil {
		return nil, err
	}
	err := f.makeTemp()
	if err != nil {
		return nil, writing(path, err)
	}
	f.buf = bufio.NewWriterSize(f.tmp, bufferSize)
	return f, nil
}

// makeTemp makes the temporary file and locks it.
func (f *File) makeTemp() (err error) {
	return eachTempName(f.path, func(name string) (bool, error) {
		if f.tmp, err = disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return false, err
		}
		if f.lock, err = lockTemp(name); err != nil { // taken for a leftover in between
			return false, errors.Join(f.tmp.Close(), ignoreMissing(disk.Remove(name)))
		}
		return true, nil
	})
}

// eachTempName calls try with temporary names for path until it makes one or
// fails. A name that is there already is no failure.
func eachTempName(path string, try func(name string) (bool, error)) error {
	for {
		made, err := try(path + tempMark + strconv.FormatUint(rand.Uint64(), 10))
		if made || err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Write writes to the temporary file through the buffer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.buf.Write(p)
	return n, writing(f.path, err)
}

// writing wraps an error, if it is one, with the output that was being written.
func writing(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write %s: %w", path, err)
}

// Name returns the name of the temporary file.
func (f *File) Name() string { return f.tmp.Name() }

// Sync flushes the buffer and fsyncs the temporary file, which can then be
// opened under Name and checked before it is committed.
func (f *File) Sync() error {
	if err := f.buf.Flush(); err != nil {
		return writing(f.path, err)
	}
	return writing(f.path, f.tmp.Sync())
}

// WriteAt changes what was written before, off bytes from the start.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	if err := f.buf.Flush(); err != nil {
		return 0, writing(f.path, err)
	}
	n, err := f.tmp.WriteAt(p, off)
	return n, writing(f.path, err)
}

// Commit makes the file appear under its final name. If it fails, the temporary file is removed.
func (f *File) Commit() error {
	if f.done {
		return fmt.Errorf("write %s: already committed or aborted", f.path)
	}
	defer f.Abort()
	if f.mode != nil {
		if err := f.tmp.Chmod(*f.mode); err != nil {
			return writing(f.path, err)
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.tmp.Close(); err != nil {
		return writing(f.path, err)
	}
	if err := disk.Rename(f.tmp.Name(), f.path); err != nil {
		return writing(f.path, err)
	}
	f.done = true
	f.lock.unlock()
	return disk.SyncDir(filepath.Dir(f.path))
}

// Abort removes the temporary file. It does nothing after a Commit or an earlier Abort.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	_ = f.tmp.Close() // what is in it does not matter any more
	_ = disk.Remove(f.tmp.Name())
	f.lock.unlock()
}

// Dir is a directory being filled under a temporary name.
type Dir struct {
	path, tmp string
	lock      unlocker
	done      bool
}

// CreateDir starts the directory path, which must not be there yet or be empty, and removes what killed writers of
// it left. The files in it are to be fsynced before Commit, as those of Create are. Call Abort when it is not to
// be, best by defer: after a Commit it does nothing.
func CreateDir(path string) (*Dir, error) {
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("write %s: the directory exists and is not empty", path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, writing(path, err)
	}
	if err := Clean(path); err != nil {
		return nil, err
	}
	d := &Dir{path: path}
	err = eachTempName(path, func(name string) (bool, error) {
		d.tmp = name
		if err := disk.Mkdir(name, 0o777); err != nil {
			return false, err
		}
		if d.lock, err = lockTemp(name); err != nil {
			return false, ignoreMissing(disk.Remove(name))
		}
		return true, nil
	})
	if err != nil {
		return nil, writing(path, err)
	}
	return d, nil
}

// Name returns the temporary name of the directory.
func (d *Dir) Name() string { return d.tmp }

// Commit makes the directory appear under its final name.
func (d *Dir) Commit() error {
	if d.done {
		return fmt.Errorf("write %s: already committed or aborted", d.path)
	}
	if err := disk.SyncDir(d.tmp); err != nil {
		return err
	}
	if err := disk.Rename(d.tmp, d.path); err != nil {
		return writing(d.path, err)
	}
	d.done = true
	d.lock.unlock()
	return disk.SyncDir(filepath.Dir(d.path))
}

// Abort removes the temporary directory with all that is in it. It does nothing
// after a Commit or an earlier Abort.
func (d *Dir) Abort() {
	if d.done {
		return
	}
	d.done = true
	_ = disk.RemoveAll(d.tmp) // else the next writer does
	d.lock.unlock()
}

// IsTemp reports whether name (a path or a base name) is that of a temporary file of this package.
func IsTemp(name string) bool {
	_, after, found := cutLast(filepath.Base(name), tempMark)
	return found && after != "" && strings.Trim(after, "0123456789") == ""
}

// Clean removes the temporary files and directories that killed writers of path
// left behind. Those of writers at work stay. Create and CreateDir call it.
func Clean(path string) error {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
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
		name := filepath.Join(dir, e.Name())
		lock, err := lockTemp(name)
		if err != nil {
			continue // somebody is at work
		}
		err = disk.RemoveAll(name)
		lock.unlock()
		if err != nil {
			return fmt.Errorf("clean up after %s: %w", path, err)
		}
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// cutLast is strings.Cut at the last occurrence of sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
