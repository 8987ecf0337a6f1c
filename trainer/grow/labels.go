package grow

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

// chunk is how many positions are followed together, and kept together.
const chunk = 256

// valueChunks is the same of values by look-ahead of so many plies: more where they are quick, as to
// keep a part takes longer than 256 values at 0-ply. None is larger than a page of the farm.
var valueChunks = [...]int{1 << 14, 1 << 12, chunk, chunk}

// labels returns the stage of the labels of trials that begin at the positions of
// another stage.
func (g *grower) labels(round int, player, positions *Stage, l Labels, seed uint64, only bg.PlanFilter) *Stage {
	teacher := g.teacherOf(&l)
	if l.Values {
		return g.values(KindLabels, round, player, positions, l, teacher)
	}
	o := l.Options
	o.Seed = seed
	s := &Stage{Kind: KindLabels, Round: round, Units: "positions", Total: positions.Total,
		Rows: positions.Total * pliesOf(&o), Work: float64(positions.Total * pliesOf(&o)),
		settings: []string{o.FollowMethod(l.Lambda), fmt.Sprint(o.Picks, seed), only.String()},
		inputs:   []*Stage{player, positions}}
	s.Command = fmt.Sprintf("bgtrain rollout %s --net %s --follow%s --seed %d", positions.File(positionsFile),
		player.File(netFile), flagLine(followed(&l)), seed)
	ends := teacher == nil && o.LeafPly == 0 && only == bg.PlanFilter{}
	if ends {
		s.settings = append(s.settings, "ends")
		s.Command += " --ends"
		s.ends = true
	}
	s.shape, s.picks = player.shape, o.Picks
	if teacher != nil {
		s.shape = shapeOf(teacher)
		s.settings = append(s.settings, "teacher="+teacher.Fingerprint())
		s.Command = strings.Replace(s.Command, player.File(netFile), g.r.Teacher, 1)
	}
	if only.Themes != 0 {
		s.Command += fmt.Sprintf(" --themes %q", only.Themes)
	}
	s.Command += " -o " + s.File(labelsFile)
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		settings, have, err := g.rollouts(player, o, teacher)
		if err != nil {
			return nil, err
		}
		settings.Kind, settings.Lambda, settings.Plans, settings.Ends = job.Follow, l.Lambda, only, ends
		return nil, g.makeDatabase(ctx, dir, labelsFile, s, positions, settings, have, progress)
	}
	return s
}

// renew returns the stage of labels anew, by the values of a player; those that are not of
// followed trials of another one stay as they are.
func (g *grower) renew(round int, by *Stage, lambda float64, labels *Stage) *Stage {
	if !labels.ends || labels.inputs[0] == by {
		return labels
	}
	old := labels.inputs[0]
	s := &Stage{Kind: KindRenew, Round: round, Units: "rows", Total: labels.Rows, Rows: labels.Rows,
		Work: float64(labels.Rows), shape: by.shape, settings: []string{fmt.Sprint("lambda ", lambda)},
		inputs: []*Stage{labels, old, by}}
	s.Command = fmt.Sprintf("bgtrain renew %s --from %s --net %s --lambda %g -o %s", labels.File(labelsFile),
		old.File(netFile), by.File(netFile), lambda, s.File(labelsFile))
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		r := job.Renew{Output: filepath.Join(dir, labelsFile), Lambda: lambda, Workers: g.o.Workers, Command: s.Command}
		var err error
		if r.Input, err = dataset.Open(filepath.Join(g.st.dir, labels.File(labelsFile))); err != nil {
			return nil, err
		}
		if r.Old, err = g.net(old); err != nil {
			return nil, err
		}
		if r.New, err = g.net(by); err != nil {
			return nil, err
		}
		_, err = r.Make(ctx, progress)
		return nil, err
	}
	return s
}

// followed is the settings of trials that are not left at nothing.
func followed(l *Labels) setting.List {
	list := l.list().Without("whole", "whole-themes", "values", "mean", "own")
	for name, value := range map[string]int{"deep-plies": l.DeepPlies, "leaf-ply": l.LeafPly} {
		if value == 0 {
			list = list.Without(name)
		}
	}
	return list
}

// Plies of a game, about, and of a trial to its end from where trials begin.
const (
	gamePlies  = 45
	wholePlies = 20
)

// valuePlies is about how many plies of a trial take as long as a position's value by
// look-ahead of 0 to 3 plies.
var valuePlies = [...]float64{0.03, 1, 25, 500}

// racePlies is about how many plies a race has before the bearoff databases end it.
const racePlies = 5

// pliesOf is how many labels a trial gives, about.
func pliesOf(o *rollout.Options) int {
	if o.Truncate == 0 {
		return wholePlies
	}
	return o.Truncate
}

// teacherOf returns whose values labels are, nil for the newest player's.
func (g *grower) teacherOf(l *Labels) *nets.Set {
	if l.Own {
		return nil
	}
	return g.teacher
}

// rollouts returns the settings of rollouts by a stage's player, or a teacher, if not nil.
func (g *grower) rollouts(player *Stage, o rollout.Options, teacher *nets.Set) (job.Settings, job.Nets, error) {
	own, err := g.net(player)
	if err != nil {
		return job.Settings{}, nil, err
	}
	small := own.PruningPlayer()
	if teacher != nil {
		own = teacher
		if own.CanPrune() {
			small = own.PruningPlayer()
		}
	}
	if small == nil {
		o.Luck = rollout.LuckFull
	}
	have := job.Nets{}
	return job.Settings{Kind: job.Rollout, Player: job.Player{Net: have.Add(own), Prune: true, Filter: "normal"},
		Rollout: o, SmallNet: have.Add(small)}, have, nil
}

// makeDatabase makes the database of a job out of the positions of a stage.
func (g *grower) makeDatabase(ctx context.Context, dir, file string, s, positions *Stage, settings job.Settings,
	have job.Nets, progress func(done, total int)) error {
	j, err := job.Open(ctx, settings, have, job.AutoCache)
	if err != nil {
		return err
	}
	db, err := dataset.Open(filepath.Join(g.st.dir, positions.File(positionsFile)))
	if err != nil {
		return err
	}
	out := filepath.Join(dir, file)
	runner, err := g.o.runner(out)
	if err != nil {
		return err
	}
	size := chunk
	if settings.Kind == job.Label {
		size = valueChunks[settings.Ply]
	}
	_, err = job.Database{Input: db, Output: out, Chunk: size, Command: s.Command}.Make(ctx, j, runner,
		job.Hooks{Progress: progress})
	return err
}

// values returns the stage of what a player says of the positions of another stage by
// look-ahead, or a teacher, if not nil.
func (g *grower) values(kind Kind, round int, player, positions *Stage, l Labels, teacher *nets.Set) *Stage {
	s := &Stage{Kind: kind, Round: round, Units: "positions", Total: positions.Total, Rows: positions.Total,
		Work: float64(positions.Total), inputs: []*Stage{player, positions}, shape: player.shape}
	name := player.File(netFile)
	if kind == KindLabels {
		s.Work *= valuePlies[l.Ply]
		s.picks = max(l.Picks, 1)
		s.settings = []string{fmt.Sprint("ply ", l.Ply)}
	}
	if teacher != nil {
		s.shape, name = shapeOf(teacher), g.r.Teacher
		s.settings = append(s.settings, "teacher="+teacher.Fingerprint())
	}
	var before []*Stage // players with the newest in the mean
	if teacher == nil && l.Mean > 1 {
		before = g.players[max(0, len(g.players)-l.Mean) : len(g.players)-1]
	}
	for _, b := range before {
		s.inputs = append(s.inputs, b)
		name += "+" + b.File(netFile)
		s.Work *= 1.5 // about: a net more, the plays to choose among as before
	}
	s.Command = fmt.Sprintf("bgtrain label %s --net %s --ply %d -o %s", positions.File(positionsFile), name, l.Ply,
		s.File(labelsFile))
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		net := teacher
		if net == nil {
			var sets []*nets.Set
			for _, of := range append([]*Stage{player}, before...) {
				set, err := g.net(of)
				if err != nil {
					return nil, err
				}
				sets = append(sets, set)
			}
			net = nets.Mean(sets...)
		}
		have := job.Nets{}
		settings := job.Settings{Kind: job.Label, Ply: l.Ply, Player: job.Player{Net: have.Add(net), Prune: true}}
		return nil, g.makeDatabase(ctx, dir, labelsFile, s, positions, settings, have, progress)
	}
	return s
}
