package inspect

import (
	"bgtrain/internal/filekind"
	"bgtrain/internal/near"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"bgtrain/benchmark/bm"
	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/nets"
)

// describer describes the files of one kind.
type describer struct {
	match    func(path string) bool
	describe func(ctx context.Context, path string) (Description, error)
}

// Description is what is in a file; as JSON it is encoded as it is.
type Description interface {
	WriteText(w io.Writer) error
}

// describers are the kinds of files that Describe reads.
func describers() []describer {
	return []describer{
		{isEmbeddedNet, describeNet},
		{data.IsDatabase, describeDatabase},
		{nets.IsNet, describeNet},
		{bm.IsBenchmark, describeBenchmark},
	}
}

// Describe reads a whole file, a net or a database also by the name of an embedded one,
// and returns what is in it.
func Describe(ctx context.Context, path string) (Description, error) {
	for _, d := range describers() {
		if d.match(path) {
			return d.describe(ctx, path)
		}
	}
	is, err := filekind.Of(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w%s", err, near.Ask(path, "", data.NetNames()))
	case err != nil:
		return nil, err
	case is != "":
		return nil, fmt.Errorf("%s is %s; a net, a rollout database or a benchmark file expected", path, is)
	}
	return nil, fmt.Errorf("%s: neither a net, nor a rollout database, nor a benchmark file", path)
}

func isEmbeddedNet(name string) bool {
	_, ok, _ := data.Net(name)
	return ok
}

// NamedNet is a net file's description with its name.
type NamedNet struct {
	Path string `json:"path"`
	nets.Description
}

// WriteText writes the description for people.
func (d NamedNet) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %v", d.Path, d.Description)
	return err
}

func describeNet(_ context.Context, path string) (Description, error) {
	f, err := data.OpenNet(path)
	if err != nil {
		return nil, err
	}
	return NamedNet{path, f.Describe()}, nil
}

func describeDatabase(ctx context.Context, path string) (Description, error) {
	db, err := data.OpenDatabase(path)
	if err != nil {
		return nil, err
	}
	return dataset.Describe(ctx, db)
}

func describeBenchmark(_ context.Context, path string) (Description, error) {
	f, err := bm.ReadFile(path, bm.ReadOptions{})
	if err != nil {
		return nil, err
	}
	return f.Describe(), nil
}
