package makebm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/identity"
	"bgtrain/internal/setting"
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
	Making
	CubeSettings
	From []string // benchmark files whose cube decisions are rolled out, in place of self-play's
}

// Make makes the file: decisions of self-play, each rolled out with the cube in play, and
// without it for the outputs of its o record. Interrupted or killed, the same call goes on
// from the journal beside the file; Hooks.Journal is not looked at.
func (f *CubeFile) Make(ctx context.Context, h Hooks) (report CubeReport, err error) {
	begun := time.Now()
	if f.Table, err = f.Table.OrDefault(); err != nil {
		return report, err
	}
	f.Rollouts.Kind, f.Rollouts.Cube = job.Cubes, &job.CubeRules{Model: f.Model, Table: f.Table}
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
	delete(id, "cube") // the decisions say it
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

// roll rolls out what the journal lacks.
func (m *cubeMaker) roll(ctx context.Context, j *job.Job) error {
	rows := make(job.Rows, len(m.j.decisions))
	for i, d := range m.j.decisions {
		rows[i] = dataset.Row{Key: d.Key, Source: job.CubeSource(d.Cube, d.Away, d.Opponent)}
	}
	t, err := job.NewTask(ctx, j, rows, m.f.Chunk, func(i int) bool { return m.j.result(candidate{i, 0}) == nil })
	if err != nil {
		return err
	}
	m.progress(Rolling, len(m.j.results), len(rows))
	var mu sync.Mutex // guards the journal
	t.Put = func(chunk int, blocks [][]dataset.Row) error {
		mu.Lock()
		defer mu.Unlock()
		for k, row := range slices.Concat(blocks...) {
			c := candidate{chunk*m.f.Chunk + k, 0}
			if m.j.result(c) != nil {
				continue
			}
			r, err := rolledCube(&row, &m.j.decisions[c.Decision])
			if err == nil {
				err = m.j.addResult(c, r)
			}
			if err != nil {
				return err
			}
		}
		m.progress(Rolling, len(m.j.results), len(rows))
		return nil
	}
	return m.f.Runner.Run(ctx, t)
}

// rolledCube returns the result of a decision by its row.
func rolledCube(row *dataset.Row, d *cubeDecision) (*cubeResult, error) {
	r, err := job.RolledCubeOf(row)
	if err != nil {
		return nil, err
	}
	return &cubeResult{row.Outputs, bm.RolledCube{
		Away: d.Away, Opponent: d.Opponent, Cube: d.Cube, NoDouble: r.NoDouble, DoubleTake: r.DoubleTake, SE: r.SE,
		GainSE: r.GainSE, Trials: int(row.Trials),
	}}, nil
}

func (m *cubeMaker) write(settings string, r *CubeReport) error {
	return bm.WriteFile(m.f.Output, func(w *bm.Writer) error {
		w.Comment(fmt.Sprintf("%d cube decisions, %d of them in matches, rolled out with the cube; standard error of "+
			"no double %.4f on average, of double and take less no double %.4f.", r.Decisions, r.Matches, r.SE, r.GainSE))
		w.Comment(fmt.Sprintf("o KEY p1 p2 p3 p4 p5: without the cube, %d plies.", job.CubePlies))
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
