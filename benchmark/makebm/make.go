package makebm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/rollout/job"
)

// Stage is a part of the work.
type Stage string

// The stages.
const (
	Finding Stage = "decisions"  // counted in decisions found
	Rolling Stage = "candidates" // counted in candidates rolled out
)

// Hooks let a caller follow a run; all but Journal may be nil.
type Hooks struct {
	// Exclude reports whether a position is not wanted, before or after a play.
	Exclude func(bg.Key) bool
	// Progress is told how far a stage is. It is never called by two goroutines
	// at once.
	Progress func(stage Stage, done, total int)
	// Resumed is called where File.Make goes on, with what is done.
	Resumed func(decisions, candidates int)
	// Journal keeps what was done, so that a run that was killed goes on. There
	// must be one; the caller closes it.
	Journal *Journal
}

// Rollouts describe how the candidates are rolled out.
type Rollouts struct {
	Job    *job.Job // of job.Compare, its groups of at least as many positions as a decision has candidates
	Runner job.Runner
	Chunk  int // decisions that are rolled out, and kept in the journal, together
}

// Make makes the records of a benchmark: p chooses plays and candidates, which
// are then rolled out.
func Make(ctx context.Context, p *player.Player, ro Rollouts, s Settings, h Hooks) ([]bm.Record, Report, error) {
	if err := s.Check(); err != nil {
		return nil, Report{}, err
	}
	m := &maker{newSearch(&s, &h, h.Journal)}
	if err := m.find(ctx, func() finder[decision] { return newFinder(p, &s) }); err != nil {
		return nil, Report{}, err
	}
	if err := m.roll(ctx, ro); err != nil {
		return nil, Report{}, err
	}
	records, report := m.records(ro.Job.Settings.Rollout.Seed)
	return records, report, nil
}

// maker is a run.
type maker struct{ search[decision, result] }

// roll rolls out every decision that the journal lacks a result of: those of a chunk
// together, the candidates of each as a group, which its last one fills up.
func (m *maker) roll(ctx context.Context, ro Rollouts) error {
	group := ro.Job.Settings.Group
	var all []candidate
	var keys []bg.Key
	candidates := 0
	for i := range m.j.decisions {
		of := m.j.decisions[i].Candidates
		if len(of) > group {
			return fmt.Errorf("decision %d has %d candidates, the rollouts groups of %d", i+1, len(of), group)
		}
		candidates += len(of)
		for k := range group {
			k = min(k, len(of)-1)
			all, keys = append(all, candidate{i, k}), append(keys, of[k])
		}
	}
	size := max(ro.Chunk, 1) * group
	t, err := job.NewTask(ctx, ro.Job, job.RowsOf(keys...), size, func(i int) bool { return m.j.result(all[i]) == nil })
	if err != nil {
		return err
	}
	_, done := m.j.Done()
	m.progress(Rolling, done, candidates)
	var mu sync.Mutex // guards done and the journal
	t.Put = func(i int, blocks [][]dataset.Row) error {
		mu.Lock()
		defer mu.Unlock()
		n := 0
		for _, row := range slices.Concat(blocks...) {
			c := all[i*size+n]
			n++
			if m.j.result(c) != nil {
				continue
			}
			r, err := rolledOut(&row)
			if err == nil {
				err = m.j.addResult(c, r)
			}
			if err != nil {
				return err
			}
			done++
		}
		m.progress(Rolling, done, candidates)
		return nil
	}
	return ro.Runner.Run(ctx, t)
}

// rolledOut returns what a row says of the rollout of its position.
func rolledOut(row *dataset.Row) (*result, error) {
	r := &result{Outputs: row.Outputs, SE: float64(row.EquitySE), Trials: int(row.Trials)}
	if !isFinite(r.SE) {
		return nil, errors.New("rollout of " + row.Key.String() + " gave no finite standard error")
	}
	return r, nil
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// records turns what the journal holds into the benchmark's records.
func (m *maker) records(seed uint64) ([]bm.Record, Report) {
	report := m.report()
	records := make([]bm.Record, len(m.j.decisions))
	for i := range m.j.decisions {
		d := &m.j.decisions[i]
		outputs := make([]bg.Outputs, len(d.Candidates))
		best := 0
		for k := range d.Candidates {
			r := m.j.result(candidate{i, k})
			outputs[k] = r.Outputs
			report.Candidates++
			report.Trials += r.Trials
			if equity(&r.Outputs) < equity(&outputs[best]) {
				best = k
			}
		}
		for k := range d.Candidates {
			if k != best {
				se := m.j.result(candidate{i, k}).SE
				report.SE += se
				report.WorstSE = max(report.WorstSE, se)
			}
		}
		records[i] = record(d, outputs, seed)
	}
	report.SE /= float64(max(report.Candidates-len(records), 1))
	return records, report
}

// record ranks the candidates of a decision by their rolled-out outputs, which
// the opponent sees: the best play leaves the opponent the least equity.
func record(d *decision, outputs []bg.Outputs, seed uint64) bm.Record {
	r := bm.Record{Key: d.Key, Dice: d.Dice, Seed: seed}
	left := make([]float64, len(outputs)) // to the opponent
	order := make([]int, len(outputs))
	for i := range outputs {
		left[i], order[i] = equity(&outputs[i]), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	least := left[order[0]]
	r.BestEquity = -least
	for _, i := range order {
		r.Candidates = append(r.Candidates, bm.Candidate{
			Key: d.Candidates[i], Loss: left[i] - least, Outputs: outputs[i], RolledOut: true,
		})
	}
	return r
}

// equity is Outputs.Equity without rounding, so that losses are good to the
// last decimal of a file.
func equity(o *bg.Outputs) float64 {
	return 2*float64(o[bg.Win]) - 1 + float64(o[bg.WinGammon]) + float64(o[bg.WinBackgammon]) -
		float64(o[bg.LoseGammon]) - float64(o[bg.LoseBackgammon])
}
