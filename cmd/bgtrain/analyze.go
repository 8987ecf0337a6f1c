package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/benchmark/analyze"
	"bgtrain/benchmark/score"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// analyzeOptions are the flags of analyze.
type analyzeOptions struct {
	analyze.Settings
	player  playerFlags
	out     string
	worst   int
	json    bool
	command string
}

// fileMatch is a match to analyze.
type fileMatch struct {
	path  string
	match *matchfile.Match
}

func runAnalyze(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "analyze FILE… [flags]",
		`Judges the players of recorded matches (.mat, .sgf, .xg, .xgp) by a net: performance and
error rates by game, class and plan, cube decisions, luck. With -o a page gets each decision
that cost something as a board and the course of the match. Of several matches, or a folder,
it prints a table over time; -o is then a directory, with index.html and a page a match.`,
		"bgtrain analyze final.xg --ply 2 --rollout 10 -o final.html")
	o := analyzeOptions{Settings: analyze.Defaults, worst: 10}
	o.player.add(f)
	o.player.addFilters(f)
	o.List().AddFlags(f)
	f.StringVarP(&o.out, "output", "o", "", "page to write, of several matches a directory of pages")
	setting.List{score.WorstSetting(&o.worst, "worst decisions of each player to list")}.AddFlags(f)
	f.BoolVar(&o.json, "json", false, "the result as JSON, a line a match")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("a match file expected, several, or a folder of them")
	}
	o.command = commandLine("analyze", f)
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
func (o *analyzeOptions) read(args []string) ([]fileMatch, error) {
	files, err := analyze.Files(args)
	if err != nil {
		return nil, err
	}
	var all []fileMatch
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
			all = append(all, fileMatch{path, m})
		}
	}
	return all, nil
}

// checkOut checks that the output is a file for one match and a directory for several,
// which it makes.
func (o *analyzeOptions) checkOut(several, force bool) error {
	info, err := os.Stat(o.out)
	switch {
	case o.out == "":
		return nil
	case !several && err == nil && info.IsDir():
		return usagef("-o %s: the page of one match is a file, this is a directory", o.out)
	case !several:
		return nil
	case strings.HasSuffix(o.out, ".html"):
		return usagef("-o %s: the pages of several matches are a directory, to be named without .html", o.out)
	}
	if _, err := os.Stat(filepath.Join(o.out, "index.html")); err == nil && !force {
		return fmt.Errorf("-o %s: %w", o.out, errFinished)
	}
	if err := os.Mkdir(o.out, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}

// analyze judges the matches, prints the result and writes the pages.
func (o *analyzeOptions) analyze(ctx context.Context, e *env, p *player.Player, matches []fileMatch) error {
	var folder []analyze.Entry
	names := map[string]bool{"index.html": true}
	for _, m := range matches {
		stages := &stages{e: e}
		o.Progress = func(done, total int) { stages.set("actions", done, total) }
		o.Rolling = func(done, total int) { stages.set("decisions rolled out", done, total) }
		a, err := analyze.Match(ctx, p, m.match, o.Settings)
		stages.done()
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		page := ""
		if len(matches) > 1 {
			page = analyze.PageName(m.path, names)
		}
		if err := o.print(e, m.path, page, a, len(matches) == 1); err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		if o.out == "" {
			page = ""
		}
		folder = append(folder, a.Entry(m.path, page))
	}
	if len(matches) == 1 {
		return nil
	}
	return o.printFolder(e, analyze.NewFolder(folder))
}

// print prints the analysis of one match, alone or as one of several, and writes its page.
func (o *analyzeOptions) print(e *env, path, page string, a *analyze.Analysis, alone bool) error {
	var err error
	switch {
	case o.json:
		err = json.NewEncoder(e.Stdout).Encode(a.Report(path, o.player.Net))
	case alone:
		err = a.WriteText(e.Stdout, o.worst)
	}
	if err != nil || o.out == "" {
		return err
	}
	to, index := o.out, ""
	if !alone {
		to, index = filepath.Join(o.out, page), "index.html"
	}
	err = atomicfile.Write(to, func(w io.Writer) error {
		return a.WritePage(w, path, o.player.Net, o.command, index)
	})
	if err != nil || !alone || o.json {
		return err
	}
	_, err = fmt.Fprintln(e.Stdout, to)
	return err
}

// printFolder prints several matches, and writes the page that lists them.
func (o *analyzeOptions) printFolder(e *env, folder analyze.Folder) error {
	if !o.json {
		if err := folder.WriteText(e.Stdout); err != nil {
			return err
		}
	}
	if o.out == "" {
		return nil
	}
	index := filepath.Join(o.out, "index.html")
	err := atomicfile.Write(index, func(w io.Writer) error { return folder.WritePage(w, o.command) })
	if err != nil || o.json {
		return err
	}
	_, err = fmt.Fprintln(e.Stdout, index)
	return err
}
