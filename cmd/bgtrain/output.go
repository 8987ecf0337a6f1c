package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/data"
	"bgtrain/dataset/arrowfile"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/filekind"
	"bgtrain/internal/inspect"

	"github.com/spf13/pflag"
)

// outputFlags name what a command writes.
var outputFlags = []string{"output", "losses", "curve", "plot", "log", "decisions", "checkpoint", "svg", "save"}

// resultFlags name the results among them, which are replaced with --force only. The others
// go along with a result, or are gone on with.
var resultFlags = []string{"output", "losses", "decisions", "svg"}

// goOn are commands whose output is a directory that they go on in, or that have a rule of
// their own for results that are there.
var goOn = []string{"grow", "cube record", "farm key"}

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
//   - no finished result is replaced without --force.
//   - it can be written: a file can be made where it will be.
//   - no other process is writing it.
func checkOutputs(e *env, f *pflag.FlagSet) error {
	inputs, outputs := files(f)
	usage := f.Name()
	if with := f.Lookup("cube"); strings.HasPrefix(usage, "rollout ") && with.Changed && with.Value.String() != "none" {
		usage = rolloutCube
	}
	command, _, _ := strings.Cut(usage, " ")
	force := forced(f)
	if command == "grow" {
		inputs = slices.DeleteFunc(slices.Clone(inputs), data.IsEmbeddedRecipe)
	}
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
		kinds := expectedKinds(usage, name)
		if command == "import" && name == "output" && slices.ContainsFunc(inputs, bm.IsJudged) {
			kinds = []string{inspect.Benchmark}
		}
		if err := checkOutput(path, others, kinds); err != nil {
			return fmt.Errorf("--%s %s: %w", name, path, err)
		}
		if name == "output" && command != "data" {
			if err := e.lock(path, f); err != nil {
				return err
			}
		}
		if command == "data" || name == "checkpoint" {
			continue
		}
		if err := atomicfile.CheckWritable(path, makesFile(usage, name), slices.Contains(wholeDirs, command)); err != nil {
			return fmt.Errorf("--%s %s: %w", name, path, err)
		}
		result := slices.Contains(resultFlags, name) && !slices.Contains(goOn, commandName(f))
		if result && !replaceable(usage, path, force) {
			return fmt.Errorf("--%s %s: %w", name, path, errFinished)
		}
	}
	return nil
}

// rolloutCube stands for the usage of rollout where it writes results, not a database.
const rolloutCube = "rollout--cube"

// addForce adds the flag --force to a command that writes a result.
func addForce(f *pflag.FlagSet) {
	if !writesResult(f) || f.Lookup("force") != nil {
		return
	}
	f.Bool("force", false, "replace a finished result")
	if out := f.Lookup("output"); out != nil && out.Annotations[sectionKey] != nil {
		section(f, out.Annotations[sectionKey][0], "force")
	}
}

// writesResult reports whether a command has a flag for a result that it may replace.
func writesResult(f *pflag.FlagSet) bool {
	return !slices.Contains(goOn, commandName(f)) && commandName(f) != "data" &&
		slices.ContainsFunc(resultFlags, func(name string) bool { return f.Lookup(name) != nil })
}

// commandName is the name of a command with that of its subcommand.
func commandName(f *pflag.FlagSet) string {
	words := strings.Fields(f.Name())
	if len(words) > 1 && slices.Contains([]string{"net", "cube", "farm"}, words[0]) {
		return words[0] + " " + words[1]
	}
	return words[0]
}

// forced reports whether a finished result may be replaced.
func forced(f *pflag.FlagSet) bool {
	flag := f.Lookup("force")
	return flag == nil || flag.Value.String() == "true"
}

// errFinished is the error of an output that is there.
var errFinished = errors.New("it is there already: --force replaces it, or choose another name")

// replaceable reports whether an output may be made: it is no finished result, or the command
// goes on with what is there.
func replaceable(usage, path string, force bool) bool {
	switch command, _, _ := strings.Cut(usage, " "); command {
	case "rollout", "label": // where it is the same run, all is done
		return true
	case "analyze": // looks for its pages
		info, err := os.Stat(path)
		force = force || err == nil && info.IsDir()
	}
	return force || !filekind.Finished(path)
}

// makesFile reports whether an output is always one file, never a directory.
func makesFile(usage, flag string) bool {
	words := strings.Fields(usage)
	if flag != "output" {
		return flag != "save"
	}
	switch words[0] {
	case "td", "train", "renew", "makebm", "report", "export", "met", rolloutCube:
		return true
	case "net":
		return len(words) > 1 && words[1] != "export"
	}
	return false
}

// wholeDirs are commands that make a directory as a whole, where there is none or an empty one.
var wholeDirs = []string{"import", "merge", "encode"}

// files returns what a command reads, and what it writes by the name of the flag.
func files(f *pflag.FlagSet) (inputs []string, outputs map[string]string) {
	inputs, outputs = f.Args(), map[string]string{}
	f.Visit(func(flag *pflag.Flag) {
		value := flag.Value.String()
		switch {
		case slices.Contains(outputFlags, flag.Name) && flag.Value.Type() == "string":
			if value != "" && value != "-" {
				outputs[flag.Name] = value
			}
		case slices.Contains(notInputs, flag.Name) || !strings.HasPrefix(flag.Value.Type(), "string"):
		default:
			if list, ok := flag.Value.(pflag.SliceValue); ok {
				inputs = append(inputs, list.GetSlice()...)
			} else {
				inputs = append(inputs, value)
			}
		}
	})
	return inputs, outputs
}

// checkOutput checks one output beside the command's other files, nil where these do not
// matter. It may take the place of files of some kinds.
func checkOutput(path string, others, kinds []string) error {
	if err := atomicfile.CheckFolder(path); err != nil {
		return err
	}
	switch {
	case path == data.Embedded:
		return fmt.Errorf("this is the name of the database inside the program: ./%s is a file", path)
	case arrowfile.Named(path) && slices.Equal(kinds, []string{inspect.Database}):
		return fmt.Errorf("a database is Parquet: 'bgtrain export' makes Arrow of one")
	case others == nil:
		return nil
	}
	if err := atomicfile.CheckOverlap(path, others); err != nil {
		return err
	}
	return inspect.CheckReplaced(path, kinds)
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

// expectedKinds are the kinds of files that the output of a command may replace,
// as validate names them.
func expectedKinds(usage, flag string) []string {
	words := strings.Fields(usage)
	switch {
	case flag == "losses":
		return []string{inspect.Text} // the lines of its own look like it
	case flag == "decisions" || words[0] == "makebm":
		return []string{inspect.Benchmark}
	case flag != "output":
		return nil
	}
	switch words[0] {
	case "import", "merge", "generate", "rollout", "label", "renew":
		return []string{inspect.Database}
	case "td", "train", "net":
		return []string{inspect.Net}
	case "export":
		return []string{inspect.Text, inspect.Database}
	case rolloutCube:
		return []string{inspect.Text}
	case "encode":
		return []string{inspect.Parquet}
	}
	return nil
}

// needOne reports which of the one argument and the output of a command is missing; both
// are named as in its usage.
func needOne(f *pflag.FlagSet, argument, output, name string) error {
	switch {
	case f.NArg() > 1:
		return usagef("%d arguments, one expected: %s", f.NArg(), argument)
	case f.NArg() == 0 && output == "":
		return usagef("%s and -o %s are missing", argument, name)
	case f.NArg() == 0:
		return usagef("%s is missing", argument)
	case output == "":
		return usagef("-o %s is missing: what to write", name)
	}
	return nil
}

// print prints a result, as a line of JSON or for people.
func (e *env) print(result inspect.Description, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(result)
	}
	return result.WriteText(e.Stdout)
}

// printf prints a result, as a line of JSON or as a text of its own for people.
func (e *env) printf(result any, asJSON bool, format string, args ...any) (err error) {
	if asJSON {
		return json.NewEncoder(e.Stdout).Encode(result)
	}
	_, err = fmt.Fprintf(e.Stdout, format, args...)
	return err
}

// printLines prints a list as lines of JSON.
func printLines[T any](e *env, list []T) error {
	enc := json.NewEncoder(e.Stdout)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}
