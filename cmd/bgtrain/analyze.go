package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/benchmark/analyze"
	"bgtrain/benchmark/score"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// analyzeOptions are the flags of analyze.
type analyzeOptions struct {
	analyze.Run
	player playerFlags
	worst  int
	json   bool
}

func runAnalyze(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "analyze FILE… [flags]",
		`Judges the players of recorded matches (.mat, .sgf, .xg, .xgp) by a net: performance and
error rates by game, class and plan, cube decisions, luck. With -o a page gets each decision
that cost something as a board and the course of the match. Of several matches, or a folder,
it prints a table over time; -o is then a directory, with index.html and a page a match.`,
		"bgtrain analyze final.xg --ply 2 --rollout 10 -o final.html")
	o := analyzeOptions{Run: analyze.Run{Settings: analyze.Defaults}, worst: 10}
	o.player.add(f)
	o.player.addFilters(f)
	o.List().AddFlags(f)
	f.StringVarP(&o.Out, "output", "o", "", "page to write, of several matches a directory of pages")
	setting.List{score.WorstSetting(&o.worst, "worst decisions of each player to list")}.AddFlags(f)
	f.BoolVar(&o.json, "json", false, "the result as JSON, a line a match")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("a match file expected, several, or a folder of them")
	}
	o.Net, o.Command = o.player.Net, commandLine("analyze", f)
	matches, err := o.read(f.Args())
	if err != nil {
		return err
	}
	if err := o.checkOut(len(matches) > 1, forced(f)); err != nil {
		return err
	}
	if o.Table, err = o.Table.OrDefault(); err != nil {
		return err
	}
	p, err := o.player.open(ctx, e)
	if err != nil {
		return err
	}
	if o.Rollouts > 0 {
		if o.Small, err = o.player.openSmall(p); err != nil {
			return err
		}
	}
	return o.analyze(ctx, e, p, matches)
}

// read reads the matches of files and folders, which --objective must suit.
func (o *analyzeOptions) read(args []string) ([]analyze.Named, error) {
	files, err := analyze.Files(args)
	if err != nil {
		return nil, err
	}
	var all []analyze.Named
	for _, path := range files {
		if format, err := matchfile.DetectFile(path); err == nil && format == matchfile.IDs {
			return nil, usagef("%s is a list of positions, not a match", path)
		}
		matches, err := matchfile.ReadAll(path)
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			if err := o.Check(m); err != nil {
				return nil, usagef("%s: %w", path, err)
			}
			all = append(all, analyze.Named{Path: path, Match: m})
		}
	}
	return all, nil
}

// checkOut checks that the output is a file for one match and a directory for several,
// which it makes.
func (o *analyzeOptions) checkOut(several, force bool) error {
	info, err := os.Stat(o.Out)
	switch {
	case o.Out == "":
		return nil
	case !several && err == nil && info.IsDir():
		return usagef("-o %s: the page of one match is a file, this is a directory", o.Out)
	case !several:
		return nil
	case strings.HasSuffix(o.Out, ".html"):
		return usagef("-o %s: the pages of several matches are a directory, to be named without .html", o.Out)
	}
	if _, err := os.Stat(filepath.Join(o.Out, analyze.IndexPage)); err == nil && !force {
		return fmt.Errorf("-o %s: %w", o.Out, errFinished)
	}
	if err := os.Mkdir(o.Out, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}

// analyze judges the matches, and prints the result and the name of the page.
func (o *analyzeOptions) analyze(ctx context.Context, e *env, p *player.Player, matches []analyze.Named) error {
	bars, page := &stages{e: e}, o.Out
	o.Progress = func(done, total int) { bars.set("actions", done, total) }
	o.Rolling = func(done, total int) { bars.set("decisions rolled out", done, total) }
	folder, err := o.Make(ctx, p, matches, func(path string, a *analyze.Analysis) error {
		bars.done()
		bars.bar = nil
		switch {
		case o.json:
			return json.NewEncoder(e.Stdout).Encode(a.Report(path, o.Net))
		case len(matches) == 1:
			return a.WriteText(e.Stdout, o.worst)
		}
		return nil
	})
	bars.done()
	if err != nil || o.json {
		return err
	}
	if len(matches) > 1 {
		if err := folder.WriteText(e.Stdout); err != nil {
			return err
		}
		page = filepath.Join(o.Out, analyze.IndexPage)
	}
	if o.Out != "" {
		_, err = fmt.Fprintln(e.Stdout, page)
	}
	return err
}
