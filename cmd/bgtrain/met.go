package main

import (
	"context"
	"fmt"
	"strings"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
)

// metOptions are the flags of met.
type metOptions struct {
	cube.TableSettings
	compute bool
	against string
	output  string
	json    bool
}

func runMET(_ context.Context, e *env, args []string) error {
	o := metOptions{TableSettings: cube.TableDefaults}
	f := newFlags(e, "met [flags] [TABLE]",
		"Prints a match equity table, an embedded one ("+strings.Join(met.Names,
			", ")+") or a\nfile in GNU Backgammon's XML form; writes it in that form (-o); compares it with "+
			"another\n(--against). With --compute it is a table of its own, by recursion from the share "+
			"of\ngammons and a cube model.",
		"bgtrain met --compute --length 15 --against kazaross-xg2")
	f.BoolVar(&o.compute, "compute", false, "compute a table instead")
	o.List().AddFlags(f)
	f.StringVar(&o.against, "against", "", "compare with this table, score by score")
	f.StringVarP(&o.output, "output", "o", "", "write the table to this file, as GNU Backgammon reads it")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 1 || f.NArg() == 1 && o.compute {
		return usagef("one table expected, none with --compute")
	}
	for _, s := range o.List().Without("length") {
		if f.Changed(s.Name) && !o.compute {
			return usagef("--%s is of a computed table: --compute", s.Name)
		}
	}
	t, err := o.table(f.Arg(0))
	if err != nil {
		return err
	}
	return o.show(e, t)
}

// table reads or computes the table, and sets the length.
func (o *metOptions) table(name string) (t *met.Table, err error) {
	if !o.compute {
		if t, err = met.Open(name); err == nil && o.Length == 0 {
			o.Length = t.Length()
		}
	} else {
		if o.Length == 0 {
			o.Length = 15
		}
		if err := o.Check(); err != nil {
			return nil, usageError{err}
		}
		t, err = cube.NewTable(o.TableSettings)
	}
	return t, err
}

func (o *metOptions) show(e *env, t *met.Table) error {
	if o.output != "" {
		if err := atomicfile.Write(o.output, t.Write); err != nil {
			return fmt.Errorf("write %s: %w", o.output, err)
		}
	}
	s, err := t.Summary(o.Length, o.against)
	if err != nil {
		return err
	}
	return e.print(s, o.json)
}
