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

//go:embed nets databases benchmarks
var files embed.FS

// Net returns an embedded net by name (td, fast, default, gnubg-size, gnubg-wide); ok is false for a name
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

// NetNames lists the embedded nets.
func NetNames() []string {
	entries, err := fs.ReadDir(files, "nets")
	if err != nil {
		return nil // the folder is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".safetensors"))
	}
	return names
}
