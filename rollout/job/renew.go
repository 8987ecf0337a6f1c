package job

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/identity"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/rollout/label"
)

// Renew gives labels anew by the values of other nets. Followed trials, made with
// Settings.Ends, have them on their way, see rollout.Renewal: one file is made as a whole, as
// ten thousands of rows take a second. Values of look-ahead go on by a ply, see
// rollout.Further, in parts as Database makes them.
type Renew struct {
	Input    *dataset.DB
	Output   string
	Old, New *nets.Set // those that made Input, by its metadata, and others
	Lambda   float64   // of trials
	Seed     uint64    // of the rolls after values
	Workers  int
	Command  string // for the metadata
}

// Make writes the output and returns what is in it. The players evaluate as Input's did.
func (r *Renew) Make(ctx context.Context, progress func(done, total int)) (report dataset.Report, err error) {
	made := r.Input.Meta()
	if print := r.Old.Fingerprint(); made.Net != "" && made.Net != print {
		return report, fmt.Errorf("%s: made by net %s, not by %s", r.Input.Path(), made.Net, print)
	}
	for ply := range player.MaxPly {
		if rollout.GoesFurther(ply) && made.Extra["label"] == label.Method(ply) {
			return r.further(ctx, ply+1, progress)
		}
	}
	if made.Extra["ends"] == "" {
		return report, fmt.Errorf("%s: neither trials with their ends, of rollout --follow --ends, nor values of "+
			"look-ahead, of label", r.Input.Path())
	}
	have := Nets{}
	how := Player{Net: have.Add(r.Old)}
	by := how
	by.Net = have.Add(r.New)
	renewal := rollout.Renewal{Lambda: r.Lambda, Workers: r.Workers}
	for _, p := range []struct {
		how Player
		to  **player.Player
	}{{how, &renewal.Old}, {by, &renewal.New}} {
		if *p.to, err = p.how.Open(ctx, have, 0); err != nil {
			return report, err
		}
	}
	id := identity.ID{"net": by.Net, "renewed": made.Net}
	id.Add("lambda", r.Lambda)
	id.AddAll("", by.Describe(0, 0))
	meta := dataset.MetaOf(id)
	meta.Command = r.Command
	w, err := dataset.Create(r.Output, dataset.Options{Meta: meta})
	if err != nil {
		return report, err
	}
	defer w.Abort()
	report, err = renewal.Database(ctx, r.Input, w, progress)
	if err != nil {
		return report, fmt.Errorf("%s: %w", r.Input.Path(), err)
	}
	return report, w.Close()
}

// furtherChunk is how many rows of values are kept together.
const furtherChunk = 4096

// further gives rows values of a ply, by those that they have of a ply less.
func (r *Renew) further(ctx context.Context, ply int, progress func(done, total int)) (report dataset.Report,
	err error) {
	have := Nets{}
	s := Settings{Kind: Further, Ply: ply, Player: Player{Net: have.Add(r.New), Prune: true}, From: have.Add(r.Old)}
	s.Rollout.Seed = r.Seed
	j, err := Open(ctx, s, have, AutoCache)
	if err != nil {
		return report, err
	}
	d := Database{Input: r.Input, Output: r.Output, Chunk: furtherChunk, Command: r.Command}
	if _, err = d.Make(ctx, j, Local{r.Workers}, Hooks{Progress: progress}); err != nil {
		return report, err
	}
	made, err := dataset.Open(r.Output)
	if err != nil {
		return report, err
	}
	for b, err := range made.Batches(ctx, dataset.Filter{Columns: dataset.ColClass}) {
		if err != nil {
			return report, err
		}
		report.Rows += int64(b.Len())
		for i := range b.Len() {
			report.Classes[b.Row(i).Class]++
		}
	}
	return report, nil
}
