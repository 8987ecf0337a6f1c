package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"bgtrain/internal/disk"
)

// Recorder is a file system that does what it is asked to, through disk.Replace, and remembers it for the files
// below a directory, to make of the record what a kill or a power cut between any two of its system calls would
// have left on disk. It is safe for use by several goroutines at once.
type Recorder struct {
	root  string // absolute, without symbolic links
	start *diskNode

	mu    sync.Mutex
	calls []diskCall
	fail  int // the call that fails, counted from 1; 0: none
	err   error
}

// diskCall is a system call that changes what is on disk.
type diskCall struct {
	what     string // open, write, truncate, chmod, sync, mkdir, rename, remove, syncdir
	name, to string // relative to the root
	handle   int    // of an open file: the number of its open call
	offset   int64
	data     []byte
}

// diskNode is a file or a directory, as programs see it and as it outlasts a power cut.
type diskNode struct {
	dir              bool
	data, lastData   []byte
	names, lastNames map[string]*diskNode
}

// Record returns a Recorder of what is written below a directory from now on.
func Record(root string) (*Recorder, error) {
	root, err := filepath.Abs(root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, err
	}
	r := &Recorder{root: root}
	r.start, err = loadNode(root)
	return r, err
}

// Fail lets the call of a number, from 1, fail with err instead of being done, and a
// write write half of its data first.
func (r *Recorder) Fail(number int, err error) { r.fail, r.err = number, err }

// Calls returns how many calls there were.
func (r *Recorder) Calls() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.calls)
}

// loadNode reads a file or a directory with all that is in it, all of it on disk.
func loadNode(path string) (*diskNode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(path)
		return &diskNode{data: data, lastData: data}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	n := &diskNode{dir: true, names: map[string]*diskNode{}}
	for _, e := range entries {
		if n.names[e.Name()], err = loadNode(filepath.Join(path, e.Name())); err != nil {
			return nil, err
		}
	}
	n.lastNames = maps.Clone(n.names)
	return n, nil
}

// do remembers a call and does it, unless it is to fail. The handle of an open call
// is its number.
func (r *Recorder) do(c diskCall, do func() error) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ok [2]bool
	c.name, ok[0] = r.relative(c.name)
	if ok[1] = true; c.to != "" {
		c.to, ok[1] = r.relative(c.to)
	}
	if !ok[0] || !ok[1] {
		return -1, do() // elsewhere
	}
	if len(r.calls)+1 == r.fail {
		r.fail = 0 // once
		return -1, fmt.Errorf("%s %s: %w", c.what, c.name, r.err)
	}
	if err := do(); err != nil {
		return -1, err
	}
	r.calls = append(r.calls, c)
	return len(r.calls) - 1, nil
}

// relative returns a path below the root; false for one elsewhere.
func (r *Recorder) relative(path string) (string, bool) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && path != r.root {
		path = filepath.Join(dir, filepath.Base(path))
	}
	rel, err := filepath.Rel(r.root, path)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// OpenFile opens a file.
func (r *Recorder) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	if flag&(os.O_TRUNC|os.O_APPEND) != 0 {
		return nil, errors.New("Recorder: O_TRUNC and O_APPEND are not known here")
	}
	var f disk.File
	handle, err := r.do(diskCall{what: "open", name: name}, func() (err error) {
		f, err = disk.OS{}.OpenFile(name, flag, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &recordedFile{File: f, r: r, handle: handle}, nil
}

// Mkdir makes a directory.
func (r *Recorder) Mkdir(name string, perm fs.FileMode) error {
	_, err := r.do(diskCall{what: "mkdir", name: name}, func() error { return disk.OS{}.Mkdir(name, perm) })
	return err
}

// Rename renames a file or directory.
func (r *Recorder) Rename(from, to string) error {
	_, err := r.do(diskCall{what: "rename", name: from, to: to}, func() error { return disk.OS{}.Rename(from, to) })
	return err
}

// Remove removes a file or an empty directory.
func (r *Recorder) Remove(name string) error {
	_, err := r.do(diskCall{what: "remove", name: name}, func() error { return disk.OS{}.Remove(name) })
	return err
}

// SyncDir fsyncs a directory.
func (r *Recorder) SyncDir(name string) error {
	_, err := r.do(diskCall{what: "syncdir", name: name}, func() error { return disk.OS{}.SyncDir(name) })
	return err
}

// recordedFile is an open file of a Recorder.
type recordedFile struct {
	disk.File
	r      *Recorder
	handle int
	at     int64 // where Write writes
}

func (f *recordedFile) do(c diskCall, do func() error) error {
	if f.handle < 0 {
		return do()
	}
	c.name, c.handle = f.Name(), f.handle
	_, err := f.r.do(c, do)
	return err
}

// Write writes at the end of what Write wrote before.
func (f *recordedFile) Write(p []byte) (int, error) {
	n, err := f.WriteAt(p, f.at)
	f.at += int64(n)
	return n, err
}

// WriteAt writes at an offset.
func (f *recordedFile) WriteAt(p []byte, offset int64) (n int, err error) {
	err = f.do(diskCall{what: "write", offset: offset, data: slices.Clone(p)}, func() error {
		n, err = f.File.WriteAt(p, offset)
		return err
	})
	if err != nil && n == 0 { // a full disk takes a part
		n, _ = f.File.WriteAt(p[:len(p)/2], offset)
	}
	return n, err
}

// Truncate changes the size.
func (f *recordedFile) Truncate(size int64) error {
	return f.do(diskCall{what: "truncate", offset: size}, func() error { return f.File.Truncate(size) })
}

// Sync makes what is in the file outlast a power cut.
func (f *recordedFile) Sync() error { return f.do(diskCall{what: "sync"}, f.File.Sync) }

// Cut is what is left after an end between two calls.
type Cut int

// The cuts.
const (
	Kill  Cut = iota // all that was written
	Torn             // likewise, and half of the data of the next call
	Power            // only what was synced: names by their directories, data by their files
	Lost             // all names, but only synced data: names may outrun data
	NumCuts
)

// String names the cut.
func (c Cut) String() string {
	return [...]string{"kill", "torn write", "power cut", "power cut that kept names"}[c]
}

// Replay writes to the empty directory dir what a cut after so many calls leaves.
func (r *Recorder) Replay(calls int, cut Cut, dir string) error {
	root := r.start.clone()
	open := map[int]*diskNode{}
	for i, c := range r.calls[:calls] {
		if err := root.apply(i, c, open); err != nil {
			return fmt.Errorf("call %d: %w", i, err)
		}
	}
	if cut == Torn && calls < len(r.calls) {
		if c := r.calls[calls]; c.what == "write" {
			c.data = c.data[:len(c.data)/2]
			if err := root.apply(calls, c, open); err != nil {
				return err
			}
		}
	}
	return root.write(dir, cut == Power, cut == Power || cut == Lost)
}

// Describe names a call.
func (r *Recorder) Describe(number int) string {
	if number >= len(r.calls) {
		return "the end"
	}
	c := r.calls[number]
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", c.what, c.name, c.to))
}

func (n *diskNode) clone() *diskNode {
	out := &diskNode{dir: n.dir, data: slices.Clone(n.data), lastData: slices.Clone(n.lastData)}
	if n.dir {
		out.names = map[string]*diskNode{}
		for name, kid := range n.names {
			out.names[name] = kid.clone()
		}
		out.lastNames = maps.Clone(out.names)
	}
	return out
}

// find returns the directory of a path and the base name.
func (n *diskNode) find(path string) (*diskNode, string, error) {
	dir, base := filepath.Split(filepath.Clean(path))
	for _, name := range strings.FieldsFunc(dir, func(r rune) bool { return r == filepath.Separator }) {
		if n = n.names[name]; n == nil || !n.dir {
			return nil, "", fmt.Errorf("%s: no such directory", path)
		}
	}
	return n, base, nil
}

// apply does a call.
func (n *diskNode) apply(number int, c diskCall, open map[int]*diskNode) error {
	dir, base, err := n.find(c.name)
	if err != nil && open[c.handle] == nil {
		return err
	}
	switch c.what {
	case "open":
		if dir.names[base] == nil {
			dir.names[base] = &diskNode{}
		}
		open[number] = dir.names[base]
	case "write":
		f := open[c.handle]
		if need := int(c.offset) + len(c.data); need > len(f.data) {
			f.data = append(f.data, make([]byte, need-len(f.data))...)
		}
		copy(f.data[c.offset:], c.data)
	case "truncate":
		f := open[c.handle]
		f.data = append(f.data, make([]byte, max(0, int(c.offset)-len(f.data)))...)[:c.offset]
	case "sync":
		f := open[c.handle]
		f.lastData = slices.Clone(f.data)
	case "mkdir":
		dir.names[base] = &diskNode{dir: true, names: map[string]*diskNode{}, lastNames: map[string]*diskNode{}}
	case "rename":
		to, name, err := n.find(c.to)
		if err != nil {
			return err
		}
		to.names[name] = dir.names[base]
		delete(dir.names, base)
	case "remove":
		delete(dir.names, base)
	case "syncdir":
		if d := dir; base != "." {
			d = dir.names[base]
			d.lastNames = maps.Clone(d.names)
		} else {
			d.lastNames = maps.Clone(d.names)
		}
	}
	return nil
}

// write writes a directory to disk: with the names, and with the data, that were
// synced, or with all.
func (n *diskNode) write(path string, syncedNames, syncedData bool) error {
	names := n.names
	if syncedNames {
		names = n.lastNames
	}
	for name, kid := range names {
		at := filepath.Join(path, name)
		if kid.dir {
			if err := os.MkdirAll(at, 0o777); err != nil {
				return err
			}
			if err := kid.write(at, syncedNames, syncedData); err != nil {
				return err
			}
			continue
		}
		data := kid.data
		if syncedData {
			data = kid.lastData
		}
		if err := os.WriteFile(at, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
