package grow

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/nets"
	"bgtrain/trainer"
)

// prune returns the stage that gives a player pruning nets, anew each round: they learn its values
// of new positions and the labels before, of which there are more. It returns the player itself where
// there are to be none, or those that it began with.
func (g *grower) prune(round int, player *Stage, p Positions, before []*Stage) *Stage {
	if g.r.Prune.Positions == 0 || g.from != nil && g.from.CanPrune() {
		return player
	}
	p.Shares = maps.Clone(p.Shares)
	for class, share := range newRound().Positions.Shares {
		if p.Shares[class] == 0 {
			p.Shares[class] = share // each class has a pruning net
		}
	}
	positions := g.generate(round, player, p, g.r.Prune.Positions, nil, g.seed(round, seedPruning), nil)
	values := g.values(KindValues, round, player, positions, Labels{}, nil)
	t := g.r.Prune.Training
	t.Random, t.Seed = true, g.seed(round, seedPruning)
	t.Nets = nil
	for _, role := range nets.Main {
		t.Nets = append(t.Nets, string(role.Pruning()))
	}
	return g.train(KindPrune, round, player, t, append([]*Stage{values}, before...), nil)
}

// Learned is what the training of one net found.
type Learned struct {
	Role           nets.Role `json:"net"`
	Rows           int       `json:"rows"`
	TrainLoss      float64   `json:"train_loss"`
	ValidationLoss float64   `json:"validation_loss"`
	RMS            float64   `json:"rms"`
	Units          int       `json:"units"`
	Idle           int       `json:"idle"` // of them, before the training
}

// train returns the stage of a player trained from another one on the labels of stages,
// but for the positions of decisions.
func (g *grower) train(kind Kind, round int, from *Stage, t trainer.Settings, labels, decisions []*Stage) *Stage {
	s := &Stage{Kind: kind, Round: round, Units: "positions", shape: from.shape.trained(&t), training: &t}
	switch s.learner = s.shape; {
	case kind == KindPrune:
		s.learner = pruning
	case len(t.Nets) == 1 && t.Nets[0] == string(nets.Race):
		s.learner = g.r.shapeOf(nets.Race)
	}
	s.inputs = append(append(append(s.inputs, from), labels...), decisions...)
	s.settings = []string{fmt.Sprint(t.Nets, t.Random, t.Seed), flagLine(trainingList(&t))}
	var paths, names []string
	for _, l := range labels {
		paths, names = append(paths, filepath.Join(g.st.dir, l.File(labelsFile))), append(names, l.File(labelsFile))
		s.Rows += l.Rows
	}
	s.Total = s.Rows * t.Epochs
	s.Work = float64(s.Total)
	s.Command = fmt.Sprintf("bgtrain train %s --from %s --nets %s%s --seed %d", strings.Join(names, " "),
		from.File(netFile), strings.Join(t.Nets, ","), flagLine(trainingList(&t)), t.Seed)
	if t.Random {
		s.Command += " --random"
	}
	for _, d := range decisions {
		s.Command += " --exclude " + d.File(decisionsFile)
	}
	s.Command += " -o " + s.File(netFile)
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		start, err := g.net(from)
		if err != nil {
			return nil, err
		}
		src := &trainer.Sources{Start: start, From: from.File(netFile), Data: trainer.NameData(names),
			Provenance: map[string]string{"command": s.Command}}
		if src.Without, err = g.decisionKeys(decisions); err != nil {
			return nil, err
		}
		for _, path := range paths {
			db, err := dataset.Open(path)
			if err != nil {
				return nil, err
			}
			src.Databases = append(src.Databases, db)
		}
		t.Workers = g.o.Workers
		return runTraining(ctx, src, trainer.FilesOf(filepath.Join(dir, netFile)), t, progress)
	}
	return s
}

// runTraining trains the nets and returns what was found, by net.
func runTraining(ctx context.Context, src *trainer.Sources, files trainer.Files, t trainer.Settings,
	progress func(done, total int)) ([]Learned, error) {
	idle := map[nets.Role]*trainer.Idle{}
	all, err := trainer.Run(ctx, src, files, t, trainer.Hooks{Progress: progress,
		Idle: func(role nets.Role, d *trainer.Idle) { idle[role] = d }})
	if err != nil {
		return nil, err
	}
	var out []Learned
	for _, x := range all {
		best := x.Report.Points[x.Report.Best]
		l := Learned{Role: x.Role, Rows: x.Report.Training, TrainLoss: value(best.TrainLoss),
			ValidationLoss: value(best.ValidationLoss), RMS: value(best.RMS)}
		for _, layer := range x.Entry.Net.Layers[:len(x.Entry.Net.Layers)-1] {
			l.Units += layer.Out
		}
		if d := idle[x.Role]; d != nil {
			for _, n := range d.Idle {
				l.Idle += n
			}
		}
		out = append(out, l)
	}
	return out, nil
}

func value(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}
