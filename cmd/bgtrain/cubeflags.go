package main

import (
	"strings"

	"bgtrain/benchmark/cube/met"

	"github.com/spf13/pflag"
)

// addMETFlag adds --met; with is the flag that makes it of use.
func addMETFlag(f *pflag.FlagSet, name *string, with string) {
	f.StringVar(name, "met", "", "match equity table for "+with+": "+strings.Join(met.Names,
		", ")+" (the first without it), or a GNU Backgammon XML file")
}
