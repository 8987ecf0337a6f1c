package main

import (
	"context"
	"fmt"
	"strconv"

	"bgtrain/internal/nets"
	"bgtrain/trainer"
)

// runNetTrim is the command net trim.
func runNetTrim(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "net trim NET DB… -o NET2",
		`Leaves out the rectified hidden units that are 0 on many positions of databases. There
the outputs stay the same, and evaluations take less. The others are sorted, those that
are active together side by side, which makes evaluations in fixed point cheaper still.
Units that are 0 learn nothing any more; 'bgtrain train --revive' starts them anew
instead. Give databases with all kinds of positions: a unit may be for back games only.`,
		"bgtrain net trim deep.safetensors rolled/ -o trimmed.safetensors")
	out := f.StringP("output", "o", "", "net file to write")
	names := f.StringSlice("nets", []string{"contact", "crashed", "race"}, "nets to trim; the others stay as they are")
	rows := f.Int("rows", 100000, "positions of its class, spread over the databases, on which a unit is looked at")
	hidden := f.IntSlice("hidden", nil,
		"units of each hidden layer that may be left: those that give the next layer least go too, and the outputs change")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case f.NArg() < 2 || *out == "":
		return usagef("a net, one database or more, and -o NET2 expected")
	case *rows < 1:
		return usagef("--rows %d: 1 or more expected", *rows)
	}
	player, err := openNet(f.Arg(0))
	if err != nil {
		return err
	}
	dbs, err := openDatabases(f.Args()[1:])
	if err != nil {
		return err
	}
	var roles []nets.Role
	for _, name := range *names {
		roles = append(roles, nets.Role(name))
	}
	trimmed, idle, err := trainer.Trim(ctx, player, roles, dbs, *rows, *hidden)
	if err != nil {
		return err
	}
	for i := range idle {
		fmt.Fprintf(e.Stderr, "%s: of its hidden units %s are 0 on all of %d positions and left out\n", roles[i],
			describeIdle(&idle[i]), idle[i].Rows)
	}
	trimmed.Provenance = map[string]string{"command": commandLine("net trim", f),
		"trimmedOn": trainer.NameData(f.Args()[1:]) + ", " + strconv.Itoa(*rows) + " positions"}
	if err := nets.Write(*out, trimmed); err != nil {
		return err
	}
	return printNet(e, *out, trimmed, *asJSON)
}
