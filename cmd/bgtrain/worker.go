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
	w := farm.Worker{CacheMB: job.DefaultPlayer().CacheMB, Log: farmLog(e)}
	w.List().AddFlags(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return usagef("no arguments expected")
	}
	if err := checkFarm(&w.Address, true); err != nil {
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
	if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
