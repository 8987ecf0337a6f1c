package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
)

// kind is what a source is.
type kind uint8

const (
	database kind = iota
	benchmark
	curveFile
)

// source is a file or directory that may be shown.
type source struct {
	Name string // unique; what requests say
	path string
	kind kind
}

// curveSuffix ends the name of a learning curve beside its net.
const curveSuffix = ".curve.jsonl"

// sources lists what there is to show, in the order it was named. Directories are
// looked through again each time: runs begin and end while the server runs.
func (v *Server) sources() ([]source, error) {
	var all []source
	for _, path := range v.s.Files {
		info, err := os.Stat(path)
		switch {
		case err != nil && strings.HasSuffix(path, ".safetensors"):
			all = append(all, source{path: path + curveSuffix, kind: curveFile}) // a run that has not finished
		case err != nil:
			return nil, fmt.Errorf("serve: %w", err)
		case info.IsDir() && !dataset.IsDatabase(path):
			inside, err := sourcesIn(path)
			if err != nil {
				return nil, err
			}
			all = append(all, inside...)
		default:
			k, ok := kindOf(path)
			if !ok {
				return nil, fmt.Errorf("serve %s: neither a database, a benchmark file, a learning curve nor a net",
					path)
			}
			all = append(all, k)
		}
	}
	name(all)
	return all, nil
}

// kindOf finds out what a file is.
func kindOf(path string) (source, bool) {
	switch {
	case strings.HasSuffix(path, ".safetensors"):
		return source{path: path + curveSuffix, kind: curveFile}, true
	case strings.HasSuffix(path, ".jsonl"):
		return source{path: path, kind: curveFile}, true
	case dataset.IsDatabase(path):
		return source{path: path, kind: database}, true
	case bm.IsBenchmark(path):
		return source{path: path, kind: benchmark}, true
	}
	return source{}, false
}

// sourcesIn lists what is to show right in a directory.
func sourcesIn(dir string) ([]source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	var all []source
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		wanted := strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".parquet") ||
			strings.HasSuffix(path, ".bm") ||
			e.IsDir() && dataset.IsDatabase(path)
		if s, ok := kindOf(path); ok && wanted {
			all = append(all, s)
		}
	}
	return all, nil
}

// name names the sources: by their base, or by the whole path where two share one.
func name(all []source) {
	count := map[string]int{}
	for _, s := range all {
		count[filepath.Base(s.path)]++
	}
	for i := range all {
		all[i].Name = filepath.Base(all[i].path)
		if count[all[i].Name] > 1 {
			all[i].Name = all[i].path
		}
	}
}

// ofKind returns the sources of a kind, and the one that a request chose by its name,
// or else the first.
func (v *Server) ofKind(k kind, chosen string) (all []source, one *source, err error) {
	list, err := v.sources()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range list {
		if s.kind == k {
			all = append(all, s)
		}
	}
	i := 0
	if chosen != "" {
		i = slices.IndexFunc(all, func(s source) bool { return s.Name == chosen })
	}
	if i < 0 {
		return nil, nil, problemf("nothing called %q is shown here", chosen)
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	return all, &all[i], nil
}
