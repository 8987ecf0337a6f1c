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
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

// Stage is a part of the work.
type Stage string

// The stages.
const (
	Finding Stage = "decisions"  // counted in decisions found
	Rolling Stage = "candidates" // counted in candidates rolled out
)

// Hooks let a caller follow a run; Exclude and Progress may be nil.
type Hooks struct {
	// Exclude tells positions that are not wanted, before or after a play.
	Exclude func(bg.Key) bool
	// Progress is told how far a stage is. It is never called by two goroutines
	// at once.
	Progress func(stage Stage, have, want int)
	// Journal keeps what was done, so that a run that was killed goes on. There
	// must be one; the caller closes it.
	Journal *Journal
}

// Report says how a benchmark was made.
type Report struct {
	Games      int
	Count      [bg.NumClasses]int // decisions by class
	Candidates int
	Trials     int     // of all rollouts
	SE         float64 // mean standard error of a candidate's equity, points; exact ones count as 0
	WorstSE    float64
}

// Make makes the records of a benchmark: p chooses plays and candidates, engine
// rolls the candidates out.
func Make(ctx context.Context, p *player.Player, engine *rollout.Engine, s Settings, h Hooks) ([]bm.Record, Report, error) {
	if err := s.Check(); err != nil {
		return nil, Report{}, err
	}
	m := &maker{s: &s, h: &h, j: h.Journal, seen: map[play]bool{}}
	for i := range m.j.decisions {
		d := &m.j.decisions[i]
		if !m.keep(d) {
			return nil, Report{}, fmt.Errorf("%s: decision %d does not belong to this run; remove the file to begin anew", m.j.Name(), i+1)
		}
	}
	if err := m.find(ctx, p); err != nil {
		return nil, Report{}, err
	}
	if err := m.roll(ctx, engine); err != nil {
		return nil, Report{}, err
	}
	records, report := m.records(engine.Options().Seed)
	return records, report, nil
}

// maker is a run.
type maker struct {
	s     *Settings
	h     *Hooks
	j     *Journal
	count [bg.NumClasses]int
	seen  map[play]bool
}

func (m *maker) progress(stage Stage, have, want int) {
	if m.h.Progress != nil {
		m.h.Progress(stage, have, want)
	}
}

// roll rolls out every candidate that the journal has no result for.
func (m *maker) roll(ctx context.Context, engine *rollout.Engine) error {
	var todo []candidate
	want := 0
	for i := range m.j.decisions {
		for k := range m.j.decisions[i].Candidates {
			want++
			if c := (candidate{i, k}); m.j.result(c) == nil {
				todo = append(todo, c)
			}
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex // guards next, done and the journal
	next, done := 0, want-len(todo)
	take := func() (c candidate, key bg.Key, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(todo) || ctx.Err() != nil {
			return c, key, false
		}
		c = todo[next]
		next++
		return c, m.j.decisions[c.decision].Candidates[c.index], true
	}
	put := func(c candidate, r *result) error {
		mu.Lock()
		defer mu.Unlock()
		if err := m.j.addResult(c, r); err != nil {
			return err
		}
		done++
		m.progress(Rolling, done, want)
		return nil
	}
	m.progress(Rolling, done, want)
	var wg sync.WaitGroup
	for range min(m.s.Workers, len(todo)) {
		wg.Go(func() {
			roller := engine.NewRoller()
			for {
				c, key, ok := take()
				if !ok {
					return
				}
				r, err := rollOut(ctx, roller, key)
				if err == nil {
					err = put(c, r)
				}
				if err != nil {
					stop(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if done == want {
		return nil
	}
	return context.Cause(ctx)
}

func rollOut(ctx context.Context, roller *rollout.Roller, k bg.Key) (*result, error) {
	b, err := k.Board()
	if err != nil {
		return nil, fmt.Errorf("candidate %s: %w", k, err)
	}
	r, err := roller.Rollout(ctx, &b)
	if err != nil {
		return nil, err
	}
	if !isFinite(r.EquitySE) {
		return nil, errors.New("rollout of " + k.String() + " gave no finite standard error")
	}
	return &result{Outputs: r.Outputs, SE: r.EquitySE, Trials: r.Trials}, nil
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// records turns what the journal holds into the benchmark's records.
func (m *maker) records(seed uint64) ([]bm.Record, Report) {
	report := Report{Games: m.j.games, Count: m.count}
	records := make([]bm.Record, len(m.j.decisions))
	for i := range m.j.decisions {
		d := &m.j.decisions[i]
		outputs := make([]bg.Outputs, len(d.Candidates))
		for k := range d.Candidates {
			r := m.j.result(candidate{i, k})
			outputs[k] = r.Outputs
			report.Candidates++
			report.Trials += r.Trials
			report.SE += r.SE
			report.WorstSE = max(report.WorstSE, r.SE)
		}
		records[i] = record(d, outputs, seed)
	}
	report.SE /= float64(max(report.Candidates, 1))
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
