package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
)

type generateOptions struct {
	selfplay.Settings
	player  playerFlags
	n       int
	shares  string
	sel     []string
	out     string
	exclude []string
	rivals  []string
	plans   planFlags
	json    bool
}

func runGenerate(ctx context.Context, e *env, args []string) error {
	o := generateOptions{Settings: selfplay.Defaults}
	f := newFlags(e, "generate -n N -o DB [flags]",
		"Plays games of a net against itself and keeps positions, none twice, spread over the\nclasses. "+
			"Interrupted, the same command goes on from DB.journal.",
		"bgtrain generate -n 200000 --share contact=0.5,crashed=0.3,race=0.2 --seed 7 -o positions.parquet")
	f.IntVarP(&o.n, "number", "n", 0, "positions to keep")
	f.StringVarP(&o.out, "output", "o", "", "database to write, one file")
	f.StringVar(&o.shares, "share", "contact=0.5,crashed=0.3,race=0.2",
		"shares of the classes contact, crashed, race, bearoff")
	f.StringSliceVar(&o.sel, "select", []string{"all"},
		"what to keep: all (positions as they occur), candidates (after the best plays at 0-ply), disagree (after "+
			"0-ply's and 2-ply's play where they differ), differ (as they occur, where the equities of --rivals differ "+
			"from the player's or each other's); several with commas")
	f.StringSliceVar(&o.rivals, "rivals", nil, "nets whose equities at 0-ply 'differ' compares with the player's")
	f.Float32Var(&o.Margin, "margin", o.Margin,
		"points: disagree keeps what 2-ply values further apart, differ what the nets do, candidates what is within")
	f.Float64Var(&o.Density, "density", o.Density,
		"share of the positions of a game that 'all' keeps, to have them from more games")
	f.Float64Var(&o.Diversity, "diversity", o.Diversity,
		"share of the sides that play a game in a style of their own: back games, crunched boards, primes, loose "+
			"play, noise; 0 for none")
	f.IntVar(&o.Random, "random-plays", o.Random, "at most so many random plays at the beginning of a game")
	f.StringSliceVar(&o.exclude, "exclude", nil, "databases and benchmark files whose positions are not wanted")
	o.plans.add(f, "")
	f.Uint64Var(&o.Seed, "seed", o.Seed, "seed of dice, styles and choices")
	addWorkersFlag(f, &o.Workers)
	f.BoolVar(&o.json, "json", false, "the summary as JSON")
	o.player.add(f)
	o.player.addFilters(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if o.n <= 0 || o.out == "" || f.NArg() > 0 {
		return usagef("-n N and -o DB expected, and nothing else")
	}
	if err := o.settle(); err != nil {
		return usageError{err}
	}
	return generate(ctx, e, &o, commandLine("generate", f))
}

// settle turns the flags into settings.
func (o *generateOptions) settle() error {
	shares := map[bg.Class]float64{}
	for _, part := range strings.Split(o.shares, ",") {
		name, value, _ := strings.Cut(part, "=")
		class, err := dataset.ParseClass(name)
		if err != nil {
			return fmt.Errorf("--share %s: %w", part, err)
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0) {
			return fmt.Errorf("--share %s: a share such as 0.5 expected", part)
		}
		shares[class] = v
	}
	o.SetQuota(o.n, shares)
	o.Select = selfplay.Selectors{}
	for _, s := range o.sel {
		switch s {
		case "all":
			o.Select.All = true
		case "candidates":
			o.Select.Candidates = true
		case "disagree":
			o.Select.Disagree = true
		case "differ":
			o.Select.Differ = true
		default:
			return fmt.Errorf("--select %q: all, candidates, disagree or differ expected", s)
		}
	}
	if err := o.plans.parse(); err != nil {
		return err
	}
	if o.Select.Differ != (len(o.rivals) > 0) {
		return fmt.Errorf("--select differ and --rivals NET,… belong together")
	}
	return o.Check()
}

// openRivals opens the players of --rivals, which evaluate as the player does, and adds
// their nets to the identity.
func (o *generateOptions) openRivals(ctx context.Context, how job.Player, id *identity) error {
	var prints []string
	for _, name := range o.rivals {
		set, err := openNet(name)
		if err != nil {
			return fmt.Errorf("--rivals: %w", err)
		}
		rival, have := how, job.Nets{}
		have.Add(set)
		rival.Net, rival.FilterNet = set.Fingerprint(), ""
		p, err := rival.Open(ctx, have, o.player.cacheMB)
		if err != nil {
			return fmt.Errorf("--rivals %s: %w", name, err)
		}
		o.Rivals, prints = append(o.Rivals, p), append(prints, rival.Net)
	}
	if len(prints) > 0 {
		id.add("rivals", strings.Join(prints, ","))
	}
	return nil
}

// describe returns what the positions depend on besides the player.
func (o *generateOptions) describe() string {
	return o.Describe() + o.plans.describe()
}

func generate(ctx context.Context, e *env, o *generateOptions, command string) error {
	_, have, how, err := o.player.read()
	if err != nil {
		return err
	}
	p, err := how.Open(ctx, have, o.player.cacheMB)
	if err != nil {
		return err
	}
	excluded, err := readKeys(ctx, o.exclude)
	if err != nil {
		return err
	}
	id := identify(how, o.Select.Ply(), o.Select.Ply())
	if err := o.openRivals(ctx, how, &id); err != nil {
		return err
	}
	id.add("excluded", excluded.Digest())
	id.add("selfplay", o.describe())
	journal, err := selfplay.OpenJournal(o.out+".journal", id.String())
	if err != nil {
		return err
	}
	if journal.Games() > 0 {
		fmt.Fprintf(e.Stderr, "going on after %d games\n", journal.Games())
	}
	bar := newProgress(e, o.n, "positions")
	found, report, err := selfplay.Generate(ctx, p, o.Settings, selfplay.Hooks{
		Exclude:  func(k bg.Key) bool { return excluded.Has(k) || !o.plans.has(k) },
		Progress: bar.Set,
		Journal:  journal,
	})
	bar.Done()
	meta := dataset.Meta{
		Command: command, Seed: strconv.FormatUint(o.Seed, 10), Net: id.get("net"), Extra: id.extra(),
	}
	if err == nil {
		err = writeFound(o.out, meta, found)
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	if err := journal.Remove(); err != nil {
		return err
	}
	return reportGenerated(e, o, found, &report)
}

// writeFound writes positions without outputs.
func writeFound(path string, meta dataset.Meta, found []selfplay.Found) error {
	w, err := dataset.Create(path, dataset.Options{Meta: meta})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, f := range found {
		if err := w.Write(&dataset.Row{Key: f.Key, Class: f.Class, Source: f.Source.String()}); err != nil {
			return err
		}
	}
	return w.Close()
}

// generatedJSON is what `generate --json` prints.
type generatedJSON struct {
	Output  string         `json:"output"`
	Games   int            `json:"games"`
	Classes map[string]int `json:"classes"`
	Plans   map[string]int `json:"plans"` // of the player on roll, contact and crashed positions
	Sources map[string]int `json:"sources"`
}

// reportGenerated prints what was kept, by class and by game plan.
func reportGenerated(e *env, o *generateOptions, found []selfplay.Found, report *selfplay.Report) error {
	r := generatedJSON{o.out, report.Games, map[string]int{}, map[string]int{}, map[string]int{}}
	contact := 0
	for _, f := range found {
		r.Classes[f.Class.String()]++
		r.Sources[f.Source.String()]++
		if f.Class < bg.Crashed {
			continue
		}
		b, err := f.Key.Board()
		if err != nil {
			return err
		}
		contact++
		r.Plans[bg.PlanOf(&b).String()]++
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(r)
	}
	fmt.Fprintf(e.Stdout, "%s: %d positions of %d games\n", o.out, len(found), report.Games)
	printCounts(e, "class", r.Classes, len(found))
	printCounts(e, "plan of contact and crashed positions", r.Plans, contact)
	return nil
}

// printCounts prints counts, the largest first, with their shares.
func printCounts(e *env, title string, counts map[string]int, total int) {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	fmt.Fprintf(e.Stdout, "  %s\n", title)
	for _, name := range names {
		fmt.Fprintf(e.Stdout, "    %-28s %8d  %5.1f%%\n", name, counts[name],
			100*float64(counts[name])/float64(max(total, 1)))
	}
}
