// Package data holds what ships with the program: starting weights, the best
// nets, a training database and benchmark files. README.md in this folder says
// which command made each.
package data

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"bgtrain/internal/nets"
)

//go:embed nets databases benchmarks recipes curves
var files embed.FS

// Net returns an embedded net by name, one of NetNames; ok is false for a name
// that is not one of them.
func Net(name string) (f *nets.Set, ok bool, err error) {
	path := "nets/" + name + ".safetensors"
	r, err := files.Open(path)
	if err != nil {
		return nil, false, nil
	}
	defer r.Close()
	f, err = nets.ReadSafetensors(r)
	if err != nil {
		return nil, true, fmt.Errorf("embedded net %s: %w", name, err)
	}
	return f, true, nil
}

// Files gives read access to the embedded files.
func Files() fs.FS { return files }

// Folders of the embedded files.
const (
	Nets       = "nets"
	Databases  = "databases"
	Benchmarks = "benchmarks"
	Curves     = "curves"
)

// List returns the paths in Files of the files in a folder, in the order of their
// names; none where the program ships without the folder.
func List(folder string) []string {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, folder+"/"+e.Name())
	}
	return paths
}

// NetNames lists the embedded nets.
func NetNames() []string { return names(Nets, ".safetensors") }

// NetList is NetNames in a sentence.
func NetList() string { return strings.Join(NetNames(), ", ") }

// names lists the files of a folder without their suffix.
func names(folder, suffix string) []string {
	names := List(folder)
	for i := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(names[i], folder+"/"), suffix)
	}
	return names
}
