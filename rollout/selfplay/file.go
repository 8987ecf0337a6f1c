package selfplay

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
)

// File is a database of positions to generate.
type File struct {
	Settings
	Number int // positions, divided by Shares
	Shares Shares
	Output string
	Nets   []string // of the rivals
	Plans  bg.PlanFilter
}

// List returns each setting: its flag, what it may be, what it does.
func (o *File) List() setting.List {
	l := setting.List{
		{Name: "number", Short: "n", To: &o.Number, Range: setting.From(1, 1e9), Help: "positions to keep"},
		{Name: "output", Short: "o", To: &o.Output, Help: "database to write, one file"},
		{Name: "share", To: &o.Shares, Help: "shares of the classes contact, crashed, race, bearoff"},
		{Name: "rivals", To: &o.Nets, Help: "nets whose equities at 0-ply 'differ' compares with the player's"},
	}
	return append(append(l, dataset.PlanSettings(&o.Plans, "")...), o.Settings.List()...)
}

// FileHooks are what a file takes besides its settings.
type FileHooks struct {
	Exclude  func(bg.Key) bool // positions that are not wanted
	Excluded string            // digest of these
	Progress func(done, total int)
	Resumed  func(games int) // an earlier run is gone on with
}

// Make plays games of a player against itself until the positions are found, and writes
// them. Interrupted, the same call goes on from the journal beside the output. command
// is kept in the database.
func (o *File) Make(ctx context.Context, by *job.PlayerSettings, command string, h FileHooks) (*Summary, error) {
	_, have, how, err := by.Read()
	if err != nil {
		return nil, err
	}
	p, err := how.Open(ctx, have, by.CacheMB)
	if err != nil {
		return nil, err
	}
	id := how.Identity(o.Select.Ply(), o.Select.Ply())
	rivals, err := o.openRivals(ctx, how, by.CacheMB)
	if err != nil {
		return nil, err
	}
	if rivals != "" {
		id["rivals"] = rivals
	}
	id["excluded"], id["selfplay"] = h.Excluded, strings.TrimSuffix(o.Describe()+" "+o.Plans.String(), " ")
	id.Add("seed", o.Seed)
	journal, err := OpenJournal(o.Output+".journal", id)
	if err != nil {
		return nil, err
	}
	if journal.Games() > 0 {
		h.Resumed(journal.Games())
	}
	found, report, err := Generate(ctx, p, o.Settings, Hooks{
		Exclude:  func(k bg.Key) bool { return h.Exclude(k) || !o.Plans.KeepsKey(k) },
		Progress: h.Progress,
		Journal:  journal,
	})
	meta := dataset.MetaOf(id)
	meta.Command = command
	if err == nil {
		err = Write(o.Output, meta, found)
	}
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	if err := journal.Remove(); err != nil {
		return nil, err
	}
	return Summarize(o.Output, report.Games, found)
}

// openRivals opens the players of Nets, which evaluate as the player does, and returns
// the fingerprints of the nets.
func (o *File) openRivals(ctx context.Context, how job.Player, cacheMB int) (string, error) {
	var prints []string
	for _, name := range o.Nets {
		set, err := data.OpenNet(name)
		if err != nil {
			return "", fmt.Errorf("--rivals: %w", err)
		}
		rival, have := how, job.Nets{}
		have.Add(set)
		rival.Net, rival.FilterNet = set.Fingerprint(), ""
		p, err := rival.Open(ctx, have, cacheMB)
		if err != nil {
			return "", fmt.Errorf("--rivals %s: %w", name, err)
		}
		o.Rivals, prints = append(o.Rivals, p), append(prints, rival.Net)
	}
	return strings.Join(prints, ","), nil
}
