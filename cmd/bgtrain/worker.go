package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bgtrain/rollout/farm"
	"bgtrain/rollout/job"
)

func runWorker(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "worker --farm URL [flags]",
		`Computes chunks for the commands that run with --farm, until it is stopped. It may come
and go at any time: what it holds is given back, or computed by others.`,
		"bgtrain worker --farm nats://127.0.0.1:4222")
	var a addressFlags
	a.add(f)
	var w farm.Worker
	f.IntVar(&w.Slots, "workers", 0, "chunks computed at the same time, 0 one a processor")
	f.StringVar(&w.Cache, "store", "", "directory for nets and positions (default the user's cache directory)")
	f.IntVar(&w.CacheMB, "cache", 256,
		"size of each run's position cache in MiB, 0 for none (rollouts at 0-ply have none unless this is set)")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 || w.Slots < 0 || w.CacheMB < 0 {
		return usagef("no arguments, --workers and --cache 0 or more expected")
	}
	if err := a.check(true); err != nil {
		return err
	}
	if !f.Changed("cache") {
		w.CacheMB = job.AutoCache
	}
	if w.Cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("--store DIR is needed here: %w", err)
		}
		w.Cache = filepath.Join(base, "bgtrain", "farm")
	}
	var err error
	if w.Version, err = programVersion(); err != nil {
		return err
	}
	w.Address, w.Log = a.Address, farmLog(e)
	if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
