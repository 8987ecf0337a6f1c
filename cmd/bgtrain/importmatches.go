package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"bgtrain/benchmark/analyze"
	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/dataset/match"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
)

// matchFormat returns the format of match files among the names, match.Unknown
// where they are none. Both kinds in one command are wrong usage.
func matchFormat(format string, files []string) (match.Format, bool, error) {
	if format != "auto" {
		f := match.ParseFormat(format)
		return f, f != match.Unknown, nil
	}
	matches := 0
	for _, name := range files {
		f, err := match.DetectFile(name)
		if err != nil {
			return match.Unknown, false, fmt.Errorf("import: %w", err)
		}
		if f != match.Unknown {
			matches++
		}
	}
	if matches > 0 && matches < len(files) {
		return match.Unknown, false, usagef("matches and positions with outputs in one command: import them one " +
			"after the other, or name the --format")
	}
	return match.Unknown, matches > 0, nil
}

// importOptions are the flags of import.
type importOptions struct {
	out, format, source string
	skipBad, json       bool
	decisions           string
	player              playerFlags
}

// importMatches imports match files.
func importMatches(ctx context.Context, e *env, o *importOptions, format match.Format, files []string,
	command string) error {
	mo := match.ImportOptions{
		Format: format, Source: o.source, SkipBad: o.skipBad,
		Write: dataset.Options{Meta: dataset.Meta{Command: command}},
	}
	if e.Terminal {
		mo.Progress = func(matches, _ int) {
			if matches%100 == 0 {
				fmt.Fprintf(e.drawing(), "\r%d matches", matches)
			}
		}
		defer fmt.Fprint(e.drawing(), clearLine)
	}
	if o.decisions == "" {
		report, err := match.Import(ctx, files, o.out, mo)
		if err != nil {
			return err
		}
		return printMatchReport(e.Stdout, o, report)
	}
	_, _, id, err := o.player.read()
	if err != nil {
		return err
	}
	p, err := o.player.open(ctx, e)
	if err != nil {
		return err
	}
	var report match.Report
	err = atomicfile.Write(o.decisions, func(w io.Writer) error {
		const candidates = 8
		bw := bm.NewWriter(w)
		bw.Comment("Decisions of recorded matches; losses are those of a 0-ply evaluation. " +
			"'bgtrain makebm --from FILE -o OUT' rolls them out.")
		bw.Settings(fmt.Sprintf("%s; evaluated at 0-ply: net %s", command, id.Net))
		ev := p.NewEvaluator()
		mo.Decision = func(source string, a *match.Action) error {
			bw.Comment(source)
			r := analyze.Record(ev, a, 0, candidates, nil)
			bw.Record(&r)
			return nil
		}
		if report, err = match.Import(ctx, files, o.out, mo); err != nil {
			return err
		}
		return bw.Flush()
	})
	if err != nil {
		return err
	}
	return printMatchReport(e.Stdout, o, report)
}

// printMatchReport prints what an import of matches did.
func printMatchReport(w io.Writer, o *importOptions, r match.Report) error {
	if o.json {
		classes := map[string]int64{}
		for c := bg.Contact; c > bg.Over; c-- {
			classes[c.String()] = r.Classes[c]
		}
		return json.NewEncoder(w).Encode(struct {
			Output    string           `json:"output"`
			Rows      int64            `json:"rows"`
			Classes   map[string]int64 `json:"classes"`
			Dropped   int64            `json:"duplicates_dropped"`
			Matches   int64            `json:"matches"`
			Games     int64            `json:"games"`
			Plays     int64            `json:"plays"`
			Decisions int64            `json:"decisions,omitempty"`
			CutShort  int64            `json:"games_cut_short"`
		}{o.out, r.Rows, classes, r.Dropped, r.Matches, r.Games, r.Plays, r.Decisions, r.Problems})
	}
	legal := ", all legal"
	if r.Problems > 0 {
		legal = " before what is not legal"
	}
	fmt.Fprintf(w, "%d matches, %d games, %d plays%s\n", r.Matches, r.Games, r.Plays, legal)
	if err := printReport(w, o.out, dataset.Report{Rows: r.Rows, Classes: r.Classes, Dropped: r.Dropped},
		false); err != nil {
		return err
	}
	if o.decisions != "" {
		fmt.Fprintf(w, "%s: %d decisions\n", o.decisions, r.Decisions)
	}
	if r.Problems > 0 {
		fmt.Fprintf(w, "left out the rest of %d games; the first: %v\n", r.Problems, r.First)
	}
	return nil
}
