package data

import (
	"bgtrain/internal/filekind"
	"bgtrain/internal/near"
	"errors"
	"fmt"
	"io/fs"

	"bgtrain/internal/nets"
)

// missing returns the error of a net that is not there, with what a run left that was to
// write it.
func missing(name string, err error) error {
	if _, left := filekind.Of(name); left != nil {
		return left
	}
	return err
}

// OpenNet reads an embedded net, or else a net file.
func OpenNet(name string) (*nets.Set, error) {
	if f, ok, err := Net(name); ok || err != nil {
		return f, err
	}
	f, err := nets.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w, and no embedded net has that name (%s)%s", missing(name, err),
			NetList(), near.Ask(name, "", NetNames()))
	case err != nil:
		return nil, fmt.Errorf("read net: %w", err)
	}
	return f, nil
}
