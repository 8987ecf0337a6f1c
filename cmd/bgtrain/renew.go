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
		`Labels anew by the values of a newer net, --net. Of followed trials, of rollout --follow --ends, they
take the place of those of --from on the way; plays and luck stay, so it takes two evaluations a position. Values
by look-ahead of --from, of label, go on by a ply: after one roll, drawn by chance, what --net sees there takes the
place of what --from saw: in the mean that is a ply more, for twice the time, not 21 times. Interrupted, the same
command goes on with these.`,
		"bgtrain renew trials.parquet --from before.safetensors --net newest.safetensors --lambda 0.8 -o labels.parquet")
	r := job.Renew{Lambda: 0.75, Seed: 1}
	var from, net string
	setting.List{
		{Name: "from", To: &from, Help: "the net that made the labels: a file or an embedded net"},
		{Name: "net", To: &net, Help: "the net whose values they get: a file or an embedded net"},
		{Name: "lambda", To: &r.Lambda, Range: setting.From(0, 1), Help: "as of rollout --follow, of the labels anew"},
		{Name: "seed", To: &r.Seed, Help: "seed of the rolls after values by look-ahead"},
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
