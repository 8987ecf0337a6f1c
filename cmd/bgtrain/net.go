package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/netfile"
	"bgtrain/internal/nn"
)

func runNet(ctx context.Context, e *env, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "import":
			return runNetImport(e, args[1:])
		case "export":
			return runNetExport(e, args[1:])
		}
	}
	f := newFlags(e, "net import|export …",
		"Converts nets from and to GNU Backgammon's weights files. 'bgtrain net import -h' and\n'bgtrain net export -h' tell more.",
		"bgtrain net import gnubg.wd -o gnubg.safetensors")
	if err := parseFlags(f, args); err != nil {
		return err
	}
	return usagef("import or export expected")
}

func runNetImport(e *env, args []string) error {
	f := newFlags(e, "net import FILE -o NET",
		"Reads GNU Backgammon's weights, text (gnubg.weights) or binary (gnubg.wd), or any other\nnet file, and writes a .safetensors file.",
		"bgtrain net import /usr/lib/gnubg/gnubg.wd -o gnubg.safetensors")
	out := f.StringP("output", "o", "", "net file to write")
	sigmoid := f.String("sigmoid", "gnubg", "how the sigmoids are computed: gnubg, as GNU Backgammon does, or exact")
	if err := parseFlags(f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || *out == "" {
		return usagef("one weights file and -o NET expected")
	}
	act, err := sigmoidFlag(*sigmoid)
	if err != nil {
		return err
	}
	nets, err := netfile.Read(f.Arg(0))
	if err != nil {
		return fmt.Errorf("import %w", err)
	}
	nets = nets.WithSigmoids(act)
	if nets.Provenance == nil {
		nets.Provenance = map[string]string{}
	}
	nets.Provenance["imported"] = filepath.Base(f.Arg(0))
	if err := netfile.Write(*out, nets); err != nil {
		return err
	}
	fmt.Fprintf(e.Stdout, "%s: %v", *out, nets.Describe())
	return nil
}

func runNetExport(e *env, args []string) error {
	f := newFlags(e, "net export NET -o FILE",
		"Writes a player as GNU Backgammon's gnubg.weights text, which it loads with\n'gnubg -P DIR' from a copy of its data directory that holds this file and no gnubg.wd.\nIt needs pruning nets: a player without takes those of --prune.",
		"bgtrain net export mine.safetensors --prune /usr/lib/gnubg/gnubg.wd -o gnubg.weights")
	out := f.StringP("output", "o", "", "weights file to write")
	prune := f.String("prune", "", "net file or embedded net to take the pruning nets from")
	version := f.String("format-version", "1.00", "1.00 for GNU Backgammon 1.07 and older, 1.01 for 1.08")
	if err := parseFlags(f, args); err != nil {
		return err
	}
	if f.NArg() != 1 || *out == "" {
		return usagef("one net and -o FILE expected")
	}
	nets, err := openNet(f.Arg(0))
	if err != nil {
		return err
	}
	if *prune != "" {
		other, err := openNet(*prune)
		if err != nil {
			return err
		}
		if nets, err = nets.WithPruning(other); err != nil {
			return fmt.Errorf("pruning nets of %s: %w", *prune, err)
		}
	}
	err = atomicfile.Write(*out, func(w io.Writer) error { return netfile.WriteGNUbg(w, nets, *version) })
	if errors.Is(err, netfile.ErrNoPruning) {
		return fmt.Errorf("export %s: %w (--prune FILE takes them from another net)", f.Arg(0), err)
	}
	if err != nil {
		return fmt.Errorf("export %s: %w", f.Arg(0), err)
	}
	fmt.Fprintf(e.Stdout, "%s: %s as GNU Backgammon %s weights\n", *out, nets.Fingerprint(), *version)
	return nil
}

// sigmoidFlag reads the value of --sigmoid.
func sigmoidFlag(s string) (nn.Activation, error) {
	switch s {
	case "gnubg":
		return nn.SigmoidGNUbg, nil
	case "exact":
		return nn.Sigmoid, nil
	}
	return 0, usagef("--sigmoid %q: gnubg or exact expected", s)
}
