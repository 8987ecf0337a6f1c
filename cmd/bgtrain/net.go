package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/data"
	"bgtrain/internal/inspect"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/web"

	"github.com/spf13/pflag"
)

func runNet(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "net import|export|join|trim …",
		"Converts nets from and to GNU Backgammon's weights files, and puts players together. 'bgtrain net import "+
			"-h' and so on tell more.",
		"bgtrain net import gnubg.wd -o gnubg.safetensors")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	return subExpected(f.Args(), "import", "export", "join", "trim")
}

func runNetImport(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "net import FILE -o NET",
		"Reads GNU Backgammon's weights, text (gnubg.weights) or binary (gnubg.wd), or any other\nnet file, and "+
			"writes a .safetensors file.",
		"bgtrain net import /usr/lib/gnubg/gnubg.wd -o gnubg.safetensors")
	out := f.StringP("output", "o", "", "net file to write")
	activation := activationFlag(f)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a net file", *out, "NET"); err != nil {
		return err
	}
	set, err := readNet(f.Arg(0), *activation)
	if err != nil {
		return err
	}
	if set.Provenance == nil {
		set.Provenance = map[string]string{}
	}
	set.Provenance["imported"] = filepath.Base(f.Arg(0))
	if err := nets.Write(*out, set); err != nil {
		return err
	}
	return e.printNet(*out, set, *asJSON)
}

// printNet describes what is in the net file that a command wrote, as info does.
func (e *env) printNet(path string, set *nets.Set, asJSON bool) error {
	return e.printFolded(inspect.NamedNet{Path: path, Description: set.Describe()}, asJSON)
}

// exportedNet is the result of net export for programs.
type exportedNet struct {
	Output      string `json:"output"`
	Fingerprint string `json:"fingerprint"`
	Format      string `json:"format"`
	Version     string `json:"version,omitempty"` // of GNU Backgammon's weights
	Models      int    `json:"models,omitempty"`  // of ONNX
	Page        string `json:"page,omitempty"`    // to open in a browser
}

func runNetExport(_ context.Context, e *env, args []string) error {
	f := newFlags(e, "net export NET -o FILE",
		`Writes a player as GNU Backgammon's weights: binary where FILE ends in .wd, text where it
does not. To play with it, give GNU Backgammon a copy of its data directory with this file
in it as gnubg.wd or, without a gnubg.wd beside it, as gnubg.weights: 'gnubg -P DIR'.

GNU Backgammon computes nets with one hidden layer of sigmoids on its own inputs; tesauro
inputs are rewritten as those. It needs pruning nets too. A player without them takes those
of --prune FILE, for example GNU Backgammon's own; or --prune none writes nets that do not
tell plays apart, and then pruning must be switched off in GNU Backgammon.

With --format onnx, FILE is a directory: a model ROLE.onnx for each net, fixtures.json,
input vectors and outputs to check another program with, and encode.js, a plain encoder
of the inputs with the tables that it reads; sigmoid-gnubg needs --activation sigmoid.

With --format web, FILE is a directory: open its index.html in a browser, from disk or any
server, and play against the net. Weights are rounded to 16 bits.

With --format f16, FILE is a net file, .safetensors, of half the size: its weights are floats
of 16 bits.`,
		"bgtrain net export mine.safetensors --prune /usr/lib/gnubg/gnubg.wd -o gnubg.weights")
	out := f.StringP("output", "o", "", "weights or net file, or directory of ONNX models or of a page, to write")
	prune := f.String("prune", "", "net file or embedded net to take the pruning nets from, or none")
	version := f.String("version", nets.GNUbgVersions[0], "1.00 for GNU Backgammon 1.07 and older, 1.01 for 1.08")
	format := f.String("format", "gnubg",
		"gnubg: GNU Backgammon's weights; onnx: models for other programs; web: a page that plays; f16: a net file")
	activation := activationFlag(f)
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a net", *out, "FILE"); err != nil {
		return err
	}
	x := exportedNet{Output: *out, Format: *format}
	switch {
	case *format != "gnubg" && (f.Changed("prune") || f.Changed("version")):
		return usagef("--prune and --version are for --format gnubg")
	case *format == "gnubg":
		x.Version = *version
	case *format != "onnx" && *format != "web" && *format != "f16":
		return usagef("--format %s: gnubg, onnx, web or f16 expected", *format)
	}
	return x.export(e, f.Arg(0), *activation, *prune, *asJSON)
}

// export writes a player, and prints what it wrote.
func (x *exportedNet) export(e *env, name, activation, prune string, asJSON bool) error {
	switch {
	case x.Format == "gnubg" && !slices.Contains(nets.GNUbgVersions, x.Version):
		return usagef("--version %s: %s expected", x.Version, strings.Join(nets.GNUbgVersions, " or "))
	case x.Format == "gnubg" && strings.EqualFold(filepath.Ext(x.Output), ".safetensors"):
		return usagef("-o %s: 'net import' writes .safetensors files, and --format f16", x.Output)
	}
	set, err := readNet(name, activation)
	if err == nil {
		set, err = withPruning(e, set, prune)
	}
	if err != nil {
		return err
	}
	var what string
	switch x.Format {
	case "gnubg":
		what, err = fmt.Sprintf("GNU Backgammon %s weights", x.Version), x.writeGNUbg(set)
	case "onnx":
		x.Models = len(set.Nets)
		what, err = fmt.Sprintf("%d ONNX models, with fixtures.json", x.Models), nets.WriteONNXDir(x.Output, set)
	case "web":
		x.Page = filepath.Join(x.Output, "index.html")
		title := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		what, err = "a page that plays, "+x.Page, web.Write(x.Output, title, set)
	case "f16":
		what = "a net file with weights of 16 bits"
		set, err = nets.WriteHalf(x.Output, set)
	}
	if err != nil {
		return err
	}
	x.Fingerprint = set.Fingerprint()
	return e.printf(x, asJSON, "%s: net %s as %s\n", x.Output, x.Fingerprint, what)
}

// writeGNUbg writes a player as GNU Backgammon's weights. Errors name what helps.
func (x *exportedNet) writeGNUbg(set *nets.Set) error {
	err := nets.WriteGNUbgFile(x.Output, set, x.Version)
	switch {
	case errors.Is(err, nets.ErrNoPruning):
		return fmt.Errorf("%w: --prune FILE takes them from another player, such as GNU Backgammon's gnubg.wd, "+
			"--prune none does without", err)
	case errors.Is(err, nets.ErrLayers):
		return fmt.Errorf("%w: the embedded gnubg-size and gnubg-wide do, and nets of train --hidden N with a single N", err)
	}
	return err
}

// withPruning gives a player the pruning nets that --prune names.
func withPruning(e *env, set *nets.Set, prune string) (*nets.Set, error) {
	switch prune {
	case "":
		return set, nil
	case "none":
		fmt.Fprintln(e.Stderr, "bgtrain net export: no pruning nets: switch pruning off in GNU Backgammon, for "+
			"hints by\n"+
			"  set evaluation chequerplay evaluation prune off\n  set evaluation cubedecision evaluation prune off\n"+
			"and likewise for 'set analysis' and for each 'set player'; it plays 2-ply badly otherwise.")
		return set.WithoutPruning(), nil
	}
	other, err := data.OpenNet(prune)
	if err != nil {
		return nil, err
	}
	if set, err = set.WithPruning(other); err != nil {
		return nil, fmt.Errorf("--prune %s: %w", prune, err)
	}
	return set, nil
}

// activationFlag adds --activation.
func activationFlag(f *pflag.FlagSet) *string {
	return f.String("activation", "",
		"compute the sigmoids so: sigmoid (exact) or sigmoid-gnubg (GNU Backgammon's approximation);\nunchanged "+
			"without it, and sigmoid-gnubg from GNU Backgammon's files")
}

// readNet reads a net file or an embedded net and changes its sigmoids, if
// activation names one of the two.
func readNet(name, activation string) (*nets.Set, error) {
	set, err := data.OpenNet(name)
	if err != nil {
		return nil, err
	}
	if activation == "" {
		return set, nil
	}
	a, err := nn.ParseActivation(activation)
	if err != nil || a != nn.Sigmoid && a != nn.SigmoidGNUbg {
		return nil, usagef("--activation %s: %v or %v expected", activation, nn.Sigmoid, nn.SigmoidGNUbg)
	}
	return set.WithSigmoids(a), nil
}
