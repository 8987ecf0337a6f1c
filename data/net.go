package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"bgtrain/internal/filekind"
	"bgtrain/internal/near"
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

// OpenMean is OpenNet, but for names with + between them: then it returns their nets.Mean.
func OpenMean(name string) (*nets.Set, error) {
	if _, err := os.Stat(name); err == nil || !strings.Contains(name, "+") {
		return OpenNet(name)
	}
	sets, err := openAll(strings.Split(name, "+"))
	if err != nil {
		return nil, err
	}
	return nets.Mean(sets...), nil
}

// openAll opens each by OpenNet.
func openAll(names []string) ([]*nets.Set, error) {
	var sets []*nets.Set
	for _, name := range names {
		set, err := OpenNet(name)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// OpenNet reads an embedded net, or else a net file.
func OpenNet(name string) (*nets.Set, error) {
	if f, ok, err := Net(name); ok || err != nil {
		return f, err
	}
	f, err := nets.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if parts := strings.Split(name, "+"); len(parts) > 1 {
			if _, err := openAll(parts); err == nil {
				return nil, fmt.Errorf("%s: one player is needed here, not the mean of several", name)
			}
		}
		return nil, fmt.Errorf("%w, and no embedded net has that name (%s)%s", missing(name, err),
			NetList(), near.Ask(name, "", NetNames()))
	case err != nil:
		return nil, fmt.Errorf("read net: %w", err)
	}
	return f, nil
}
