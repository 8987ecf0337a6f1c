package job

import (
	"context"
	"fmt"

	"bgtrain/dataset"
	"bgtrain/internal/identity"
	"bgtrain/internal/nets"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

// Renew gives followed trials, made with Settings.Ends, labels anew by the values of other
// nets, see rollout.Renewal. It makes one file as a whole: ten thousands of rows take a
// second.
type Renew struct {
	Input    *dataset.DB
	Output   string
	Old, New *nets.Set // those that made Input, by its metadata, and others
	Lambda   float64
	Workers  int
	Command  string // for the metadata
}

// Make writes the output and returns what is in it. The players evaluate as Input's did.
func (r *Renew) Make(ctx context.Context, progress func(done, total int)) (report dataset.Report, err error) {
	made := r.Input.Meta()
	if print := r.Old.Fingerprint(); made.Net != "" && made.Net != print {
		return report, fmt.Errorf("%s: made by net %s, not by %s", r.Input.Path(), made.Net, print)
	}
	if made.Extra["ends"] == "" {
		return report, fmt.Errorf("%s: no trials with their ends: rollout --follow --ends makes them", r.Input.Path())
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
