package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"bgtrain/benchmark/bm"
	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
)

// Folders of package data.
const (
	embeddedDatabases  = "databases"
	embeddedBenchmarks = "benchmarks"
)

// embeddedName names the embedded database where a database is expected.
const embeddedName = "embedded"

// isDatabase tells whether a name is that of a database: the embedded one's, or a
// path that looks like one.
func isDatabase(name string) bool { return name == embeddedName || dataset.IsDatabase(name) }

// openDatabase opens a database, or the embedded one by its name. A file of that
// name is ./embedded.
func openDatabase(name string) (*dataset.DB, error) {
	if name != embeddedName {
		return dataset.Open(name)
	}
	entries, err := fs.ReadDir(data.Files(), embeddedDatabases)
	if err != nil || len(entries) == 0 {
		return nil, fmt.Errorf("no database is embedded in this program")
	}
	return dataset.OpenFS(data.Files(), embeddedDatabases+"/"+entries[0].Name(), embeddedName)
}

// openDatabases opens databases in their order.
func openDatabases(names []string) ([]*dataset.DB, error) {
	var dbs []*dataset.DB
	for _, name := range names {
		db, err := openDatabase(name)
		if err != nil {
			return nil, err
		}
		dbs = append(dbs, db)
	}
	return dbs, nil
}

// readBenchmarks reads the benchmark files named, or those that ship with the
// program where none is.
func readBenchmarks(e *env, names []string, skipBad bool) ([]*bm.File, error) {
	var files []*bm.File
	for _, name := range names {
		f, err := bm.ReadFile(name, bm.ReadOptions{SkipBad: skipBad})
		if err != nil {
			return nil, err
		}
		if n := len(f.Skipped); n > 0 {
			fmt.Fprintf(e.Stderr, "%s: %d bad records left out; the first: %v\n", name, n, f.Skipped[0])
		}
		if len(f.Records)+len(f.Cubes) == 0 {
			return nil, fmt.Errorf("%s: no decisions in it (m or o records)", name)
		}
		files = append(files, f)
	}
	if len(names) > 0 {
		return files, nil
	}
	entries, err := fs.ReadDir(data.Files(), embeddedBenchmarks)
	if err != nil {
		return nil, fmt.Errorf("no benchmark file given, and none is embedded in this program")
	}
	for _, entry := range entries {
		r, err := data.Files().Open(embeddedBenchmarks + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		f, err := bm.Read(r, entry.Name(), bm.ReadOptions{})
		if err != nil {
			return nil, fmt.Errorf("embedded %w", err)
		}
		files = append(files, f)
	}
	return files, nil
}

// unpackEmbedded copies the files of a folder of the embedded data to disk, where
// commands can open them, and returns their names in order; none if the program
// ships without. Call remove when they are not needed any more.
func unpackEmbedded(folder string) (names []string, remove func(), err error) {
	remove = func() {}
	entries, err := fs.ReadDir(data.Files(), folder)
	if err != nil || len(entries) == 0 {
		return nil, remove, nil // no such folder
	}
	dir, remove, err := atomicfile.ScratchDir("bgtrain-embedded")
	if err != nil {
		return nil, func() {}, fmt.Errorf("unpack embedded files: %w", err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if err := copyEmbedded(folder+"/"+e.Name(), name); err != nil {
			remove()
			return nil, func() {}, fmt.Errorf("unpack embedded %s: %w", e.Name(), err)
		}
		names = append(names, name)
	}
	sort.Strings(names)
	return names, remove, nil
}

func copyEmbedded(from, to string) error {
	src, err := data.Files().Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if e := dst.Close(); err == nil {
		err = e
	}
	return err
}
