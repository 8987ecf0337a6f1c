package grow

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Planned is a stage of a plan with what it will take.
type Planned struct {
	Stage   *Stage
	Seconds float64 // on this machine, about
	Bytes   int64   // on disk, about
	Made    bool    // it is there already
}

// Schedule is the stages of a plan in their order.
type Schedule []Planned

// mostPlanned is how many rounds a plan has of those that repeat until something ends the run.
const mostPlanned = 20

// bytesARow is about what a label takes on disk.
const bytesARow = 19

// Plan returns the stages of a recipe in their order, as far as they are known before
// anything is measured: rounds keep the settings of the recipe, and each player passes.
func Plan(ctx context.Context, r *Recipe, o Options) (Schedule, error) {
	g, err := newGrower(r, &o)
	if err != nil {
		return nil, err
	}
	rates, err := g.calibrate(ctx)
	if err != nil {
		return nil, err
	}
	n, err := newRun(g)
	if err != nil {
		return nil, err
	}
	p := &planner{ctx: ctx, st: g.st, rates: rates, seen: map[*Stage]bool{}}
	n.pass(g.start())
	if err := p.add(n.best()); err != nil {
		return nil, err
	}
	hours := r.Stop.Hours
	if o.Hours > 0 {
		hours = o.Hours
	}
	now, most := r.first(), mostPlanned
	for _, s := range r.Rounds {
		most += s.Repeat
	}
	for took := 0.0; len(n.rounds) < most && (hours == 0 || p.seconds+took <= 3600*hours); {
		before := p.seconds
		more, err := n.next(&now)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		stages := n.stages(&now)
		for _, s := range stages.order() {
			if err := p.add(s); err != nil {
				return nil, err
			}
		}
		n.pass(stages.player())
		took = p.seconds - before
	}
	if r.Cube.Games > 0 {
		err = p.add(n.cubeStage())
	}
	return p.all, err
}

// planner lists stages, each once, what they are made of before them.
type planner struct {
	ctx     context.Context
	st      *store
	rates   *rates
	seen    map[*Stage]bool
	all     Schedule
	seconds float64
}

func (p *planner) add(s *Stage) error {
	if p.seen[s] {
		return nil
	}
	p.seen[s] = true
	for _, in := range s.inputs {
		if err := p.add(in); err != nil {
			return err
		}
	}
	r, err := p.st.record(s)
	if err != nil {
		return err
	}
	seconds, err := p.rates.of(p.ctx, s)
	if err != nil {
		return err
	}
	planned := Planned{Stage: s, Seconds: s.Work * seconds, Bytes: int64(s.Rows * bytesARow), Made: r != nil}
	if s.Kind == KindTrain || s.Kind == KindPrune || s.Kind == KindCube {
		planned.Bytes = 0
	}
	p.all = append(p.all, planned)
	p.seconds += planned.Seconds
	return nil
}

// Forecast describes how long a run will take from a stage on, by its plan and the time
// that the stages before have taken.
type Forecast struct {
	plan           Schedule
	at             int
	begun          time.Time
	planned, taken float64 // seconds of the stages made by this process
}

// NewForecast returns the forecast of a plan.
func NewForecast(plan Schedule) *Forecast { return &Forecast{plan: plan, at: -1} }

// Begin means that a stage begins.
func (f *Forecast) Begin(s *Stage) {
	f.end()
	for i := range f.plan {
		if p := f.plan[i].Stage; p.Kind == s.Kind && p.Round == s.Round && i > f.at {
			f.at, f.begun = i, time.Now()
			return
		}
	}
}

func (f *Forecast) end() {
	if !f.begun.IsZero() {
		f.planned += f.plan[f.at].Seconds
		f.taken += time.Since(f.begun).Seconds()
	}
}

// Left returns the time that the stages from the one under way on will take.
func (f *Forecast) Left() time.Duration {
	if f.at < 0 {
		return 0
	}
	left := 0.0
	for _, p := range f.plan[f.at:] {
		left += p.Seconds
	}
	if f.planned > 0 {
		left *= f.taken / f.planned
	}
	return time.Duration(max(0, left-time.Since(f.begun).Seconds()) * float64(time.Second))
}

// Given is the name of the recipe that a directory's run was begun with, as a copy.
const givenFile = "given.yaml"

// ErrOtherRecipe is wrapped by the error about a directory with the run of another recipe.
var ErrOtherRecipe = errors.New("it has the run of another recipe")

// Claim makes a directory that of a recipe's run, given its text. One that has the run
// of another recipe is refused unless force says to go on; the stages stay.
func Claim(dir string, text []byte, force bool) error {
	path := filepath.Join(dir, givenFile)
	there, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case string(there) == string(text):
		return nil
	case !force:
		return &os.PathError{Op: "grow", Path: dir, Err: ErrOtherRecipe}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return writeFile(path, text)
}
