package main

import (
	"context"
	"fmt"
	"strconv"

	"bgtrain/data"
	"bgtrain/internal/nets"
	"bgtrain/internal/setting"
	"bgtrain/trainer"
)

func runNetTrim(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "net trim NET DB… -o NET2",
		`Leaves out the rectified hidden units that are 0 on many positions of databases. There
the outputs stay the same, and evaluations take less. The others are sorted, those that
are active together side by side, which makes evaluations in fixed point cheaper still.
Units that are 0 learn nothing any more; 'bgtrain train --revive' starts them anew
instead. Give databases with all kinds of positions: a unit may be for back games only.`,
		"bgtrain net trim deep.safetensors rolled/ -o trimmed.safetensors")
	out := f.StringP("output", "o", "", "net file to write")
	roles, trim := []nets.Role{nets.Contact, nets.Crashed, nets.Race}, trainer.TrimSettings{Rows: 100000}
	append(setting.List{{Name: "nets", To: &roles, Help: "nets to trim; the others stay as they are"}},
		trim.List()...).AddFlags(f)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() < 2 || *out == "" {
		return usagef("a net, one database or more, and -o NET2 expected")
	}
	player, err := data.OpenNet(f.Arg(0))
	if err != nil {
		return err
	}
	dbs, err := data.OpenDatabases(f.Args()[1:])
	if err != nil {
		return err
	}
	trimmed, idle, err := trainer.Trim(ctx, player, roles, dbs, trim.Rows, trim.Hidden)
	if err != nil {
		return err
	}
	for i := range idle {
		fmt.Fprintf(e.Stderr, "%s: of its hidden units %s are 0 on all of %d positions and left out\n", roles[i],
			&idle[i], idle[i].Rows)
	}
	trimmed.Provenance = map[string]string{"command": commandLine("net trim", f),
		"trimmedOn": trainer.NameData(f.Args()[1:]) + ", " + strconv.Itoa(trim.Rows) + " positions"}
	if err := nets.Write(*out, trimmed); err != nil {
		return err
	}
	return e.printNet(*out, trimmed, *asJSON)
}
