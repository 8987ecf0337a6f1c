package main

import (
	"context"

	"bgtrain/benchmark/report"
)

func runReport(ctx context.Context, e *env, args []string) error {
	s := report.Defaults
	var c contestantFlags
	f := newFlags(e, "report [flags] [NET|FILE…] -o FILE.html",
		"Writes all that is known of a net as one HTML file that needs nothing else: error\nrates on benchmark "+
			"files beside other players', the worst decisions of each class\ndrawn as boards, calibration of the "+
			"outputs, how it was grown, learning curves, the nets\nand where they come from, and what is in the "+
			"training database. Without benchmark\nfiles it uses those that ship with the program.\n\nA NET or FILE "+
			"may be named without its flag, what it is goes by its content: nets, the\nfirst of them "+
			"the one the page is about, benchmark files, directories of grow, learning\ncurves (.jsonl), a "+
			"database. Of learning curves and runs of grow alone the page shows\nnothing else.\n\n"+contestantHelp,
		"bgtrain report --net my.safetensors --against default --against pubeval \\\n    --benchmark contact.bm "+
			"--benchmark race.bm --curve my.safetensors.curve.jsonl --db rolled.parquet -o report.html")
	s.List().AddFlags(f)
	c.add(e, f)
	asJSON := f.Bool("json", false, "print the names of what was written as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if s.Output == "" {
		return usagef("no page named: -o FILE.html")
	}
	if err := s.Sort(f.Args(), f.Changed("net")); err != nil {
		return usageError{err}
	}
	if s.Net == "" && len(s.Grown)+len(s.Curves) == 0 {
		return usagef("--net: a player expected")
	}
	for _, name := range append(s.Against, s.Net) {
		if _, err := c.parse(name); err != nil && name != "" {
			return err
		}
	}
	s.Command = "bgtrain report"
	for _, a := range args {
		s.Command += " " + quote(a)
	}
	stages := &stages{e: e}
	err := s.Make(ctx, &c.Opener, report.Hooks{Begin: stages.begin, Skipped: e.skipped})
	stages.end()
	if err != nil {
		return err
	}
	return e.printf(struct {
		Output string `json:"output"`
	}{s.Output}, *asJSON, "%s\n", s.Output)
}
