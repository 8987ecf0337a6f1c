package main

import (
	"context"

	"bgtrain/data"
	"bgtrain/dataset/convert"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
)

func runRenew(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "renew DB -o DB2.parquet [flags]",
		`Labels of followed trials anew, of rollout --follow --ends: values of --net on the way take the
place of those of --from. Plays and luck stay, so it takes two evaluations a position.`,
		"bgtrain renew trials.parquet --from before.safetensors --net newest.safetensors --lambda 0.8 -o labels.parquet")
	r := job.Renew{Lambda: 0.75}
	var from, net string
	setting.List{
		{Name: "from", To: &from, Help: "the net that made the trials: a file or an embedded net"},
		{Name: "net", To: &net, Help: "the net whose values they get: a file or an embedded net"},
		{Name: "lambda", To: &r.Lambda, Range: setting.From(0, 1), Help: "as of rollout --follow, of the labels anew"},
		parallel.Setting(&r.Workers),
	}.AddFlags(f)
	f.StringVarP(&r.Output, "output", "o", "", "the database to write (required)")
	asJSON := f.Bool("json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := needOne(f, "a database", r.Output, "DB2.parquet"); err != nil {
		return err
	}
	if from == "" || net == "" {
		return usagef("--from and --net are needed: the net that made the trials, and another")
	}
	var err error
	if r.Old, err = data.OpenNet(from); err != nil {
		return err
	}
	if r.New, err = data.OpenNet(net); err != nil {
		return err
	}
	if r.Input, err = data.OpenDatabase(f.Arg(0)); err != nil {
		return err
	}
	r.Command = commandLine("renew", f)
	bar := newProgress(e, 0, "rows")
	report, err := r.Make(ctx, bar.Set)
	bar.Done()
	if err != nil {
		return err
	}
	return e.print(convert.Summarize(r.Output, report), *asJSON)
}
