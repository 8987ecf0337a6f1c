package grow

import (
	"context"
	"fmt"
	"path/filepath"

	"bgtrain/benchmark/makebm"
	"bgtrain/dataset"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

// decisions returns the stage of decisions of full games, their candidates rolled out
// by a player with common dice. No position of the labels that the player has learned
// from last is among them, and no net is to learn from them.
func (g *grower) decisions(round int, player *Stage, labels []*Stage) *Stage {
	m := makebm.Defaults
	m.Seed, m.Ply, m.Candidates, m.Margin = g.seed(round, seedDecisions), 1, 4, 0.1
	m.Diversity, m.Random = 0, 0
	m.SetQuota(g.r.Measure.Decisions, makebm.Classes)
	o := rollout.DefaultOptions()
	o.Trials, o.Seed = g.r.Measure.DecisionTrials, m.Seed
	s := &Stage{Kind: KindDecisions, Round: round, Units: "candidates", Total: 4 * g.r.Measure.Decisions,
		settings: []string{m.Describe(), o.Method(), fmt.Sprint(o.Seed)},
		inputs:   append([]*Stage{player}, labels...),
		Work:     float64(4 * g.r.Measure.Decisions * o.Trials * o.Truncate), shape: player.shape, picks: o.Picks}
	s.Command = fmt.Sprintf("bgtrain makebm -n %d --net %s --candidates %d --margin %g --candidate-ply %d --spread %g "+
		"--diversity 0 --random-plays 0 --trials %d --truncate %d --seed %d", g.r.Measure.Decisions, player.File(netFile),
		m.Candidates, m.Margin, m.Ply, m.Spread, o.Trials, o.Truncate, m.Seed)
	for _, l := range labels {
		s.Command += " --exclude " + l.File(labelsFile)
	}
	s.Command += " -o " + s.File(decisionsFile)
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		settings, have, err := g.rollouts(player, o, g.teacher)
		if err != nil {
			return nil, err
		}
		m.Workers = g.o.Workers
		making := makebm.Making{Settings: m, Rollouts: settings, Nets: have}
		return nil, g.makeDecisions(ctx, dir, s, making, labels, progress)
	}
	return s
}

func (g *grower) makeDecisions(ctx context.Context, dir string, s *Stage, m makebm.Making, labels []*Stage,
	progress func(done, total int)) (err error) {
	learned, err := g.labeledKeys(ctx, labels)
	if err != nil {
		return err
	}
	m.Output, m.Chunk, m.CacheMB, m.Excluded = filepath.Join(dir, decisionsFile), 1, job.AutoCache, s.Name()
	if m.Runner, err = g.o.runner(m.Output); err != nil {
		return err
	}
	f := makebm.File{Making: m}
	_, err = f.Make(ctx, makebm.Hooks{Exclude: learned.Has, Progress: func(now makebm.Stage, done, total int) {
		if now == makebm.Rolling {
			progress(done, total)
		}
	}})
	return err
}

// labeledKeys returns the positions of labels.
func (g *grower) labeledKeys(ctx context.Context, labels []*Stage) (*dataset.KeySet, error) {
	keys := &dataset.KeySet{}
	for _, l := range labels {
		db, err := dataset.Open(filepath.Join(g.st.dir, l.File(labelsFile)))
		if err != nil {
			return nil, err
		}
		for b, err := range db.Batches(ctx, dataset.Filter{Columns: dataset.ColClass}) {
			if err != nil {
				return nil, err
			}
			for _, k := range b.Keys {
				keys.Add(k)
			}
		}
	}
	return keys, nil
}
