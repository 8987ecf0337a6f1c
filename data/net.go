package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
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
	var sets []*nets.Set
	for _, one := range strings.Split(name, "+") {
		set, err := OpenNet(one)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return nets.Mean(sets...), nil
}

// OpenNet reads an embedded net, or else a net file.
func OpenNet(name string) (*nets.Set, error) {
	if f, ok, err := Net(name); ok || err != nil {
		return f, err
	}
	f, err := nets.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if strings.Contains(name, "+") && allOpen(strings.Split(name, "+")) {
			return nil, fmt.Errorf("%s: one player is needed here, not the mean of several", name)
		}
		return nil, fmt.Errorf("%w, and no embedded net has that name (%s)%s", missing(name, err),
			NetList(), near.Ask(name, "", NetNames()))
	case err != nil:
		return nil, fmt.Errorf("read net: %w", err)
	}
	return f, nil
}

// allOpen reports whether OpenNet opens all.
func allOpen(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, err := OpenNet(name)
		return err != nil
	})
}
