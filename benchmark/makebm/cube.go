package makebm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/identity"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

// CubeSettings state which cube decisions a benchmark has, besides Settings: of those,
// what is about candidates has no meaning but Margin, within which of each other the
// equities of double and no double, or of take and pass, are by the model.
type CubeSettings struct {
	Model   cube.Model // finds the decisions, and handles the cube in their rollouts; nil: no cube decisions
	Table   *met.Table // of the matches, nil the default one
	Matches float64    // share of the decisions that are of matches, the rest is for money
	Length  int        // most points away in these
}

// CubeDefaults are the settings of the command.
var CubeDefaults = CubeSettings{Matches: 0.5, Length: 9}

// List returns each setting: its flag, what it may be, what it does.
func (s *CubeSettings) List() setting.List {
	return setting.List{
		{Name: "cube", To: cube.ModelOrNone(&s.Model), Help: "cube decisions instead of plays, near the points of a " +
			"model that also handles the cube in their rollouts: " + cube.Models},
		met.Setting(&s.Table, "--cube"),
		{Name: "matches", To: &s.Matches, Range: setting.From(0, 1), Help: "with --cube: share of the decisions that are " +
			"of matches, at scores drawn by chance"},
		{Name: "away", To: &s.Length, Range: setting.From(2, met.MaxLength), Help: "with --cube: most points away in these"},
	}
}

// Describe returns what the decisions depend on besides the player, as text.
func (s *CubeSettings) Describe() string {
	return fmt.Sprintf("cube decisions near the points of %s, %g of them in matches up to %d away by %s", s.Model,
		s.Matches, s.Length, s.Table.Name)
}

// CubeFile states which benchmark file of cube decisions is made.
type CubeFile struct {
	Output string
	Settings
	CubeSettings
	From     []string // benchmark files whose cube decisions are rolled out, in place of self-play's
	Rollouts job.Settings
	Nets     job.Nets
	CacheMB  int
	Excluded string // identifies the positions that Hooks.Exclude leaves out
}

// Make makes the file: decisions of self-play, each rolled out with the cube in play, and
// without it for the outputs of its o record. Interrupted or killed, the same call goes on
// from the journal beside the file; Hooks.Journal is not looked at.
func (f *CubeFile) Make(ctx context.Context, h Hooks) (report CubeReport, err error) {
	begun := time.Now()
	if f.Table, err = f.Table.OrDefault(); err != nil {
		return report, err
	}
	f.Rollouts.Kind = job.Rollout
	j, err := job.Open(ctx, f.Rollouts, f.Nets, f.CacheMB)
	if err != nil {
		return report, err
	}
	given, err := readCubes(f.From, h.Exclude)
	if err != nil {
		return report, err
	}
	id := f.identity(j, given)
	settings := describe(id)
	id["excluded"] = f.Excluded
	journal, err := beginJournal[cubeDecision, cubeResult](f.Output+".journal", "makebm-cubes", id, given)
	if err != nil {
		return report, err
	}
	m := &cubeMaker{newSearch(&f.Settings, &h, journal), f}
	if decisions, done := journal.Done(); h.Resumed != nil && decisions > 0 {
		h.Resumed(decisions, done)
	}
	if given == nil {
		err = m.find(ctx, func() finder[cubeDecision] { return newCubeFinder(j.Player, f) })
	}
	if err == nil {
		err = m.roll(ctx, j)
	}
	if err == nil {
		report = m.report()
		err = m.write(settings, &report)
	}
	if err != nil {
		return report, errors.Join(err, journal.Close())
	}
	report.Elapsed = time.Since(begun).Seconds()
	return report, journal.Remove()
}

func (f *CubeFile) identity(j *job.Job, given []cubeDecision) identity.ID {
	id := maps.Clone(j.ID)
	if given != nil {
		h := sha256.New()
		fmt.Fprintln(h, given)
		id["decisions"] = fmt.Sprintf("%d cube decisions given, digest %x, cube handled by %s, matches by %s", len(given),
			h.Sum(nil)[:8], f.Model, f.Table.Name)
		return id
	}
	id["decisions"] = fmt.Sprintf("%s within %g; %s", f.CubeSettings.Describe(), f.Margin, f.describeGames())
	return id
}

// cubeMaker is a run.
type cubeMaker struct {
	search[cubeDecision, cubeResult]
	f *CubeFile
}

// cubeResult is the rollout of a cube decision.
type cubeResult struct {
	Outputs bg.Outputs
	Rolled  bm.RolledCube
}

func (cubeResult) check() error { return nil } // JSON has finite numbers only

// outputPlies is how far the cubeless rollouts go of which o records have the outputs.
const outputPlies = 11

// roll rolls out what the journal lacks, one decision a goroutine.
func (m *cubeMaker) roll(ctx context.Context, j *job.Job) error {
	o := j.Engine.Options()
	with, err := rollout.NewCubeEngine(j.Player, o, cube.Handling{Model: m.f.Model})
	if err != nil {
		return err
	}
	o.Truncate = outputPlies
	without, err := rollout.NewEngine(j.Player, o)
	if err != nil {
		return err
	}
	var todo []int
	for i := range m.j.decisions {
		if m.j.result(candidate{i, 0}) == nil {
			todo = append(todo, i)
		}
	}
	all := len(m.j.decisions)
	m.progress(Rolling, all-len(todo), all)
	var mu sync.Mutex // guards the journal
	return parallel.For(ctx, m.f.Workers, len(todo), func(_, k int) error {
		i := todo[k]
		r, err := rollCube(ctx, with, without, &m.j.decisions[i], m.f.Table)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if err := m.j.addResult(candidate{i, 0}, r); err != nil {
			return err
		}
		m.progress(Rolling, len(m.j.results), all)
		return nil
	})
}

// rollCube rolls out a decision.
func rollCube(ctx context.Context, with *rollout.CubeEngine, without *rollout.Engine, d *cubeDecision,
	t *met.Table) (*cubeResult, error) {
	b, err := d.Key.Board()
	if err != nil {
		return nil, err
	}
	s := d.state(t)
	rolled, err := with.Decide(ctx, &b, &s, rollout.Watch[*rollout.CubeDecision]{Workers: 1})
	if err != nil {
		return nil, err
	}
	plain, err := without.Rollout(ctx, &b, 1, nil)
	if err != nil {
		return nil, err
	}
	if !isFinite(rolled.NoDouble.SE) || !isFinite(rolled.Gain.SE) {
		return nil, errors.New("rollout of " + d.Key.String() + " gave no finite standard error")
	}
	return &cubeResult{plain.Outputs, bm.RolledCube{
		Away: d.Away, Opponent: d.Opponent, Cube: d.Cube,
		NoDouble: rolled.NoDouble.Mean, DoubleTake: rolled.DoubleTake.Mean, SE: rolled.NoDouble.SE,
		GainSE: rolled.Gain.SE, Trials: rolled.Trials,
	}}, nil
}

func (m *cubeMaker) write(settings string, r *CubeReport) error {
	return bm.WriteFile(m.f.Output, func(w *bm.Writer) error {
		w.Comment(fmt.Sprintf("%d cube decisions, %d of them in matches, rolled out with the cube; standard error of "+
			"no double %.4f on average, of double and take less no double %.4f.", r.Decisions, r.Matches, r.SE, r.GainSE))
		w.Comment(fmt.Sprintf("o KEY p1 p2 p3 p4 p5: without the cube, %d plies.", outputPlies))
		w.Comment("#D KEY SCORE CUBE nodouble doubletake SE SE(difference) trials: with it; the points away of the " +
			"player on roll come first.")
		w.Settings(settings)
		for i, d := range m.j.decisions {
			c := m.j.result(candidate{i, 0})
			w.Cube(&bm.CubeRecord{Key: d.Key, Outputs: c.Outputs, Rolled: &c.Rolled})
		}
		return nil
	})
}
