package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/internal/stats"
)

// equitiesOf evaluates the candidates of a file; nil where that is not asked for, or the
// player gives no equity.
func (o *scoreOptions) equitiesOf(ctx context.Context, e *env, f *bm.File,
	p opponents.Player) (*score.EquityErrors, error) {
	if !o.equities {
		return nil, nil
	}
	bar := newProgress(e, len(f.Records), "decisions' equities")
	errs, err := score.Equities(ctx, p, f, score.Options{Workers: o.workers, Progress: bar.Set})
	if err != nil {
		return nil, fmt.Errorf("equities of %s: %w", p.Name(), err)
	}
	bar.end()
	return errs, nil
}

// withinDifference is the first player's error within a decision less the second's, on
// the decisions that include selects; nil unless equityOf both is something.
func (s *scored) withinDifference(include func(i int) bool) *stats.Stat {
	if len(s.equities) < 2 || s.equityOf(0, include) == nil || s.equityOf(1, include) == nil {
		return nil
	}
	d := s.equities[0].WithinLess(s.equities[1], include)
	return &d
}

// equityOf sums up a player's equity errors; nil where it gives no equity, or no
// decision has two candidates.
func (s *scored) equityOf(player int, include func(i int) bool) *score.EquityError {
	if s.equities[player] == nil {
		return nil
	}
	e := s.equities[player].SummaryOf(include)
	if e.Decisions == 0 {
		return nil
	}
	return &e
}

func everyRecord(int) bool { return true }

// printEquities writes how far the players' equities are from the rollouts'.
func (r *scoreReport) printEquities(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	titled := false
	for i, p := range r.players {
		for _, s := range r.all {
			e := s.equityOf(i, everyRecord)
			if e == nil {
				continue
			}
			if !titled {
				titled = true
				fmt.Fprintln(out, "\nRms error of the candidates' equities in points, in all and within a decision:")
				fmt.Fprint(w, "player\tfile\tdecisions\tcandidates\trms\t± se\twithin\t± se\t\n")
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.5f\t%.5f\t%.5f\t%.5f\t\n", p.Name(), filepath.Base(s.file.Name),
				e.Decisions, e.Candidates, e.RMS, e.RMSSE, e.Within, e.WithinSE)
		}
	}
	w.Flush()
}

// printWithin writes the errors within a decision by one kind of group.
func (r *scoreReport) printWithin(out io.Writer, s *scored, title string, groups []score.Group) {
	var players []int
	for i := range s.equities {
		if s.equityOf(i, everyRecord) != nil {
			players = append(players, i)
		}
	}
	if len(players) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s, rms error within a decision, by %s:\n", filepath.Base(s.file.Name), title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tdecisions\t")
	for _, i := range players {
		fmt.Fprintf(w, "%s\t± se\t", r.players[i].Name())
	}
	if len(players) == 2 {
		fmt.Fprint(w, "difference\t± se\t")
	}
	fmt.Fprintln(w)
	for _, g := range groups {
		if s.equityOf(players[0], g.Include) == nil {
			continue // none of them has two candidates
		}
		for k, i := range players {
			e := s.equityOf(i, g.Include)
			if k == 0 {
				fmt.Fprintf(w, "%s\t%d\t", g.Name, e.Decisions)
			}
			fmt.Fprintf(w, "%.4f\t%.4f\t", e.Within, e.WithinSE)
		}
		if d := s.withinDifference(g.Include); d != nil {
			fmt.Fprintf(w, "%+.4f\t%.4f\t", d.Mean, d.SE)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}
