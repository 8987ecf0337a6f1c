package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

	"bgtrain/data"
)

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
	list, err := data.Shipped()
	if err != nil {
		return err
	}
	write := *all || f.NArg() > 0
	if *dir != "" && !write {
		return usagef("-o %s: name the files to write, or --all", *dir)
	}
	if f.NArg() > 0 {
		if list, err = data.Choose(list, f.Args()); err != nil {
			return err
		}
	}
	if write {
		if err := data.Write(list, *dir); err != nil {
			return err
		}
	}
	for _, file := range list {
		text := fmt.Sprintf("%-32s %8.1f KiB  %s", file.Name, float64(file.Bytes)/1024, file.What)
		if write {
			text = filepath.Join(*dir, path.Base(file.Name))
		}
		if err := e.printf(file, *asJSON, "%s\n", text); err != nil {
			return err
		}
	}
	return nil
}
