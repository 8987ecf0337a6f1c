package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"bgtrain/rollout/farm"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// addressFlags say which farm a command goes to.
type addressFlags struct{ farm.Address }

func (a *addressFlags) add(f *pflag.FlagSet) {
	f.StringVar(&a.URLs, "farm", "", "the farm: nats://HOST:PORT or tls://HOST:PORT, several with commas")
	f.StringVar(&a.Key, "key", "", "file with the secret key that opens the farm, see 'bgtrain farm key'")
	f.StringVar(&a.CA, "ca", "", "file with the certificates that the farm's is signed by (default: the system's)")
}

// farmSection is the heading of the flags of a farm.
const farmSection = "On a farm of machines"

// check refuses a farm that is none.
func (a *addressFlags) check(needed bool) error {
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

// farmFlags say where a command's work is computed.
type farmFlags struct {
	addressFlags
	audit    string
	replicas int
	share    float64 // of audit
	flags    *pflag.FlagSet
}

func (o *farmFlags) add(f *pflag.FlagSet) {
	o.flags = f
	o.addressFlags.add(f)
	f.StringVar(&o.audit, "audit", "1%", "with --farm: share of the chunks that two workers compute, to be compared")
	f.IntVar(&o.replicas, "replicas", 1,
		"with --farm: replicas of its streams in a cluster, where they are not there yet")
	section(f, farmSection, "farm", "key", "ca", "audit", "replicas")
}

func (o *farmFlags) check() error {
	if err := o.addressFlags.check(o.flags.Changed("audit") || o.flags.Changed("replicas")); err != nil {
		return err
	}
	number, percent := strings.CutSuffix(o.audit, "%")
	share, err := strconv.ParseFloat(number, 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return usagef("--audit %q: a share such as 1%% or 0.01 expected", o.audit)
	}
	if o.replicas < 1 || o.replicas > 5 {
		return usagef("--replicas %d: 1 to 5 expected", o.replicas)
	}
	o.share = share
	return nil
}

// runner returns what computes a command's chunks: this process, or a farm, where
// the parts go to output.
func (o *farmFlags) runner(e *env, workers int, output string) (job.Runner, error) {
	if o.URLs == "" {
		return job.Local{Workers: workers}, nil
	}
	version, err := programVersion()
	if err != nil {
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
	return farm.Runner{
		Address: o.Address, Version: version, Place: host + ":" + path, Audit: o.share, Replicas: o.replicas,
		Log: farmLog(e),
	}, nil
}

// farmLog prints what a farm's parties say.
func farmLog(e *env) func(string) {
	return func(line string) { fmt.Fprintf(e.Stderr, "farm: %s\n", line) }
}

// programVersion tells programs that may compute something else apart: by release,
// by commit, or else by the bytes of the program itself.
func programVersion() (string, error) {
	if release != "development" {
		return release, nil
	}
	revision, modified := "", true
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				modified = s.Value != "false"
			}
		}
	}
	if revision != "" && !modified {
		return revision[:min(len(revision), 16)], nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("version of this program: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("version of this program: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("version of this program: %w", err)
	}
	return "built-" + hex.EncodeToString(h.Sum(nil)[:8]), nil
}
