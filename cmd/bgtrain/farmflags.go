package main

import (
	"fmt"
	"os"
	"path/filepath"

	"bgtrain/rollout/farm"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// farmSection is the heading of the flags of a farm.
const farmSection = "On a farm of machines"

// checkFarm refuses a farm that is none, or none where one is needed.
func checkFarm(a *farm.Address, needed bool) error {
	switch {
	case a.URLs == "" && (needed || a.Key != "" || a.CA != ""):
		return usagef("--farm URL expected")
	case a.URLs == "":
		return nil
	}
	if err := a.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// farmFlags state where a command's work is computed.
type farmFlags struct {
	farm.Runner
	flags *pflag.FlagSet
}

func (o *farmFlags) add(f *pflag.FlagSet) {
	o.Audit, o.Replicas, o.flags = 0.01, 1, f
	o.List().AddFlags(f)
	section(f, farmSection, "farm", "key", "ca", "audit", "replicas")
}

func (o *farmFlags) check() error {
	return checkFarm(&o.Address, o.flags.Changed("audit") || o.flags.Changed("replicas"))
}

// runner returns what computes a command's chunks: this process, or a farm, where
// the parts go to output.
func (o *farmFlags) runner(e *env, workers int, output string) (job.Runner, error) {
	if o.Address.URLs == "" {
		return job.Local{Workers: workers}, nil
	}
	var err error
	if o.Version, err = programVersion(); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(output)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("name of this machine: %w", err)
	}
	o.Place, o.Log = host+":"+path, farmLog(e)
	return o.Runner, nil
}

// farmLog prints what a farm's parties say.
func farmLog(e *env) func(string) {
	return func(line string) { fmt.Fprintf(e.Stderr, "farm: %s\n", line) }
}
