package data

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/near"
)

// File is a file that ships inside the program.
type File struct {
	Name  string `json:"name"` // with its folder: nets/td.safetensors
	Bytes int64  `json:"bytes"`
	What  string `json:"what"`
}

// whatIsEmbedded describes how commands name the files of a folder.
var whatIsEmbedded = map[string]string{
	"nets":     "net, as --net %s",
	"recipes":  "recipe, as grow %s",
	Databases:  "the database embedded",
	Benchmarks: "what score and report take",
	Curves:     "learning curve, as serve shows it",
}

// Shipped lists what ships inside the program.
func Shipped() ([]File, error) {
	var list []File
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		what := whatIsEmbedded[path.Dir(name)]
		if strings.Contains(what, "%s") {
			what = fmt.Sprintf(what, strings.TrimSuffix(path.Base(name), path.Ext(name)))
		}
		list = append(list, File{name, info.Size(), what})
		return nil
	})
	return list, err
}

// Choose returns the files of some names.
func Choose(list []File, names []string) ([]File, error) {
	var out []File
	for _, name := range names {
		i := slices.IndexFunc(list, func(f File) bool { return f.Name == name || path.Base(f.Name) == name })
		if i < 0 {
			var all []string
			for _, f := range list {
				all = append(all, path.Base(f.Name))
			}
			return nil, fmt.Errorf("no embedded file %q: 'bgtrain data' lists them%s", name, near.Ask(name, "", all))
		}
		out = append(out, list[i])
	}
	return out, nil
}

// Write writes embedded files into a directory. A file that is there
// already with other content is left alone.
func Write(list []File, dir string) error {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for _, file := range list {
		content, err := fs.ReadFile(files, file.Name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, path.Base(file.Name))
		if old, err := os.ReadFile(to); err == nil && string(old) != string(content) {
			return fmt.Errorf("%s is there already, and is another file", to)
		}
		if err := atomicfile.Write(to, func(w io.Writer) error { _, err := w.Write(content); return err }); err != nil {
			return err
		}
	}
	return nil
}
