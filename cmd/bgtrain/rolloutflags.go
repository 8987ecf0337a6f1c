package main

import (
	"context"

	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// rolloutFlags are the flags that describe how positions are rolled out, shared by
// the commands that do so.
type rolloutFlags struct {
	job.RolloutSettings
	flags *pflag.FlagSet
}

// add adds the flags with the defaults of a command; see job.RolloutSettings.List.
func (r *rolloutFlags) add(f *pflag.FlagSet, defaults rollout.Options, subject, seedOf string) {
	r.RolloutSettings, r.flags = job.DefaultRollout(defaults), f
	setting.List{r.NetSetting()}.AddFlags(f)
	r.Evaluation().AddFlags(f)
	r.Filters().AddFlags(f)
	section(f, "The player", "net", "one-sided", "two-sided", "cache", "prune", "filter", "filter-net")
	r.List(subject, seedOf).AddFlags(f)
}

// settings returns the job of rolling positions out that the flags describe, and
// the nets that it needs.
func (r *rolloutFlags) settings() (job.Settings, job.Nets, error) {
	if err := r.Check(r.flags.Changed); err != nil {
		return job.Settings{}, nil, usageError{err}
	}
	return r.Job(r.flags.Changed)
}

// cacheMB returns the size of the position cache that the flags ask for.
func (r *rolloutFlags) cacheMB() int {
	if r.flags.Changed("cache") {
		return r.CacheMB
	}
	return job.AutoCache
}

// open returns the job that the flags describe.
func (r *rolloutFlags) open(ctx context.Context) (*job.Job, error) {
	s, have, err := r.settings()
	if err != nil {
		return nil, err
	}
	return job.Open(ctx, s, have, r.cacheMB())
}
