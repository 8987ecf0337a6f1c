package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/report"
	"bgtrain/internal/atomicfile"
)

// reportOptions are the flags of report.
type reportOptions struct {
	contestantFlags
	net     string
	against []string
	files   []string
	curves  []string
	db      string
	out     string

	worstFile string
	command   string
	title     string
	worst     int
	workers   int
	skipBad   bool
	json      bool
}

func runReport(ctx context.Context, e *env, args []string) error {
	var o reportOptions
	f := newFlags(e, "report [flags] [NET|FILE…] -o FILE.html",
		"Writes all that is known of a net as one HTML file that needs nothing else: error\nrates on benchmark "+
			"files beside other players', the worst decisions of each class\ndrawn as boards, calibration of the "+
			"outputs, learning curves, the nets and where they\ncome from, and what is in the training "+
			"database. Without benchmark files it uses\nthose that ship with the program.\n\nA NET or FILE "+
			"may be named without its flag, what it is goes by its content: nets, the\nfirst of them "+
			"the one the page is about, benchmark files, learning curves (.jsonl), a\ndatabase. Of "+
			"learning curves alone the page shows nothing else.\n\n"+contestantHelp,
		"bgtrain report --net my.safetensors --against default --against pubeval \\\n    --bm contact.bm --bm "+
			"race.bm --curve my.safetensors.curve.jsonl --db rolled.parquet -o report.html")
	f.StringVar(&o.net, "net", "default",
		"the net the page is about: net file or embedded net (td, fast, default, gnubg-size, gnubg-wide)")
	f.StringArrayVar(&o.against, "against", nil, "another player beside it; may be given again")
	f.StringArrayVar(&o.files, "bm", nil, "benchmark file; may be given again")
	f.StringArrayVar(&o.curves, "curve", nil, "learning curve of td or train (.jsonl); may be given again")
	f.StringVar(&o.db, "db", "", "training database to describe, and to compare its outputs with the nets': a "+
		"file, a directory, or embedded")
	f.StringVarP(&o.out, "output", "o", "", "the page to write")
	f.StringVar(&o.worstFile, "worst-file", "", "also write the decisions that are drawn, as a benchmark file")
	f.StringVar(&o.title, "title", "", "title of the page; without it one that names the net")
	f.IntVar(&o.worst, "worst", 20, "worst decisions of each class to draw")
	o.contestantFlags.add(f)
	addWorkersFlag(f, &o.workers)
	f.BoolVar(&o.json, "json", false, "print the names of what was written as JSON")
	f.BoolVar(&o.skipBad, "skip-bad", false, "leave bad benchmark records out and say how many")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case o.out == "":
		return usagef("no page named: -o FILE.html")
	case o.worst < 0:
		return usagef("--worst %d: 0 or more expected", o.worst)
	}
	if err := o.sort(f.Args(), f.Changed("net")); err != nil {
		return err
	}
	o.command = "bgtrain report"
	for _, a := range args {
		o.command += " " + quote(a)
	}
	return o.write(ctx, e)
}

// sort puts what was named without a flag to where its content belongs.
func (o *reportOptions) sort(names []string, haveNet bool) error {
	var nets []string
	for _, name := range names {
		switch {
		case strings.HasSuffix(name, ".jsonl"):
			o.curves = append(o.curves, name)
		case isDatabase(name):
			if o.db != "" {
				return usagef("%s: one database expected, %s is given already", name, o.db)
			}
			o.db = name
		case bm.IsBenchmark(name):
			o.files = append(o.files, name)
		default: // opening it says what is wrong with one that is no player
			nets = append(nets, name)
		}
	}
	if len(nets) > 0 && !haveNet {
		o.net, nets, haveNet = nets[0], nets[1:], true
	}
	o.against = append(o.against, nets...)
	if !haveNet && len(o.curves) > 0 && len(o.files) == 0 && len(o.against) == 0 && o.db == "" {
		o.net = "" // curves and nothing else
	}
	return nil
}

// write makes the page.
func (o *reportOptions) write(ctx context.Context, e *env) error {
	in := &report.Input{Title: o.title, Made: time.Now(), Command: o.command, Worst: o.worst}
	if in.Title == "" {
		about := o.net
		if about == "" {
			about = strings.TrimSuffix(o.curves[0], ".curve.jsonl")
		}
		in.Title = "Report on " + strings.TrimSuffix(filepath.Base(about), ".safetensors")
	}
	// What is cheap to read and may be wrong comes before what takes time.
	for _, path := range o.curves {
		c, err := report.ReadCurve(path)
		if err != nil {
			return err
		}
		in.Curves = append(in.Curves, c)
	}
	var files []*bm.File
	if o.net != "" {
		var err error
		if files, err = readBenchmarks(e, o.files, o.skipBad); err != nil {
			return err
		}
	}
	ro := report.Options{Files: files, Workers: o.workers}
	if o.db != "" {
		var err error
		if ro.Database, err = openDatabase(o.db); err != nil {
			return err
		}
	}
	if o.net != "" {
		if err := o.addPlayers(ctx, e, in); err != nil {
			return err
		}
	}
	var bar *progress
	ro.Progress = func(stage string) func(done, total int) {
		bar.end()
		bar = newProgress(e, 0, "decisions")
		bar.Note(stage)
		return bar.Set
	}
	err := report.Collect(ctx, in, ro)
	bar.end()
	if err != nil {
		return err
	}
	if err := atomicfile.Write(o.out, func(w io.Writer) error { return report.Write(w, in) }); err != nil {
		return err
	}
	if o.worstFile != "" {
		if err := atomicfile.Write(o.worstFile, func(w io.Writer) error {
			return report.WriteWorst(w,
				in)
		}); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(struct {
			Output    string `json:"output"`
			WorstFile string `json:"worst_file,omitempty"`
		}{o.out, o.worstFile})
	}
	_, err = fmt.Fprintln(e.Stdout, o.out)
	return err
}

// addPlayers opens the players, and the files of their nets once more for what
// they say of themselves.
func (o *reportOptions) addPlayers(ctx context.Context, e *env, in *report.Input) error {
	shown := map[string]bool{}
	for _, name := range append([]string{o.net}, o.against...) {
		p, err := o.open(ctx, e, name, opponents.Equity)
		if err != nil {
			return err
		}
		in.Players = append(in.Players, p)
		base, _, err := splitPly(name, o.ply)
		if err != nil {
			return err
		}
		if netOf(p) == nil || shown[base] {
			continue
		}
		shown[base] = true
		f, err := openNet(base)
		if err != nil {
			return err
		}
		in.Nets = append(in.Nets, report.Net{Name: base, File: f})
	}
	return nil
}
