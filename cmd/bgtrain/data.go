package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"bgtrain/data"
	"bgtrain/internal/atomicfile"
)

// embeddedFile is a file that ships inside the program.
type embeddedFile struct {
	Name  string `json:"name"` // with its folder: nets/td.safetensors
	Bytes int64  `json:"bytes"`
	What  string `json:"what"`
}

// whatIsEmbedded says how commands name the files of a folder.
var whatIsEmbedded = map[string]string{
	"nets":             "net, as --net %s",
	embeddedDatabases:  "the database embedded",
	embeddedBenchmarks: "what score and report take",
}

// embeddedFiles lists what ships inside the program.
func embeddedFiles() ([]embeddedFile, error) {
	var list []embeddedFile
	err := fs.WalkDir(data.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		what := whatIsEmbedded[path.Dir(name)]
		if path.Dir(name) == "nets" {
			base := path.Base(name)
			what = fmt.Sprintf(what, base[:len(base)-len(path.Ext(base))])
		}
		list = append(list, embeddedFile{name, info.Size(), what})
		return nil
	})
	return list, err
}

// runData is the command data.
func runData(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "data [NAME…] [-o DIR]",
		"Lists the nets, databases and benchmark files that are inside the program, or writes those named into a "+
			"directory. A NAME is that of the list, with or without its folder.",
		"bgtrain data contact.bm train.parquet -o examples/")
	dir := f.StringP("output", "o", "", "directory to write to; without it the current one")
	all := f.Bool("all", false, "write all of them")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	list, err := embeddedFiles()
	if err != nil {
		return err
	}
	write := *all || f.NArg() > 0
	if *dir != "" && !write {
		return usagef("-o %s: name the files to write, or --all", *dir)
	}
	if f.NArg() > 0 {
		if list, err = chosen(list, f.Args()); err != nil {
			return err
		}
	}
	if write {
		if err := writeEmbedded(list, *dir); err != nil {
			return err
		}
	}
	for _, file := range list {
		switch {
		case *asJSON:
			err = json.NewEncoder(e.Stdout).Encode(file)
		case write:
			_, err = fmt.Fprintln(e.Stdout, filepath.Join(*dir, path.Base(file.Name)))
		default:
			_, err = fmt.Fprintf(e.Stdout, "%-32s %8.1f KiB  %s\n", file.Name, float64(file.Bytes)/1024, file.What)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// chosen returns the files of some names.
func chosen(list []embeddedFile, names []string) ([]embeddedFile, error) {
	var out []embeddedFile
	for _, name := range names {
		i := slices.IndexFunc(list, func(f embeddedFile) bool { return f.Name == name || path.Base(f.Name) == name })
		if i < 0 {
			return nil, fmt.Errorf("no embedded file %q: 'bgtrain data' lists them", name)
		}
		out = append(out, list[i])
	}
	return out, nil
}

// writeEmbedded writes embedded files into a directory. A file that is there
// already with other content is left alone.
func writeEmbedded(list []embeddedFile, dir string) error {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for _, file := range list {
		content, err := fs.ReadFile(data.Files(), file.Name)
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
