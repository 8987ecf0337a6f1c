package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"bgtrain/data"
)

// Folders of package data.
const (
	embeddedDatabases  = "databases"
	embeddedBenchmarks = "benchmarks"
)

// unpackEmbedded copies the files of a folder of the embedded data to disk, where
// commands can open them, and returns their names in order; none if the program
// ships without. Call remove when they are not needed any more.
func unpackEmbedded(folder string) (names []string, remove func(), err error) {
	remove = func() {}
	entries, err := fs.ReadDir(data.Files(), folder)
	if err != nil || len(entries) == 0 {
		return nil, remove, nil // no such folder
	}
	dir, err := os.MkdirTemp("", "bgtrain-")
	if err != nil {
		return nil, remove, fmt.Errorf("unpack embedded files: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) } // the system cleans up its temporary files
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
