package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"bgtrain/data"
	"bgtrain/internal/near"
	"bgtrain/internal/stats"
	"bgtrain/rollout/job"
	"bgtrain/trainer/grow"
)

// growOptions are the flags of grow.
type growOptions struct {
	grow.Options
	farm       farmFlags
	dryRun     bool
	commands   bool
	list       bool
	print      string
	compare    bool
	comparison grow.CompareSettings
	force      bool
	json       bool
}

// installed is where GNU Backgammon's nets are where its package is installed.
const installed = "/usr/lib/gnubg/gnubg.wd"

func runGrow(ctx context.Context, e *env, args []string) error {
	o := growOptions{comparison: grow.CompareSettings{Games: 4000}}
	f := newFlags(e, "grow RECIPE -o DIR [flags]\n       bgtrain grow --compare DIR1 DIR2",
		`Grows a player from random weights, or from a net, as a recipe says: TD games, then rounds of
positions, labels and training, each of them measured. RECIPE is a YAML file or an embedded name.
DIR gets best.safetensors, the newest player that passed; grow.jsonl and grow.svg, its strength
against time; recipe.yaml, with every setting that was decided on the way; and the stages:
interrupted or killed, the same command goes on from there.`,
		"bgtrain grow quick -o quick/")
	f.StringVarP(&o.Dir, "output", "o", "", "directory of the run")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the stages with the rows, disk and time that they take here")
	f.BoolVar(&o.commands, "commands", false, "print the command of each stage, its files below DIR")
	f.BoolVar(&o.list, "list", false, "list the embedded recipes")
	f.StringVar(&o.print, "print", "", "print an embedded recipe")
	f.BoolVar(&o.compare, "compare", false, "what the second of two runs gained over the first")
	f.BoolVar(&o.force, "force", false, "go on in the directory of another recipe's run: stages that fit are used")
	o.List().AddFlags(f)
	o.comparison.List().Without("workers").AddFlags(f)
	f.BoolVar(&o.json, "json", false, "print the result as JSON lines, as in grow.jsonl")
	o.farm.add(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case o.list:
		return printRecipes(e)
	case o.print != "":
		return printRecipe(e, o.print)
	case o.compare && f.NArg() != 2:
		return usagef("two directories expected")
	case o.compare:
		o.comparison.Workers = o.Workers
		c, err := grow.Compare(ctx, [2]string(f.Args()), o.comparison)
		if err != nil {
			return err
		}
		return e.print(c, o.json)
	case f.NArg() != 1 || o.Dir == "" && !o.dryRun && !o.commands:
		return usagef("a recipe and -o DIR expected")
	}
	if err := o.settle(e, f.Changed("against")); err != nil {
		return err
	}
	return growRecipe(ctx, e, &o, f.Arg(0))
}

// settle turns the flags into options.
func (o *growOptions) settle(e *env, against bool) error {
	if err := o.farm.check(); err != nil {
		return err
	}
	if _, err := os.Stat(installed); err == nil && !against {
		o.Against = []string{installed}
	}
	if o.farm.Address.URLs != "" {
		o.Runner = func(output string) (job.Runner, error) { return o.farm.runner(e, o.Workers, output) }
	}
	return nil
}

// growRecipe runs a recipe, or describes what running it would do.
func growRecipe(ctx context.Context, e *env, o *growOptions, name string) error {
	text, err := data.ReadRecipe(name)
	if err != nil {
		return err
	}
	r, err := grow.Parse(name, name, text)
	if err != nil {
		return err
	}
	var plan grow.Schedule
	if o.dryRun || o.commands || e.Terminal {
		if plan, err = grow.Plan(ctx, r, o.Options); err != nil {
			return err
		}
	}
	switch shown := o.dryRun || o.commands; {
	case shown && o.json:
		return printLines(e, plan)
	case o.commands:
		return plan.WriteCommands(e.Stdout)
	case shown:
		return plan.WriteText(e.Stdout)
	}
	if err := grow.Claim(o.Dir, text, o.force); err != nil {
		return err
	}
	o.Hooks = growHooks(e, grow.NewForecast(plan))
	log, err := grow.Run(ctx, r, o.Options)
	if err != nil {
		return err
	}
	if o.json {
		return printLines(e, log.Rounds)
	}
	return log.WriteText(e.Stdout, o.Dir)
}

// printRecipes lists the embedded recipes, each with what it is.
func printRecipes(e *env) error {
	for _, name := range data.RecipeNames() {
		if _, err := fmt.Fprintf(e.Stdout, "%-12s %s\n", name, data.RecipeTitle(name)); err != nil {
			return err
		}
	}
	return nil
}

// printRecipe prints an embedded recipe.
func printRecipe(e *env, name string) error {
	text, ok := data.Recipe(name)
	if !ok {
		return usagef("--print %s: no embedded recipe has that name (%s)%s", name, strings.Join(data.RecipeNames(), ", "),
			near.Ask(name, "", data.RecipeNames()))
	}
	_, err := e.Stdout.Write(text)
	return err
}

// growHooks show the stage under way, and how long it and the whole will take.
func growHooks(e *env, forecast *grow.Forecast) grow.Hooks {
	var bar *progress
	return grow.Hooks{
		Stage: func(s *grow.Stage) {
			forecast.Begin(s)
			bar = newProgress(e, s.Total, s.Units+" ("+s.Label()+")")
		},
		Progress: func(done, total int) {
			if left := forecast.Left(); left > 0 {
				bar.Note("of all " + stats.Duration(left.Round(time.Second)))
			}
			bar.Set(done, total)
		},
		Done: func() { bar.Done() },
		Line: func(text string) { fmt.Fprintln(e.Stderr, text) },
	}
}
