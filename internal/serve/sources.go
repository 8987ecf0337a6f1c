package serve

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/filekind"
	"bgtrain/trainer/grow"
)

// kind is what a source is.
type kind uint8

const (
	database kind = iota
	benchmark
	curveFile
	grownRun // a directory of grow
	netFile
)

// source is a file or directory that may be shown.
type source struct {
	Name    string // unique; what requests name it by
	path    string
	kind    kind
	shipped bool // path is in data.Files
}

// modified is when a source was last written; the zero time for one that ships with
// the program.
func (s *source) modified() (time.Time, error) {
	if s.shipped {
		return time.Time{}, nil
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// openDatabase opens a source that is a database.
func (s *source) openDatabase() (*dataset.DB, error) {
	if s.shipped {
		return dataset.OpenFS(data.Files(), s.path, s.Name)
	}
	return dataset.Open(s.path)
}

// readBenchmark reads a source that is a benchmark file.
func (s *source) readBenchmark() (*bm.File, error) {
	if s.shipped {
		return bm.ReadShipped(s.path)
	}
	return bm.ReadFile(s.path, bm.ReadOptions{})
}

// read returns the content of a source that is a file.
func (s *source) read() ([]byte, error) {
	if s.shipped {
		return fs.ReadFile(data.Files(), s.path)
	}
	return os.ReadFile(s.path)
}

// shipped lists the benchmark files, databases and curves that ship with the program.
func shipped() []source {
	var all []source
	for folder, k := range map[string]kind{data.Benchmarks: benchmark, data.Databases: database, data.Curves: curveFile} {
		for _, path := range data.List(folder) {
			all = append(all, source{path: path, kind: k, shipped: true})
		}
	}
	slices.SortFunc(all, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return all
}

// curveSuffix ends the name of a learning curve beside its net.
const curveSuffix = ".curve.jsonl"

// sources lists what there is to show, in the order it was named. Directories are
// looked through again each time: runs begin and end while the server runs.
func (v *Server) sources() ([]source, error) {
	var all []source
	if len(v.s.Files) == 0 {
		all = shipped()
	}
	for _, path := range v.s.Files {
		info, err := os.Stat(path)
		switch {
		case err != nil && strings.HasSuffix(path, ".safetensors"):
			all = append(all, source{path: path + curveSuffix, kind: curveFile}) // a run that has not finished
		case err != nil:
			return nil, fmt.Errorf("serve: %w", err)
		case info.IsDir() && grow.IsRun(path):
			all = append(all, source{path: path, kind: grownRun})
			all = append(all, netsOf(filepath.Join(path, grow.BestFile))...)
		case info.IsDir() && !dataset.IsDatabase(path):
			inside, err := sourcesIn(path)
			if err != nil {
				return nil, err
			}
			all = append(all, inside...)
		default:
			k, ok := kindOf(path)
			if !ok {
				return nil, fmt.Errorf("serve %s: neither a database, a benchmark file, a learning curve, a net "+
					"nor a run of grow", path)
			}
			all = append(all, k)
			if k.kind == curveFile {
				all = append(all, netsOf(path)...)
			}
		}
	}
	name(all)
	return all, nil
}

// netsOf is a file as a net, where it is there and ends as nets do.
func netsOf(path string) []source {
	if _, err := os.Stat(path); err != nil || !strings.HasSuffix(path, ".safetensors") {
		return nil
	}
	return []source{{path: path, kind: netFile}}
}

// kindOf finds out what a file is: a net is named for its learning curve, too.
func kindOf(path string) (source, bool) {
	switch {
	case strings.HasSuffix(path, ".safetensors"):
		return source{path: path + curveSuffix, kind: curveFile}, true
	case filepath.Base(path) == grow.LogFile:
		return source{path: filepath.Dir(path), kind: grownRun}, true
	case strings.HasSuffix(path, ".jsonl"):
		return source{path: path, kind: curveFile}, true
	case dataset.IsDatabase(path):
		return source{path: path, kind: database}, true
	case bm.IsBenchmark(path):
		return source{path: path, kind: benchmark}, true
	}
	if is, err := filekind.Of(path); err == nil && strings.HasPrefix(is, "a net") {
		return source{path: path, kind: netFile}, true // of GNU Backgammon
	}
	return source{}, false
}

// sourcesIn lists what is to show right in a directory, but for links out of it.
func sourcesIn(dir string) ([]source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	var all []source
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if leadsOut(dir, path) {
			continue
		}
		if e.IsDir() && grow.IsRun(path) {
			all = append(all, source{path: path, kind: grownRun})
			all = append(all, netsOf(filepath.Join(path, grow.BestFile))...)
			continue
		}
		if !e.IsDir() {
			all = append(all, netsOf(path)...)
		}
		wanted := strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".parquet") ||
			strings.HasSuffix(path, ".bm") ||
			e.IsDir() && dataset.IsDatabase(path)
		if s, ok := kindOf(path); ok && wanted {
			all = append(all, s)
		}
	}
	return all, nil
}

// leadsOut reports whether a path in a directory is a link to elsewhere, or a directory
// with such a link in it.
func leadsOut(dir, path string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	inside := func(path string) bool {
		to, err := filepath.EvalSymlinks(path)
		return err == nil && (to == real || strings.HasPrefix(to, real+string(filepath.Separator)))
	}
	if !inside(path) {
		return true
	}
	parts, _ := os.ReadDir(path) // none in a file
	return slices.ContainsFunc(parts, func(p os.DirEntry) bool {
		return p.Type()&os.ModeSymlink != 0 && !inside(filepath.Join(path, p.Name()))
	})
}

// name names the sources: by their base, or by the whole path where two share one.
func name(all []source) {
	count := map[string]int{}
	for i := range all {
		s := &all[i]
		if s.Name = filepath.Base(s.path); s.kind == grownRun {
			s.Name = grow.RunName(s.path)
		}
		count[s.Name]++
	}
	for i := range all {
		if count[all[i].Name] > 1 {
			all[i].Name = all[i].path
		}
	}
}

// watched lists the files that show whether a source has changed.
func (s *source) watched() []string {
	paths := []string{s.path}
	folder := ""
	switch s.kind {
	case database: // one under way is a directory that gains parts
		folder = s.path
	case grownRun: // its stages are directories that gain files
		paths = append(paths, filepath.Join(s.path, grow.LogFile))
		folder = filepath.Join(s.path, "stages")
	}
	if folder != "" {
		entries, _ := os.ReadDir(folder) // none in a single file
		for _, e := range entries {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths
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
