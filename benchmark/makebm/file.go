package makebm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/identity"
	"bgtrain/rollout/job"
)

// Making states where a benchmark file goes, and how its decisions are found and rolled out.
type Making struct {
	Output   string
	Settings // of the decisions of self-play

	Rollouts job.Settings // of a position
	Nets     job.Nets     // all that the rollouts name
	CacheMB  int          // of the rollouts' position cache, see job.Open
	Runner   job.Runner
	Chunk    int // decisions that are rolled out, and kept in the journal, together

	Excluded string // identifies the positions that Hooks.Exclude leaves out
}

// File states which benchmark file of plays is made.
type File struct {
	Making
	Given     *Given // the decisions, in place of self-play's
	PlayCache int    // MiB of the position cache of self-play, which has look-ahead
}

// Make makes the file. Interrupted or killed, the same call goes on from the journal
// beside the file, which goes when the file is whole; Hooks.Journal is not looked at.
func (f *File) Make(ctx context.Context, h Hooks) (report Report, err error) {
	begun := time.Now()
	f.Rollouts.Kind, f.Rollouts.Group = job.Compare, f.Candidates
	if f.Given != nil {
		f.Rollouts.Group = f.Given.Candidates()
	}
	j, err := job.Open(ctx, f.Rollouts, f.Nets, f.CacheMB)
	if err != nil {
		return report, err
	}
	id := f.identity(j)
	settings := describe(id)
	id["excluded"] = f.Excluded
	if h.Journal, err = OpenJournal(f.Output+".journal", id, f.Given); err != nil {
		return report, err
	}
	decisions, candidates := h.Journal.Done()
	if h.Resumed != nil && (candidates > 0 || decisions > 0 && f.Given == nil) {
		h.Resumed(decisions, candidates)
	}
	if report, err = f.write(ctx, j, settings, h); err != nil {
		return report, errors.Join(err, h.Journal.Close())
	}
	if report.Output, report.given = f.Output, f.Given != nil; report.given {
		_, report.Left = f.Given.Count()
	}
	report.Elapsed = time.Since(begun).Seconds()
	return report, h.Journal.Remove()
}

// write makes the records, and writes what the file is as comments and an s record, then
// the decisions.
func (f *File) write(ctx context.Context, j *job.Job, settings string, h Hooks) (Report, error) {
	ro := Rollouts{Job: j, Runner: f.Runner, Chunk: f.Chunk}
	var records []bm.Record
	var r Report
	if f.Given != nil {
		var err error
		if records, r, err = RollOut(ctx, f.Given, ro, h); err != nil {
			return r, err
		}
	} else {
		p, err := f.Rollouts.Player.Open(ctx, f.Nets, f.PlayCache)
		if err != nil {
			return r, err
		}
		if records, r, err = Make(ctx, p, ro, f.Settings, h); err != nil {
			return r, err
		}
	}
	return r, bm.WriteFile(f.Output, func(bw *bm.Writer) error {
		bw.Comment(fmt.Sprintf("%d decisions, %d candidates rolled out, with common dice; standard error of what "+
			"one is behind the best %.4f on average, %.4f at most.",
			len(records), r.Candidates, r.SE, r.WorstSE))
		bw.Comment("#R KEY p1 p2 p3 p4 p5: a candidate after the play, rolled out, the opponent on roll.")
		bw.Settings(settings)
		for i := range records {
			bw.Record(&records[i])
		}
		return nil
	})
}

// identity returns what the records depend on besides the positions excluded.
func (f *File) identity(j *job.Job) identity.ID {
	id := maps.Clone(j.ID)
	delete(id, "group") // those of fewer candidates are filled up
	if f.Given != nil {
		id["decisions"] = f.Given.Describe()
		return id
	}
	id["decisions"] = f.Describe()
	id.AddAll("", j.Settings.Player.Describe(f.Ply, 0))
	return id
}

// describe returns an identity as the settings of a benchmark file have it.
func describe(id identity.ID) string {
	text := fmt.Sprintf("bgtrain makebm: %s; net %s", id["decisions"], id["net"])
	for _, name := range slices.Sorted(maps.Keys(id)) {
		if !slices.Contains([]string{"decisions", "net", "seed"}, name) {
			text += fmt.Sprintf("; %s %s", name, strings.TrimPrefix(id[name], name+" "))
		}
	}
	return fmt.Sprintf("%s; dice seed=%s", text, id["seed"])
}
