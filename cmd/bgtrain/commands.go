package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bgtrain/internal/near"
	"bgtrain/internal/setting"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// command is one subcommand. run parses its own arguments with newFlags and
// parseFlags, through which it also describes itself.
type command struct {
	name    string
	summary string // one line
	run     func(ctx context.Context, e *env, args []string) error
	subs    []command

	// keeps means that a run that is interrupted leaves finished work behind, with
	// which the same command goes on.
	keeps bool
}

// group is a heading of the list of commands.
type group struct {
	title    string
	commands []command
}

// groups are the subcommands in the order of the pipeline.
var groups = []group{
	{"Positions and their outputs", []command{
		{name: "import", summary: "GNUbg text, CSV and matches into a rollout database", run: runImport},
		{name: "export", summary: "a database into GNUbg training text, CSV or Arrow", run: runExport},
		{name: "encode", summary: "inputs and targets for PyTorch and others", run: runEncode},
		{name: "merge", summary: "several databases into one, without duplicates", run: runMerge},
		{name: "generate", summary: "positions by self-play, spread over the classes", run: runGenerate,
			keeps: true},
		{name: "rollout", summary: "rolled-out outputs of a database or of positions", run: runRollout},
		{name: "renew", summary: "labels of followed trials anew, by newer nets", run: runRenew},
		{name: "label", summary: "outputs by n-ply evaluation", run: runLabel, keeps: true},
	}},
	{"Nets", []command{
		{name: "grow", summary: "from random weights to a trained player, by a recipe", run: runGrow, keeps: true},
		{name: "td", summary: "TD self-play training of starting weights", run: runTD, keeps: true},
		{name: "train", summary: "supervised training on rollout databases", run: runTrain, keeps: true},
		{name: "net", summary: "GNU Backgammon's weights in and out", run: runNet, subs: []command{
			{name: "import", summary: "any net file into .safetensors", run: runNetImport},
			{name: "export", summary: "a net into GNU Backgammon's weights", run: runNetExport},
			{name: "join", summary: "a player of the nets of several", run: runNetJoin},
			{name: "trim", summary: "a net without hidden units that are always 0", run: runNetTrim},
		}},
	}},
	{"Judging", []command{
		{name: "makebm", summary: "a benchmark file: decisions, candidates rolled out", run: runMakebm,
			keeps: true},
		{name: "score", summary: "error rates on benchmark files, two players compared", run: runScore},
		{name: "match", summary: "games between two players", run: runMatch},
		{name: "report", summary: "one HTML page about a net", run: runReport},
		{name: "serve", summary: "runs, databases, decisions, a board: in a browser", run: runServe},
		{name: "cube", summary: "the doubling cube: models compared on recorded games", run: runCube,
			subs: []command{
				{name: "record", summary: "games of a net, with the outputs before every roll", run: runCubeRecord,
					keeps: true},
				{name: "study", summary: "cube models against each other on recorded games", run: runCubeStudy},
				{name: "train", summary: "the nets of the cube model learned", run: runCubeTrain},
				{name: "bearoff", summary: "cube models against the exact bearoff database", run: runCubeBearoff},
			}},
		{name: "met", summary: "match equity tables: print, convert, compute", run: runMET},
		{name: "analyze", summary: "the players of a recorded match judged by a net", run: runAnalyze},
		{name: "eval", summary: "outputs and equity of positions; the best plays", run: runEval},
	}},
	{"Many machines", []command{
		{name: "farm", summary: "the server that workers and commands meet at", run: runFarm, subs: []command{
			{name: "key", summary: "a key for a farm beyond one machine", run: runFarmKey},
			{name: "accounts", summary: "keys as the accounts of a NATS cluster", run: runFarmAccounts},
			{name: "status", summary: "runs and workers of a farm", run: runFarmStatus},
		}},
		{name: "worker", summary: "computes for commands that run with --farm", run: runWorker},
	}},
	{"Playing", []command{
		{name: "play", summary: "a game or a match against a net, in the terminal", run: runPlay},
		{name: "engine", summary: "a net for GNU Backgammon and other programs to play", run: runEngine},
		{name: "fibs", summary: "a bot on the First Internet Backgammon Server", run: runFIBS},
	}},
	{"Files", []command{
		{name: "info", summary: "what is in a net, a database or a benchmark file", run: runInfo},
		{name: "data", summary: "what ships inside the program, and how to get it out", run: runData},
		{name: "bearoff", summary: "bearoff databases computed ahead, and where they are", run: runBearoff,
			keeps: true},
		{name: "validate", summary: "counts of what is wrong in files, by kind", run: runValidate},
	}},
}

// needsFlags are cobra's own commands that look at the flags of all others.
var needsFlags = map[string]bool{
	"completion": true, cobra.ShellCompRequestCmd: true, cobra.ShellCompNoDescRequestCmd: true, "man": true,
}

// newRoot returns the program as cobra sees it. With flags, every command has
// described its flags; else they parse them as they run.
func newRoot(e *env, flags bool) *cobra.Command {
	root := &cobra.Command{
		Use:           "bgtrain",
		Short:         "trains backgammon nets from rollout databases",
		SilenceErrors: true, SilenceUsage: true,
		Version: version(),
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			fmt.Fprint(e.Stderr, overview())
			return usagef("no command given")
		},
	}
	root.SetOut(e.Stdout)
	root.SetErr(e.Stderr)
	root.SetVersionTemplate("bgtrain {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SetHelpFunc(func(*cobra.Command, []string) { fmt.Fprint(e.Stdout, overview()) })
	root.SetHelpCommand(helpCommand(e))
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			sub := c.cobra(e, flags)
			sub.GroupID = g.title
			root.AddCommand(sub)
		}
	}
	root.AddCommand(manCommand(e))
	addCompletion(e, root)
	if flags {
		completeValues(root)
	}
	return root
}

// cobra returns the command as cobra sees it.
func (c *command) cobra(e *env, flags bool) *cobra.Command {
	out := &cobra.Command{Use: c.name, Short: c.summary, DisableFlagParsing: !flags, Args: cobra.ArbitraryArgs,
		RunE: func(cc *cobra.Command, args []string) error {
			err := c.run(cc.Context(), e, args)
			if errors.Is(err, pflag.ErrHelp) {
				return nil // it was printed
			}
			if c.keeps && errors.Is(err, context.Canceled) {
				err = kept{err}
			}
			return err
		}}
	if flags {
		o := c.describe()
		out.Long, out.Example = o.about, "  "+o.example
		if _, rest, ok := strings.Cut(" "+o.usage, " "+c.name+" "); ok && c.subs == nil {
			out.Use += " " + rest
		}
		out.Flags().AddFlagSet(o.flags)
	}
	for i := range c.subs {
		out.AddCommand(c.subs[i].cobra(e, flags))
	}
	return out
}

// find returns the command of a path such as "net import", or nil.
func find(path ...string) *command {
	var list []command
	for _, g := range groups {
		list = append(list, g.commands...)
	}
	var found *command
	for _, name := range path {
		i := slices.IndexFunc(list, func(c command) bool { return c.name == name })
		if i < 0 {
			return nil
		}
		found, list = &list[i], list[i].subs
	}
	return found
}

// unknownCommand is the error of a command that does not exist.
func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usagef("unknown command %q%s", name, near.Ask(name, "", names))
}

// subExpected is the error of a command that does nothing but by one of its own.
func subExpected(args []string, names ...string) error {
	last := len(names) - 1
	expected := strings.Join(names[:last], ", ") + " or " + names[last] + " expected"
	if len(args) == 0 {
		return usagef("%s", expected)
	}
	return usagef("unknown command %q: %s%s", args[0], expected, near.Ask(args[0], "", names))
}

// outline is what a command says of itself.
type outline struct {
	usage, about, example string
	flags                 *pflag.FlagSet
}

// errOutlined ends a command that was only asked to describe itself.
var errOutlined = errors.New("described")

// describe returns the outline of a command.
func (c *command) describe() *outline {
	o := &outline{}
	if err := c.run(context.Background(), &env{Stdout: io.Discard, Stderr: io.Discard, outline: o},
		nil); !errors.Is(err, errOutlined) {
		panic(fmt.Sprintf("command %s does not parse its arguments first: %v", c.name, err))
	}
	return o
}

// newFlags returns the flag set of a command; its -h prints usage, about and
// example, then the flags.
func newFlags(e *env, usage, about, example string) *pflag.FlagSet {
	f := pflag.NewFlagSet(usage, pflag.ContinueOnError)
	f.SortFlags = false
	f.SetNormalizeFunc(sameFlag)
	o := &outline{usage, about, example, f}
	f.Usage = func() { fmt.Fprint(e.Stdout, o.help()) }
	if e.outline != nil {
		*e.outline = *o
	}
	return f
}

// otherNames are names that flags had, or that one may expect, and that do as
// well as their own.
var otherNames = map[string]string{"bm": "benchmark", "anew": "random"}

func sameFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if own, ok := otherNames[name]; ok {
		name = own
	}
	return pflag.NormalizedName(name)
}

// parseFlags parses a command's arguments; a mistake in them is a usageError.
// Nothing may happen in a command before it.
func parseFlags(e *env, f *pflag.FlagSet, args []string) error {
	addForce(f)
	err := f.Parse(args)
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case err == nil && e.outline != nil:
		return errOutlined
	case err == nil:
		return checkOutputs(e, f)
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &invalid) && setting.Of(invalid.GetFlag()) != nil:
		return usagef("--%s %s: %w", invalid.GetFlag().Name, invalid.GetValue(), errors.Unwrap(invalid))
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return usagef("--%s %s: true or false expected", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &unknown):
		var names []string
		f.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		return usagef("%w%s", err, near.Ask(unknown.GetSpecifiedName(), "--", names))
	}
	return usageError{err}
}
