package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// outputFlags name what a command writes.
var outputFlags = []string{"output", "losses", "curve", "plot", "log", "decisions", "checkpoint", "worst-file"}

// checkOutputs finds out, before anything is done, whether there is a directory
// for each file that a command is to write. None is made for a file: a name that
// was mistyped should not be one. Commands that write a directory make that.
func checkOutputs(f *pflag.FlagSet) (err error) {
	f.Visit(func(flag *pflag.Flag) {
		if err == nil && slices.Contains(outputFlags, flag.Name) && flag.Value.Type() == "string" {
			err = checkOutput(flag.Value.String())
			if err != nil {
				err = fmt.Errorf("--%s %s: %w", flag.Name, flag.Value, err)
			}
		}
	})
	return err
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
