package trainer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"bgtrain/dataset"
	"bgtrain/features"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/disk"
	"bgtrain/internal/nets"
	"bgtrain/internal/nn"
	"bgtrain/internal/stats"
	"bgtrain/trainer/fit"
)

// Sources are what a player is trained from.
type Sources struct {
	Start *nets.Set // nil: random weights
	From  string    // what provenance calls Start

	Databases []*dataset.DB
	Data      string          // what provenance calls them
	Without   map[bg.Key]bool // positions that are left out
	SkipBad   bool            // leave bad rows of other programs' files out, where they would be refused
	Bad       dataset.Counts  // of the rows left out, each time that the databases are read

	// Score returns the error rate of a player on the decisions of a class, in
	// millipoints. Scored states which classes have some. Both may be nil. ScoredBy
	// identifies the decisions: a training goes on only with the same ones.
	Score    func(ctx context.Context, player *nets.Set, class bg.Class) (er stats.Stat, err error)
	Scored   map[bg.Class]bool
	ScoredBy string

	Provenance map[string]string // of the player as a whole
}

// Files are what a training writes.
type Files struct {
	Net, Curve, Plot string
	Checkpoint       string // beginning of the checkpoints' names
	Fresh            bool   // start from the first step even where checkpoints exist
}

// FilesOf returns the names that belong to a net file.
func FilesOf(path string) Files {
	return Files{Net: path, Curve: path + ".curve.jsonl", Plot: path + ".curve.svg", Checkpoint: path}
}

func (f *Files) checkpointOf(role nets.Role) string {
	return f.Checkpoint + "." + string(role) + ".checkpoint"
}

// clean removes what a killed run of the same training left half written.
func (f *Files) clean(roles []nets.Role) error {
	names := []string{f.Net, f.Curve, f.Plot}
	for _, role := range roles {
		names = append(names, f.checkpointOf(role))
	}
	for _, name := range names {
		if err := atomicfile.Clean(name); err != nil {
			return err
		}
	}
	return nil
}

// Hooks are called during a training. All may be left out.
type Hooks struct {
	// Plan gets the nets to train, where they are several, before the first.
	Plan func([]Planned)
	// Net begins, on so many rows, of which repeats have a position that came before.
	Net func(role nets.Role, training, heldOut, repeats int)
	// Idle shows that units of the net to start from are idle, before it is trained.
	Idle     func(role nets.Role, idle *Idle)
	Progress func(done, total int) // positions of that net, over all epochs
	Note     func(text string)     // what the newest epoch gave
	Done     func()                // the net is trained
}

// Trained is what became of one net.
type Trained struct {
	Role   nets.Role
	Entry  *nets.Entry
	Report *fit.Report

	// ER is the error rate of the finished player on the decisions of the net's class,
	// nil without any: while a net is trained, those after it are not yet.
	ER *stats.Stat
}

// Run trains the nets that s names, writes the player, and returns what became of
// each net. If ctx ends, the state is kept in checkpoints, and the same call goes
// on from there and writes the same file. Settings are adapted to this processor.
func Run(ctx context.Context, src *Sources, files Files, s Settings, h Hooks) ([]Trained, error) {
	s.Adapt()
	start, err := s.start(src.Start)
	if err != nil {
		return nil, err
	}
	weightings, err := s.weightings()
	if err != nil {
		return nil, err
	}
	if err := files.clean(s.roles()); err != nil {
		return nil, err
	}
	r := &run{src: src, files: files, s: s, h: h, player: start, curves: &curves{files: files}}
	r.player.Provenance = src.Provenance
	if h.Plan != nil && len(s.roles()) > 1 {
		h.Plan(r.plan(ctx, weightings))
	}
	var all []Trained
	for _, role := range s.roles() {
		w := weightings[role]
		t, err := r.train(ctx, role, &w)
		if err != nil {
			return nil, err
		}
		r.player.Nets[role] = t.Entry
		all = append(all, t)
	}
	for i := range all {
		if t := &all[i]; r.scores(t.Role) {
			er, err := src.Score(ctx, r.player, t.Role.Class())
			if err != nil {
				return nil, err
			}
			t.ER = &er
		}
	}
	if err := nets.Write(files.Net, r.player); err != nil {
		return nil, err
	}
	if err := r.curves.plot(); err != nil {
		return nil, err
	}
	for _, t := range all {
		if err := remove(files.checkpointOf(t.Role)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func remove(checkpoint string) error {
	if err := disk.Remove(checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove checkpoint: %w", err)
	}
	return nil
}

// run is one call of Run.
type run struct {
	src    *Sources
	files  Files
	s      Settings
	h      Hooks
	player *nets.Set // with the nets that are trained already
	curves *curves
}

// train trains one net of the player.
func (r *run) train(ctx context.Context, role nets.Role, w *Weighting) (Trained, error) {
	entry, err := r.s.starting().Move(role, r.player.Nets[role])
	if err != nil {
		return Trained{}, fmt.Errorf("train %s: %w (--random)", role, err)
	}
	set, err := features.Lookup(entry.Inputs, entry.InputsVersion)
	if err != nil {
		return Trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	start, err := r.s.starting().Widen(role, entry.Net)
	if err != nil {
		return Trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	data, repeats, err := r.src.examples(ctx, w, r.s.Validation, r.s.ByDecision())
	if err != nil {
		return Trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	if r.h.Net != nil {
		r.h.Net(role, data.Training(), data.Validation(), repeats)
	}
	start, idle, err := r.s.revive(ctx, role, start, set, data)
	if err != nil {
		return Trained{}, fmt.Errorf("train %s: %w", role, err)
	}
	if r.h.Idle != nil && idle.Any() {
		r.h.Idle(role, idle)
	}
	if r.files.Fresh {
		if err := remove(r.files.checkpointOf(role)); err != nil {
			return Trained{}, err
		}
	}
	s := r.s.Settings
	hooks := r.hooks(role, entry)
	if s.Monitor == "er" && hooks.Score == nil {
		s.Monitor = "validation" // no decisions of this class to score
	}
	best, report, err := fit.Run(ctx, start, set, data, s, hooks)
	if r.h.Done != nil {
		r.h.Done()
	}
	if err != nil {
		return Trained{}, err
	}
	if err := r.curves.add(role, report.Points); err != nil {
		return Trained{}, err
	}
	return Trained{Role: role, Report: report, Entry: &nets.Entry{Net: best, Inputs: entry.Inputs,
		InputsVersion: entry.InputsVersion, Provenance: r.src.provenance(entry, data, &s, report)}}, nil
}

// scores reports whether there are decisions that a net is scored on.
func (r *run) scores(role nets.Role) bool {
	return r.src.Score != nil && r.src.Scored[role.Class()] && !role.IsPruning()
}

// hooks are those of the training of one net.
func (r *run) hooks(role nets.Role, entry *nets.Entry) fit.Hooks {
	h := fit.Hooks{Name: string(role), Checkpoint: r.files.checkpointOf(role), Progress: r.h.Progress,
		Epoch: func(points []fit.Point) error {
			if r.h.Note != nil {
				r.h.Note(describe(&points[len(points)-1]))
			}
			return r.curves.add(role, points)
		}}
	if !r.scores(role) {
		return h
	}
	h.ScoredBy = r.src.ScoredBy + "with " + r.player.Fingerprint() // the other nets play along
	h.Score = func(ctx context.Context, n *nn.Net) (stats.Stat, error) {
		with := r.player.With(role, &nets.Entry{Net: n, Inputs: entry.Inputs, InputsVersion: entry.InputsVersion})
		return r.src.Score(ctx, with, role.Class())
	}
	return h
}
