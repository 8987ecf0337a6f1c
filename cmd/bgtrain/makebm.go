package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/makebm"
	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/rollout"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

type makebmOptions struct {
	makebm.Settings
	rollout rolloutFlags
	n       int
	classes []string
	themes  []string
	out     string
	exclude []string
	from    []string
	farm    farmFlags
	json    bool
}

// farmDecisions is how many decisions a farm's chunk has.
const farmDecisions = 2

// makebmRollouts are the defaults of the rollouts: a decision is rolled out until the
// standard errors of the differences of its candidates are 0.005 points, less than
// most plays differ by.
func makebmRollouts() rollout.Options {
	o := rollout.DefaultOptions()
	o.Trials, o.TargetSE = 720, 0.005
	return o
}

func (o *makebmOptions) add(f *pflag.FlagSet) {
	o.Settings = makebm.Defaults
	f.IntVarP(&o.n, "number", "n", 0, "decisions")
	f.StringVarP(&o.out, "output", "o", "", "benchmark file to write")
	f.StringSliceVar(&o.classes, "class", []string{"contact", "crashed", "race"},
		"classes of the decisions, in equal numbers")
	f.StringSliceVar(&o.themes, "themes", nil, "themes of the decisions, in equal numbers, instead of classes: "+
		themeNames)
	f.IntVar(&o.Settings.Candidates, "candidates", o.Settings.Candidates,
		"at most so many candidates a decision, 0-ply's choice always among them")
	f.Float32Var(&o.Margin, "margin", o.Margin, "points that a candidate may be behind the best")
	f.IntVar(&o.Settings.Ply, "candidate-ply", o.Settings.Ply, "look-ahead that ranks the candidates, 0 to 3")
	f.Float32Var(&o.Spread, "spread", o.Spread,
		"leave out decisions whose candidates are all closer together, in points")
	f.StringSliceVar(&o.exclude, "exclude", nil,
		"databases and benchmark files whose positions are not wanted, before or after the play")
	f.StringSliceVar(&o.from, "from", nil,
		"benchmark files whose decisions are rolled out, all candidates that they list, in place of self-play's")
	f.Float64Var(&o.Diversity, "diversity", o.Diversity,
		"share of the sides that play a game in a style of their own; 0 for none")
	f.IntVar(&o.Random, "random-plays", o.Random, "at most so many random plays at the beginning of a game")
	o.rollout.add(f, makebmRollouts(), "candidate", "games and dice")
	addWorkersFlag(f, &o.Workers)
	o.farm.add(f)
	f.BoolVar(&o.json, "json", false, "the summary as JSON")
}

func runMakebm(ctx context.Context, e *env, args []string) error {
	var o makebmOptions
	f := newFlags(e, "makebm -n N -o FILE.bm [flags]",
		`Makes a benchmark file in GNU Backgammon's format: decisions of a net's games against
itself, one of a class a game, none twice, their best candidates rolled out; or with
--from those of other files, such as import --decisions writes of recorded matches. Keep
them out of training data by generate --exclude FILE.bm. Interrupted or killed, the same
command goes on from FILE.bm.journal.`,
		"bgtrain makebm -n 5000 --class contact --seed 7 --exclude training.parquet -o contact.bm")
	o.add(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if len(o.from) > 0 {
		if err := o.checkFrom(f); err != nil {
			return err
		}
		return makeBenchmark(ctx, e, &o)
	}
	if o.n <= 0 || o.out == "" || f.NArg() > 0 {
		return usagef("-n N and -o FILE.bm expected, and nothing else")
	}
	if f.Changed("class") && len(o.themes) > 0 {
		return usagef("--class and --themes: one of the two expected")
	}
	if err := o.settle(); err != nil {
		return usageError{err}
	}
	return makeBenchmark(ctx, e, &o)
}

// settle turns the flags into settings.
func (o *makebmOptions) settle() error {
	var classes []bg.Class
	for _, name := range o.classes {
		c, err := dataset.ParseClass(name)
		if err != nil || !slices.Contains(makebm.Classes, c) {
			return fmt.Errorf("--class %q: contact, crashed or race expected", name)
		}
		if !slices.Contains(classes, c) {
			classes = append(classes, c)
		}
	}
	if len(classes) == 0 {
		return fmt.Errorf("--class: contact, crashed or race expected")
	}
	if err := o.farm.check(); err != nil {
		return err
	}
	themes, err := parseThemes(o.themes)
	if err != nil {
		return err
	}
	if o.SetQuota(o.n, classes); len(themes) > 0 {
		o.SetThemes(o.n, themes)
	}
	o.Seed = o.rollout.o.Seed
	return o.Check()
}

// parseThemes reads the names of themes, each counted once.
func parseThemes(names []string) ([]bg.Theme, error) {
	var themes []bg.Theme
	for _, name := range names {
		t, err := bg.ParseTheme(name)
		if err != nil {
			return nil, fmt.Errorf("--themes: %w", err)
		}
		if !slices.Contains(themes, t) {
			themes = append(themes, t)
		}
	}
	return themes, nil
}

// checkFrom refuses flags that decide which decisions self-play is asked for.
func (o *makebmOptions) checkFrom(f *pflag.FlagSet) error {
	if o.out == "" || f.NArg() > 0 {
		return usagef("--from FILE.bm and -o FILE.bm expected, and nothing else")
	}
	for _, name := range []string{"number", "class", "candidates", "margin", "candidate-ply", "spread", "diversity",
		"random-plays", "themes"} {
		if f.Changed(name) {
			return usagef("--%s is about self-play; the decisions of --from are there already", name)
		}
	}
	if err := o.farm.check(); err != nil {
		return usageError{err}
	}
	return nil
}

// given reads the decisions of --from.
func (o *makebmOptions) given(exclude func(bg.Key) bool) (*makebm.Given, error) {
	g := &makebm.Given{}
	for _, path := range o.from {
		file, err := bm.ReadFile(path, bm.ReadOptions{})
		if err != nil {
			return nil, fmt.Errorf("--from %w", err)
		}
		for i := range file.Records {
			if err := g.Add(&file.Records[i], exclude); err != nil {
				return nil, fmt.Errorf("--from %s:%d: %w", path, file.Records[i].Line, err)
			}
		}
	}
	if n, left := g.Count(); n == 0 {
		return nil, fmt.Errorf("--from %s: no decision to roll out (%d left out)", strings.Join(o.from, ", "), left)
	}
	return g, nil
}

func makeBenchmark(ctx context.Context, e *env, o *makebmOptions) error {
	begun := time.Now()
	rollouts, have, err := o.rollout.settings()
	if err != nil {
		return err
	}
	excluded, err := readKeys(ctx, o.exclude)
	if err != nil {
		return err
	}
	var given *makebm.Given
	rollouts.Kind, rollouts.Group = job.Compare, o.Settings.Candidates
	if len(o.from) > 0 {
		if given, err = o.given(excluded.Has); err != nil {
			return err
		}
		rollouts.Group = given.Candidates()
	}
	j, err := job.Open(ctx, rollouts, have, o.rollout.cacheMB())
	if err != nil {
		return err
	}
	// Look-ahead likes a cache, which the rollouts may go without.
	p, err := rollouts.Player.Open(ctx, have, o.rollout.player.cacheMB)
	if err != nil {
		return err
	}
	settings := o.describe(j, given)
	journal, err := openJournal(o.out+".journal", fmt.Sprintf("%s; excluded %s", settings, excluded.Digest()), given)
	if err != nil {
		return err
	}
	if decisions, candidates := journal.Done(); candidates > 0 || decisions > 0 && given == nil {
		fmt.Fprintf(e.Stderr, "going on after %d decisions, %d candidates rolled out\n", decisions, candidates)
	}
	ro := makebm.Rollouts{Job: j, Chunk: 1}
	if o.farm.URLs != "" {
		ro.Chunk = farmDecisions
	}
	if ro.Runner, err = o.farm.runner(e, o.Workers, o.out); err != nil {
		return errors.Join(err, journal.Close())
	}
	var bar *progress
	var stage makebm.Stage
	hooks := makebm.Hooks{
		Exclude: excluded.Has,
		Progress: func(now makebm.Stage, done, total int) {
			if bar == nil || now != stage {
				if bar != nil {
					bar.Done()
				}
				bar, stage = newProgress(e, total, string(now)), now
			}
			bar.Set(done, total)
		},
		Journal: journal,
	}
	var records []bm.Record
	var report makebm.Report
	if given != nil {
		records, report, err = makebm.RollOut(ctx, given, ro, hooks)
	} else {
		records, report, err = makebm.Make(ctx, p, ro, o.Settings, hooks)
	}
	if bar != nil {
		bar.Done()
	}
	if err == nil {
		err = writeBenchmark(o.out, settings, records, &report)
	}
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	if err := journal.Remove(); err != nil {
		return err
	}
	left := 0
	if given != nil {
		o.n, left = given.Count()
	}
	return reportBenchmark(e, o, &report, left, time.Since(begun))
}

func openJournal(path, id string, given *makebm.Given) (*makebm.Journal, error) {
	if given != nil {
		return makebm.OpenJournalOf(path, id, given)
	}
	return makebm.OpenJournal(path, id)
}

// describe returns, in one line, all that the records depend on.
func (o *makebmOptions) describe(j *job.Job, given *makebm.Given) string {
	decisions := o.Describe()
	entries := maps.Clone(j.Meta.Extra)
	if given != nil {
		decisions = given.Describe()
	} else {
		maps.Copy(entries, j.Settings.Player.Describe(o.Ply, 0))
	}
	text := fmt.Sprintf("bgtrain makebm: %s; net %s", decisions, j.Meta.Net)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		value := entries[name]
		if name == "rollout" {
			value = strings.TrimPrefix(value, "rollout ")
		}
		text += fmt.Sprintf("; %s %s", name, value)
	}
	return fmt.Sprintf("%s; dice seed=%s", text, j.Meta.Seed)
}

// writeBenchmark writes the file: what it is as comments and an s record, then
// the decisions.
func writeBenchmark(path, settings string, records []bm.Record, r *makebm.Report) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		bw := bm.NewWriter(w)
		bw.Comment(fmt.Sprintf("%d decisions, %d candidates rolled out, with common dice; standard error of what "+
			"one is behind the best %.4f on average, %.4f at most.",
			len(records), r.Candidates, r.SE, r.WorstSE))
		bw.Comment("#R KEY p1 p2 p3 p4 p5: a candidate after the play, rolled out, the opponent on roll.")
		bw.Settings(settings)
		for i := range records {
			bw.Record(&records[i])
		}
		return bw.Flush()
	})
}

// makebmJSON is what `makebm --json` prints.
type makebmJSON struct {
	Output     string         `json:"output"`
	Decisions  int            `json:"decisions"`
	Classes    map[string]int `json:"classes"`
	Themes     map[string]int `json:"themes,omitempty"`
	Games      int            `json:"games"`
	Left       int            `json:"left_out,omitempty"` // decisions of --from
	Candidates int            `json:"candidates"`
	Trials     int            `json:"trials"`
	SE         float64        `json:"se"`
	WorstSE    float64        `json:"worst_se"`
	Elapsed    float64        `json:"elapsed_s"` // of this run
}

func reportBenchmark(e *env, o *makebmOptions, r *makebm.Report, left int, took time.Duration) error {
	j := makebmJSON{o.out, o.n, map[string]int{}, map[string]int{}, r.Games, left, r.Candidates, r.Trials, r.SE, r.WorstSE,
		took.Seconds()}
	for _, c := range makebm.Classes {
		if r.Count[c] > 0 {
			j.Classes[c.String()] = r.Count[c]
		}
	}
	for t, n := range r.Themes {
		if n > 0 {
			j.Themes[bg.Theme(t).String()] = n
		}
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(&j)
	}
	of := fmt.Sprintf("of %d games", j.Games)
	if len(o.from) > 0 {
		of = fmt.Sprintf("given, %d left out", left)
	}
	fmt.Fprintf(e.Stdout, "%s: %d decisions %s, %d candidates, standard error of differences %.4f on average, "+
		"%.4f at most, in %.1f s\n",
		j.Output, j.Decisions, of, j.Candidates, j.SE, j.WorstSE, j.Elapsed)
	printCounts(e, "class", j.Classes, j.Decisions)
	if len(j.Themes) > 0 {
		printCounts(e, "theme", j.Themes, j.Decisions)
	}
	return nil
}
