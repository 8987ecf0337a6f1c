// Package disk is what this program needs of a file system in order to write. All writing goes through it, so that
// tests can record it, let any call of it fail, and cut it off at any point. Reading does not.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// FS is a file system to write to. Errors are those of package os.
type FS interface {
	// OpenFile opens a file as os.OpenFile does.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	// Mkdir makes a directory.
	Mkdir(name string, perm fs.FileMode) error
	// Rename renames a file or directory; a file of the new name is replaced.
	Rename(from, to string) error
	// Remove removes a file or an empty directory.
	Remove(name string) error
	// SyncDir makes the names in a directory outlast a power cut.
	SyncDir(name string) error
}

// File is an open file.
type File interface {
	io.Writer
	io.WriterAt
	Name() string
	Truncate(size int64) error
	Chmod(mode fs.FileMode) error
	Sync() error
	Close() error
}

// system is the file system in use.
var system FS = OS{}

// Replace puts another file system in the place of the operating system's until
// restore is called. It is for tests, and not while anything is being written.
func Replace(other FS) (restore func()) {
	before := system
	system = other
	return func() { system = before }
}

// OS is the operating system's file system.
type OS struct{}

// OpenFile is os.OpenFile.
func (OS) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not a File that holds nil
	}
	return f, nil
}

// Mkdir is os.Mkdir.
func (OS) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }

// Rename is os.Rename.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (OS) Remove(name string) error { return os.Remove(name) }

// SyncDir fsyncs a directory.
func (OS) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// OpenFile opens a file to write to.
func OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return system.OpenFile(name, flag, perm)
}

// Mkdir makes a directory.
func Mkdir(name string, perm fs.FileMode) error { return system.Mkdir(name, perm) }

// MkdirAll makes a directory and those above it that are not there, and makes their names last.
func MkdirAll(name string, perm fs.FileMode) error {
	if info, err := os.Stat(name); err == nil {
		if info.IsDir() {
			return nil
		}
		return fmt.Errorf("make directory %s: a file of that name exists", name)
	}
	parent := filepath.Dir(name)
	if parent != name {
		if err := MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	if err := Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncDir(parent)
}

// Rename renames a file or directory.
func Rename(from, to string) error { return system.Rename(from, to) }

// Remove removes a file or an empty directory.
func Remove(name string) error { return system.Remove(name) }

// RemoveAll removes a file, or a directory with all that is in it, if it is there.
func RemoveAll(name string) error {
	entries, err := os.ReadDir(name)
	if err == nil {
		for _, e := range entries {
			if err := RemoveAll(filepath.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	if err := Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir makes the names in a directory outlast a power cut.
func SyncDir(name string) error {
	if err := system.SyncDir(name); err != nil {
		return fmt.Errorf("sync directory %s: %w", name, err)
	}
	return nil
}
