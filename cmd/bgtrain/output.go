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

	"bgtrain/internal/atomicfile"

	"github.com/spf13/pflag"
)

// outputFlags name what a command writes.
var outputFlags = []string{"output", "losses", "curve", "plot", "log", "decisions", "checkpoint", "worst-file"}

// notInputs are flags whose values are no files to read, although a file may have
// such a name.
var notInputs = []string{"title", "source", "data", "format", "class", "key", "listen"}

// checkOutputs finds out, before anything is done, whether a command may write its
// files, and locks them until the command ends:
//
//   - there is a directory for each file. None is made for a file: a name that was
//     mistyped should not be one. Commands that write a directory make that.
//   - no output is an input, or another output, or inside one.
//   - no output takes the place of a file of another kind.
//   - no other process is writing it.
func checkOutputs(e *env, f *pflag.FlagSet) error {
	inputs := f.Args()
	outputs := map[string]string{} // by flag
	f.Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		switch {
		case slices.Contains(outputFlags, flag.Name) && flag.Value.Type() == "string":
			if value != "" && value != "-" {
				outputs[flag.Name] = value
			}
		case slices.Contains(notInputs, flag.Name):
		case strings.HasPrefix(flag.Value.Type(), "string"):
			if list, ok := flag.Value.(pflag.SliceValue); ok {
				inputs = append(inputs, list.GetSlice()...)
			} else {
				inputs = append(inputs, value)
			}
		}
	})
	command, _, _ := strings.Cut(f.Name(), " ")
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		path := outputs[name]
		others := inputs
		for other, p := range outputs {
			if other != name {
				others = append(slices.Clip(others), p)
			}
		}
		if command == "data" || name == "checkpoint" { // a directory to write into, the beginning of a name
			others = nil
		}
		err := checkOutput(path)
		if err == nil && path == embeddedName {
			err = fmt.Errorf("this is the name of the database inside the program: ./%s is a file", path)
		}
		if err == nil && arrowName(path) && slices.Contains(expectedKinds(f.Name(), name), databaseKind) {
			err = fmt.Errorf("a database is Parquet: 'bgtrain export' makes Arrow of one")
		}
		if err == nil {
			err = checkOverlap(path, others)
		}
		if err == nil && others != nil {
			err = checkKind(path, expectedKinds(f.Name(), name))
		}
		if err != nil {
			return fmt.Errorf("--%s %s: %w", name, path, err)
		}
		if name == "output" && command != "data" {
			if err := e.lock(path, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// lock locks an output until the command ends. Shards of one directory are outputs
// of their own.
func (e *env) lock(path string, f *pflag.FlagSet) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil // such as /dev/null
	}
	path = strings.TrimRight(path, "/")
	if shard := f.Lookup("shard"); shard != nil && shard.Changed {
		path += ".shard-" + strings.ReplaceAll(shard.Value.String(), "/", "-of-")
	}
	unlock, err := atomicfile.Lock(path)
	if err == nil {
		e.unlock = append(e.unlock, unlock)
	}
	return err
}

// release unlocks the outputs.
func (e *env) release() {
	for _, unlock := range e.unlock {
		unlock()
	}
	e.unlock = nil
}

// checkOverlap returns an error where an output is one of the other files, is in
// one that is a directory, or is a directory with one in it.
func checkOverlap(output string, others []string) error {
	for _, other := range others {
		if other == "" || other == "-" {
			continue
		}
		if a, b := realPath(output), realPath(other); a == b || inside(a, b) || inside(b, a) {
			if _, err := os.Stat(other); a == b || err == nil {
				return fmt.Errorf("the command also reads or writes %s: choose another name", other)
			}
		}
	}
	return nil
}

// realPath returns the absolute path of a file without symbolic links, also of one
// that is not there yet.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return path
}

// inside tells whether path is below the directory dir.
func inside(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimRight(dir, string(filepath.Separator))+string(filepath.Separator))
	return ok && rest != ""
}

// expectedKinds are the kinds of files that the output of a command may replace,
// as validate names them.
func expectedKinds(usage, flag string) []string {
	words := strings.Fields(usage)
	switch {
	case flag == "losses":
		return []string{textKind} // the lines of its own look like it
	case flag == "decisions" || flag == "worst-file" || words[0] == "makebm":
		return []string{benchmarkKind}
	case flag != "output":
		return nil
	}
	switch words[0] {
	case "import", "merge", "generate", "rollout", "label":
		return []string{databaseKind}
	case "td", "train", "net":
		return []string{netKind}
	case "export":
		return []string{textKind, arrowKind}
	case "encode":
		return []string{arrowKind}
	}
	return nil
}

// checkKind returns an error where path is a file that the program knows, of none
// of the kinds expected.
func checkKind(path string, expected []string) error {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() && info.Size() == 0 ||
		!info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	for _, v := range validators() {
		if v.match(path) {
			if slices.Contains(expected, v.kind) {
				return nil
			}
			return fmt.Errorf("there is a file of another kind (%s): remove it, or choose another name", v.kind)
		}
	}
	return nil
}

func checkOutput(path string) error {
	if path == "" || path == "-" {
		return nil
	}
	dir := filepath.Dir(strings.TrimRight(filepath.ToSlash(path), "/"))
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no directory %s", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	return nil
}
