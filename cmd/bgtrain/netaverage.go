package main

import (
	"context"

	"bgtrain/internal/nets"
)

// runNetAverage is the command net average.
func runNetAverage(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "net average NET OTHER -o NET2",
		"Moves the weights of nets towards those of others of the same shape, trained from them:\nbetween the two "+
			"is less noise of the labels than in the new one.",
		"bgtrain net average before.safetensors trained.safetensors --share 0.5 -o between.safetensors")
	out := f.StringP("output", "o", "", "net file to write")
	share := f.Float64("share", 0.5, "how far: 0 is NET, 1 is OTHER")
	names := f.StringSlice("nets", []string{"contact", "crashed", "race"}, "nets to move; the others stay those of NET")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case f.NArg() != 2 || *out == "":
		return usagef("two nets and -o NET2 expected")
	case !(*share >= 0 && *share <= 1):
		return usagef("--share %v: 0 to 1 expected", *share)
	}
	var players [2]*nets.Set
	for i := range players {
		var err error
		if players[i], err = openNet(f.Arg(i)); err != nil {
			return err
		}
	}
	var roles []nets.Role
	for _, name := range *names {
		roles = append(roles, nets.Role(name))
	}
	mean, err := nets.Average(players[0], players[1], *share, roles...)
	if err != nil {
		return err
	}
	mean.Provenance = map[string]string{"command": commandLine("net average", f)}
	if err := nets.Write(*out, mean); err != nil {
		return err
	}
	return printNet(e, *out, mean, *asJSON)
}
