package grow

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer"
	"bgtrain/trainer/td"
)

// The files of stages.
const (
	netFile       = "net.safetensors"
	positionsFile = "positions.parquet"
	labelsFile    = "labels.parquet"
	decisionsFile = "decisions.bm"
)

// chunk is how many positions are followed together, and kept together.
const chunk = 256

// valueChunks is the same of values by look-ahead of so many plies: more where they are quick, as to
// keep a part takes longer than 256 values at 0-ply. None is larger than a page of the farm.
var valueChunks = [...]int{1 << 14, 1 << 12, chunk, chunk}

// grower makes the stages of a recipe.
type grower struct {
	r  *Recipe
	o  *Options
	st *store

	from, teacher *nets.Set // that the recipe names; nil for none
}

// Seeds keep the stages of a round apart.
const (
	seedTraining = iota
	seedPositions
	seedLabels
	seedMeasure
	seedSecond // of two labels
	seedGames
	seedDecisions
	seedWhole
	seedRaces
	seedPruning
	seedCube
	seedThemes = 20 // and the number of the theme
)

// seed is that of a stage of a round: readable in the commands.
func (g *grower) seed(round, use int) uint64 { return g.r.Seed + uint64(1000*round+use) }

// net reads the player that a stage made.
func (g *grower) net(s *Stage) (*nets.Set, error) {
	return nets.Read(filepath.Join(g.st.dir, s.File(netFile)))
}

// start returns the stage of the player before the first round.
func (g *grower) start() *Stage {
	if g.r.From != "" {
		print := g.from.Fingerprint()
		return &Stage{Kind: KindStart, Units: "nets", Total: 1, Command: "# " + g.r.From, settings: []string{"net=" + print},
			shape: shapeOf(g.from),
			work: func(_ context.Context, dir string, _ func(int, int)) (any, error) {
				return nil, nets.Write(filepath.Join(dir, netFile), g.from)
			}}
	}
	s := &Stage{Kind: KindTD, Units: "games", Total: g.r.Start.Games, Work: float64(g.r.Start.Games)}
	s.shape = g.r.shapeOf(nets.Contact)
	for _, role := range nets.Main {
		settings := g.r.startSettings(role)
		s.settings = append(s.settings, string(role)+" "+settings.Identity("").String())
	}
	settings := g.r.startSettings(nets.Contact)
	flags := flagLine(settings.List().Without("workers", "checkpoint-every"))
	s.Command = "bgtrain td" + flags
	if !g.r.alike() {
		s.Command += " --from " + s.File("start.safetensors")
	}
	s.Command += " -o " + s.File(netFile)
	s.work = g.playTD
	return s
}

// playTD trains the starting weights.
func (g *grower) playTD(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
	s := g.r.startSettings(nets.Contact)
	s.Workers = g.o.Workers
	var from *nets.Set
	if !g.r.alike() {
		var err error
		if from, err = g.r.startSet(); err != nil {
			return nil, err
		}
		if err := nets.Write(filepath.Join(dir, "start.safetensors"), from); err != nil {
			return nil, err
		}
		s.Inputs = "" // those of from
	}
	db, err := bearoff.Open(ctx, s.Bearoff)
	if err != nil {
		return nil, err
	}
	_, err = td.Train(ctx, from, db, td.Files{Net: filepath.Join(dir, netFile)}, s, td.Matches{},
		td.Hooks{Progress: progress})
	return nil, err
}

// generate returns the stage of n positions of a player's games, of one theme if
// theme is not nil. Those of the decisions are left out.
func (g *grower) generate(round int, player *Stage, p Positions, n int, theme *bg.Theme, seed uint64,
	decisions []*Stage) *Stage {
	var only bg.PlanFilter
	if theme != nil {
		only.Themes = 1 << *theme
		p.Shares, p.Select = selfplay.Shares{classOf(*theme): 1}, selfplay.Selectors{All: true}
	}
	settings := p.settings(n, seed, g.o.Workers)
	total := 0
	for _, q := range settings.Quota {
		total += q
	}
	s := &Stage{Kind: KindPositions, Round: round, Units: "positions", Total: total, Work: float64(total),
		shape:    player.shape,
		settings: []string{settings.Describe() + " " + only.String()}, inputs: append([]*Stage{player}, decisions...)}
	s.Command = fmt.Sprintf("bgtrain generate -n %d --net %s --share %s%s --seed %d", n, player.File(netFile), &p.Shares,
		flagLine(looked(&p.Settings)), seed)
	if theme != nil {
		s.Command += fmt.Sprintf(" --themes %q", *theme)
	}
	for _, d := range decisions {
		s.Command += " --exclude " + d.File(decisionsFile)
	}
	s.Command += " -o " + s.File(positionsFile)
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		excluded, err := g.decisionKeys(decisions)
		if err != nil {
			return nil, err
		}
		net, err := g.net(player)
		if err != nil {
			return nil, err
		}
		id := job.Player{Net: net.Fingerprint(), Prune: true}
		return nil, g.generatePositions(ctx, dir, s, job.Nets{id.Net: net}, id, settings, selfplay.Hooks{
			Progress: progress, Exclude: func(k bg.Key) bool { return excluded[k] || !keeps(only, k) }})
	}
	return s
}

// looked is the settings of self-play that its selectors give a meaning.
func looked(s *selfplay.Settings) setting.List {
	l := s.List().Without("seed", "workers")
	if !s.Select.All {
		l = l.Without("density")
	}
	if !s.Select.Candidates && !s.Select.Replies && !s.Select.Disagree {
		l = l.Without("margin")
	}
	return l
}

// classOf is the class that positions of a theme are looked for in.
func classOf(t bg.Theme) bg.Class {
	if t == bg.DeepBoards {
		return bg.Crashed
	}
	return bg.Contact
}

func keeps(f bg.PlanFilter, k bg.Key) bool {
	b, err := k.Board()
	return err == nil && f.Keeps(&b)
}

func (g *grower) generatePositions(ctx context.Context, dir string, s *Stage, have job.Nets, how job.Player,
	settings selfplay.Settings, h selfplay.Hooks) error {
	p, err := how.Open(ctx, have, 0)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, positionsFile)
	if h.Journal, err = selfplay.OpenJournal(path+".journal", s.identity()); err != nil {
		return err
	}
	found, _, err := selfplay.Generate(ctx, p, settings, h)
	if err == nil {
		err = selfplay.Write(path, dataset.Meta{Command: s.Command, Seed: strconv.FormatUint(settings.Seed, 10),
			Net: how.Net}, found)
	}
	if err != nil {
		return errors.Join(err, h.Journal.Close())
	}
	return h.Journal.Remove()
}

// decisionKeys returns the positions of benchmark files that stages made, those of the
// candidates included.
func (g *grower) decisionKeys(decisions []*Stage) (map[bg.Key]bool, error) {
	keys := map[bg.Key]bool{}
	for _, s := range decisions {
		f, err := bm.ReadFile(filepath.Join(g.st.dir, s.File(decisionsFile)), bm.ReadOptions{})
		if err != nil {
			return nil, err
		}
		for i := range f.Records {
			keys[f.Records[i].Key] = true
			for _, c := range f.Records[i].Candidates {
				keys[c.Key] = true
			}
		}
	}
	return keys, nil
}

// labels returns the stage of the labels of trials that begin at the positions of
// another stage.
func (g *grower) labels(round int, player, positions *Stage, l Labels, seed uint64, only bg.PlanFilter) *Stage {
	if l.Values {
		return g.values(KindLabels, round, player, positions, l, g.teacher)
	}
	o := l.Options
	o.Seed = seed
	s := &Stage{Kind: KindLabels, Round: round, Units: "positions", Total: positions.Total,
		Rows: positions.Total * pliesOf(&o), Work: float64(positions.Total * pliesOf(&o)),
		settings: []string{o.FollowMethod(l.Lambda), fmt.Sprint(o.Picks, seed), only.String()},
		inputs:   []*Stage{player, positions}}
	s.Command = fmt.Sprintf("bgtrain rollout %s --net %s --follow%s --seed %d", positions.File(positionsFile),
		player.File(netFile), flagLine(followed(&l)), seed)
	ends := g.teacher == nil && o.LeafPly == 0 && only == bg.PlanFilter{}
	if ends {
		s.settings = append(s.settings, "ends")
		s.Command += " --ends"
		s.ends = true
	}
	s.shape, s.picks = player.shape, o.Picks
	if g.teacher != nil {
		s.shape = shapeOf(g.teacher)
		s.settings = append(s.settings, "teacher="+g.teacher.Fingerprint())
		s.Command = strings.Replace(s.Command, player.File(netFile), g.r.Teacher, 1)
	}
	if only.Themes != 0 {
		s.Command += fmt.Sprintf(" --themes %q", only.Themes)
	}
	s.Command += " -o " + s.File(labelsFile)
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		settings, have, err := g.rollouts(player, o)
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
	list := l.list().Without("whole", "whole-themes", "values")
	for name, value := range map[string]int{"deep-plies": l.DeepPlies, "leaf-ply": l.LeafPly} {
		if value == 0 {
			list = list.Without(name)
		}
	}
	return list
}

// wholePlies is about how many plies a game has from where trials begin.
const wholePlies = 45

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

// rollouts returns the settings of rollouts by a stage's player or the teacher.
func (g *grower) rollouts(player *Stage, o rollout.Options) (job.Settings, job.Nets, error) {
	own, err := g.net(player)
	if err != nil {
		return job.Settings{}, nil, err
	}
	small := own.PruningPlayer()
	if g.teacher != nil {
		own = g.teacher
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
	s.Command = fmt.Sprintf("bgtrain label %s --net %s --ply %d -o %s", positions.File(positionsFile), name, l.Ply,
		s.File(labelsFile))
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		net, err := teacher, error(nil)
		if net == nil {
			if net, err = g.net(player); err != nil {
				return nil, err
			}
		}
		have := job.Nets{}
		settings := job.Settings{Kind: job.Label, Ply: l.Ply, Player: job.Player{Net: have.Add(net), Prune: true}}
		return nil, g.makeDatabase(ctx, dir, labelsFile, s, positions, settings, have, progress)
	}
	return s
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
