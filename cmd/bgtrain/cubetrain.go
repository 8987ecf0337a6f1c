package main

import (
	"context"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/internal/atomicfile"
	"bgtrain/trainer/cubelife"
)

func runCubeTrain(ctx context.Context, e *env, args []string) error {
	s := cubelife.Defaults
	var out string
	f := newFlags(e, "cube train [flags] DIR -o FILE.life",
		"Trains the nets of the cube model learned on the games of 'cube record --rolls' and\non the exact bearoff "+
			"database: what a position is worth is what the best plays of\nthe 21 rolls leave the opponent, who then "+
			"decides about the cube best by the nets\nso far. --cube learned=FILE.life takes the result.",
		"bgtrain cube train games -o my.life")
	f.StringVarP(&out, "output", "o", "", "file of the nets")
	s.List().AddFlags(f)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a directory of games", out, "FILE.life"); err != nil {
		return err
	}
	parts, err := cubestudy.Parts(f.Arg(0))
	if err != nil {
		return err
	}
	bar := newProgress(e, 1, "games")
	nets, report, err := cubelife.Train(ctx, parts, s, cubelife.Hooks{Progress: bar.Set})
	bar.end()
	if err != nil {
		return err
	}
	nets.Provenance["command"], nets.Provenance["version"] = commandLine("cube train", f), version()
	if err := atomicfile.Write(out, nets.Write); err != nil {
		return err
	}
	return e.print(report, *asJSON)
}
