package main

import (
	"context"

	"bgtrain/data"
	"bgtrain/internal/inspect"
)

func runInfo(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "info FILE… [--json]",
		"Says what is in a net (or an embedded one: "+data.NetList()+"),\na rollout database or a "+
			"benchmark file. It reads the whole file and so finds damage.",
		"bgtrain info default")
	asJSON := f.Bool("json", false, "one JSON object a file")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("no file given")
	}
	for _, path := range f.Args() {
		d, err := inspect.Describe(ctx, path)
		if err != nil {
			return err
		}
		if err := e.printFolded(d, *asJSON); err != nil {
			return err
		}
	}
	return nil
}
