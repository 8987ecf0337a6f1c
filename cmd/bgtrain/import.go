package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bgtrain/benchmark/analyze"
	"bgtrain/benchmark/bm"
	"bgtrain/dataset/convert"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/stats"

	"github.com/spf13/pflag"
)

func runImport(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "import FILE… -o DB [flags]",
		`Reads positions into a rollout database: with outputs from GNUbg training text, wildbg
CSV and lines of boards (Open Sage's rollouts); without from matches (.mat and text like it, .sgf of GNU Backgammon, .xg
and .xgp) and from lists of IDs. Judged decisions, the benchmark.json of Open Sage,
become a benchmark file: -o sage.bm. All may be compressed by gzip, bzip2 or Zstandard.
Parquet of other programs with a database's columns is read as it is by every command.
Every row, every play is checked. If any is bad nothing is written, unless --skip-bad
leaves bad rows, and the rest of a game after a bad play, out. DB is one Parquet file,
or a directory of parts where its name ends in a slash.`,
		"bgtrain import final.mat semifinal.xg -o matches.parquet --decisions matches.bm")
	var in convert.Sources
	var player playerFlags
	out := f.StringP("output", "o", "", "the database to write (required)")
	f.StringVar(&in.Format, "format", "auto", "format of the files: auto, gnubg, wildbg, board, mat, sgf, xg, ids or sage")
	f.StringVar(&in.Source, "source", "",
		"value of the source column, or its beginning for matches (default: the name of each file)")
	f.BoolVar(&in.SkipBad, "skip-bad", false, "leave what is bad out and say how much there was")
	decisions := f.String("decisions", "",
		"of matches: write the rolls that leave a choice to this benchmark file, their plays ranked by --net")
	asJSON := f.Bool("json", false, "print the result as JSON")
	player.add(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	in.Files = f.Args()
	if sage := in.Format == "auto" && slices.ContainsFunc(in.Files, bm.IsJudged); sage || in.Format == "sage" {
		return importJudged(ctx, e, f, &in, *out, *asJSON)
	}
	if err := checkImport(&in, *out, *decisions); err != nil {
		return err
	}
	bars := &stages{e: e}
	done, err := player.read(ctx, e, &in, *out, *decisions, commandLine("import", f), bars.set)
	bars.end()
	if err != nil {
		return err
	}
	if err := e.print(done, *asJSON); err != nil || *asJSON || *decisions == "" {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "%s: %s\n", *decisions, stats.Count(done.Decisions, "decision", "decisions"))
	return err
}

// checkImport reports what is missing of an import into a database, or does not go together.
func checkImport(in *convert.Sources, out, decisions string) error {
	kind, err := in.Kind()
	switch {
	case out == "":
		return usagef("no database to write: -o DB is missing")
	case len(in.Files) == 0:
		return usagef("no file to import")
	case err != nil:
		return usageError{err}
	case decisions != "" && kind != convert.Matches:
		return usagef("--decisions: %s holds no matches", in.Files[0])
	}
	return nil
}

// read imports files; decisions, if not "", is the file for those of matches, their plays
// ranked by the player.
func (p *playerFlags) read(ctx context.Context, e *env, in *convert.Sources, out, decisions, command string,
	progress func(unit string, done, total int)) (done *convert.Summary, err error) {
	hooks := convert.Hooks{Progress: progress}
	if decisions == "" {
		return convert.Import(ctx, in, out, command, hooks)
	}
	_, _, id, err := p.Read()
	if err != nil {
		return nil, err
	}
	player, err := p.open(ctx, e)
	if err != nil {
		return nil, err
	}
	err = analyze.WriteDecisions(decisions, command, id.Net, player,
		func(decision func(string, *matchfile.Action) error) (err error) {
			hooks.Decision = decision
			done, err = convert.Import(ctx, in, out, command, hooks)
			return err
		})
	return done, err
}

// importJudged makes a benchmark file of decisions that another program has judged.
func importJudged(ctx context.Context, e *env, f *pflag.FlagSet, in *convert.Sources, out string, asJSON bool) error {
	for _, name := range []string{"source", "decisions", "net"} {
		if f.Changed(name) {
			return usagef("--%s is not for judged decisions", name)
		}
	}
	switch {
	case len(in.Files) == 0:
		return usagef("no file to import")
	case out == "":
		return usagef("no benchmark file to write: -o FILE.bm is missing")
	case strings.HasSuffix(out, ".parquet") || strings.HasSuffix(out, "/"):
		return usagef("-o %s: judged decisions become a benchmark file, such as sage.bm", out)
	}
	sum, err := bm.ImportJudged(ctx, in.Files, out, commandLine("import", f), in.SkipBad)
	if err != nil {
		return err
	}
	for _, bad := range sum.Skipped {
		fmt.Fprintln(e.Stderr, bad)
	}
	return e.printf(sum, asJSON, "%s: %s, %s; left out: %d without a choice, %d bad\n", out,
		stats.Count(sum.Plays, "play", "plays"), stats.Count(sum.Cubes, "cube decision", "cube decisions"), sum.Forced,
		len(sum.Skipped))
}
