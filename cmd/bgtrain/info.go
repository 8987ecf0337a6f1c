package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"bgtrain/benchmark/bm"
	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/nets"
)

// describer describes the files of one kind.
type describer struct {
	match    func(path string) bool
	describe func(ctx context.Context, path string) (description, error)
}

// description is what info prints of a file; as JSON it is encoded as it is.
type description interface {
	WriteText(w io.Writer) error
}

// describers lists the kinds of files that info knows.
func describers() []describer {
	return []describer{
		{isEmbeddedNet, describeNet},
		{isDatabase, describeDatabase},
		{nets.IsNet, describeNet},
		{bm.IsBenchmark, describeBenchmark},
	}
}

func runInfo(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "info FILE… [--json]",
		"Says what is in a net (or an embedded one: td, fast, default, gnubg-size, gnubg-wide), a rollout\ndatabase or a "+
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
		d, err := describeFile(ctx, path)
		if err != nil {
			return err
		}
		if *asJSON {
			err = json.NewEncoder(e.Stdout).Encode(d)
		} else {
			err = writeFolded(e.Stdout, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func describeFile(ctx context.Context, path string) (description, error) {
	for _, d := range describers() {
		if d.match(path) {
			return d.describe(ctx, path)
		}
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s: neither a net, nor a rollout database, nor a benchmark file", path)
}

func isEmbeddedNet(name string) bool {
	_, ok, _ := data.Net(name)
	return ok
}

// netDescription is a net file's description with its name.
type netDescription struct {
	Path string `json:"path"`
	nets.Description
}

func (d netDescription) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %v", d.Path, d.Description)
	return err
}

func describeNet(_ context.Context, path string) (description, error) {
	f, err := openNet(path)
	if err != nil {
		return nil, err
	}
	return netDescription{path, f.Describe()}, nil
}

func describeDatabase(ctx context.Context, path string) (description, error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	return dataset.Describe(ctx, db)
}

func describeBenchmark(_ context.Context, path string) (description, error) {
	f, err := bm.ReadFile(path, bm.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return f.Describe(), nil
}
