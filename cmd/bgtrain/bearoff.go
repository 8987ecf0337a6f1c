package main

import (
	"context"

	"bgtrain/internal/bearoff"
)

// openBearoff opens the bearoff databases, and shows how far it is where one has to
// be computed first.
func openBearoff(ctx context.Context, e *env, oneSided, twoSided int) (*bearoff.DB, error) {
	p := newProgress(e, 0, "bearoff positions")
	defer p.end()
	return bearoff.Open(ctx, bearoff.Options{OneSidedPoints: oneSided, TwoSidedCheckers: twoSided, Progress: p.Set})
}

func runBearoff(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "bearoff [flags]",
		"Computes bearoff databases ahead of the commands that ask for them, and lists them: the kind, points, "+
			"checkers and positions of a side, size, file. They stay in the user's cache directory. The one-sided one "+
			"of 10 points and the two-sided one of 11 checkers take some minutes; interrupted, the same command goes on.",
		"bgtrain bearoff --one-sided 10 --two-sided 11")
	var oneSided, twoSided int
	bearoff.Settings(&oneSided, &twoSided).AddFlags(f)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return usagef("no arguments expected: %q", f.Arg(0))
	}
	db, err := openBearoff(ctx, e, oneSided, twoSided)
	if err != nil {
		return err
	}
	for _, file := range db.Files() {
		if err := e.printf(file, *asJSON, "%s  %2d points  %2d checkers  %9d positions  %7.1f MB\n  %s\n", file.Kind,
			file.Points, file.Checkers, file.Positions, float64(file.Bytes)/1e6, file.Path); err != nil {
			return err
		}
	}
	return nil
}
