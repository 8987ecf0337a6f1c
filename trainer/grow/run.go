package grow

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/disk"
	"bgtrain/internal/nets"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer"
)

// Options state where and how a recipe is run; but for Hours they change no result.
type Options struct {
	Dir     string
	Workers int
	Hours   float64  // takes the place of the recipe's, if not 0
	Disk    Bytes    // that the stages may keep; 0: no limit
	Against []string // nets that each round's player plays; they change no decision
	Hooks   Hooks

	Runner func(output string) (job.Runner, error) // of labels; nil: this process
}

// List returns each setting that a person may choose: its flag, what it may be, what it does.
func (o *Options) List() setting.List {
	return setting.List{
		{Name: "hours", To: &o.Hours, Range: setting.From(0, 1e4),
			Help: "no round begins that would end later; 0: as the recipe says"},
		{Name: "against", To: &o.Against, Help: "nets that each round's player plays against too (default GNU " +
			"Backgammon's where they are installed)"},
		{Name: "disk", To: &o.Disk, Help: "what the stages may keep, such as 20GB: old labels go first; 0: no limit"},
		parallel.Setting(&o.Workers),
	}
}

func (o *Options) runner(output string) (job.Runner, error) {
	if o.Runner == nil {
		return job.Local{Workers: o.Workers}, nil
	}
	return o.Runner(output)
}

// The files of a run's directory, beside LogFile.
const (
	BestFile   = "best.safetensors"
	RecipeFile = "recipe.yaml"
	PlotFile   = "grow.svg"
	CubeFile   = "best.life" // nets of the cube for the best player, once the run has ended
)

// run is a recipe under way.
type run struct {
	*grower
	log    Log
	rounds []Round // begun, with the settings that they had
	others []opponent

	labels    []labeled
	renewed   []*Stage
	decisions []*Stage        // files of decisions so far
	best      *Stage          // the newest player that passed
	published string          // state that was published last
	clock     clock           // of the stages of the rounds in the log
	seen      map[string]bool // those stages
	spec      int             // of Recipe.Rounds
	repeated  int             // rounds of it so far
}

// labeled is the labels of a round.
type labeled struct {
	stages []*Stage // but races
	races  []*Stage
	noise2 float64 // of one label, points²
	left2  float64 // what the player that made them had yet to learn
}

func (l labeled) main() []*Stage    { return l.stages }
func (l labeled) ofRaces() []*Stage { return l.races }
func (l labeled) all() []*Stage     { return slices.Concat(l.stages, l.races) }

// Run grows a player. If ctx ends or the process does, the same call goes on from
// what is finished.
func Run(ctx context.Context, r *Recipe, o Options) (*Log, error) {
	g, err := newGrower(r, &o)
	if err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(filepath.Join(o.Dir, "stages"), 0o777); err != nil {
		return nil, fmt.Errorf("grow: %w", err)
	}
	n, err := newRun(g)
	if err != nil {
		return nil, err
	}
	g.st.before = n.publish
	if err := n.grow(ctx); err != nil {
		return nil, err
	}
	if err := n.publish(); err != nil || r.Cube.Games == 0 {
		return &n.log, err
	}
	return &n.log, n.learnCube(ctx)
}

func newRun(g *grower) (*run, error) {
	n := &run{grower: g, seen: map[string]bool{}}
	for _, name := range g.o.Against {
		net, err := data.OpenNet(name)
		if err != nil {
			return nil, err
		}
		n.others = append(n.others, opponent{name: name, net: net})
	}
	return n, nil
}

// grow makes the players, one after the other.
func (n *run) grow(ctx context.Context) error {
	start := n.start()
	if err := n.st.need(ctx, start, nil); err != nil {
		return err
	}
	n.best = start
	now := n.r.first()
	for !n.ends() {
		more, err := n.next(&now)
		if err != nil {
			return err
		}
		if !more {
			n.end("all rounds of the recipe are done")
			return nil
		}
		if err := n.round(ctx, &now); err != nil {
			return err
		}
	}
	return nil
}

// first returns the settings of the first round, before what the recipe says of it.
func (r *Recipe) first() Round {
	now := newRound()
	if r.From == "" && r.alike() {
		now.Training.Hidden = slices.Clone(r.Start.Hidden)
	}
	return now
}

func newGrower(r *Recipe, o *Options) (*grower, error) {
	g := &grower{r: r, o: o, st: &store{dir: o.Dir, hooks: &o.Hooks}}
	var err error
	if r.From != "" {
		if g.from, err = data.OpenNet(r.From); err != nil {
			return nil, fmt.Errorf("recipe %s: start: %w", r.Name, err)
		}
	}
	if r.Teacher != "" {
		if g.teacher, err = data.OpenNet(r.Teacher); err != nil {
			return nil, fmt.Errorf("recipe %s: teacher: %w", r.Name, err)
		}
	}
	return g, nil
}

// next gives now the settings of the next round, and reports whether there is one.
func (n *run) next(now *Round) (bool, error) {
	for n.spec < len(n.r.Rounds) {
		s := &n.r.Rounds[n.spec]
		if s.Repeat > 0 && n.repeated >= s.Repeat {
			n.spec, n.repeated = n.spec+1, 0
			continue
		}
		var err error
		if n.repeated == 0 {
			err = now.apply(s)
		} else {
			now.Positions.N = max(1, int(float64(now.Positions.N)*s.Growth+0.5))
		}
		n.repeated++
		return true, err
	}
	return false, nil
}

// plan returns the stages of the next round up to its players: positions, labels, and
// trainings, the last of which gives the round's player.
func (n *run) plan(now *Round) *stages {
	round := len(n.rounds) + 1
	player := n.prune(round, n.best, now.Positions, n.newest())
	s := &stages{}
	whole := now.Labels
	whole.Lambda, whole.Truncate, whole.Values = 1, 0, false
	main, races := now.Positions.split()
	s.positions = n.generate(round, player, main, main.N, nil, n.seed(round, seedPositions), n.decisions)
	s.labels = append(s.labels, n.grower.labels(round, player, s.positions, now.Labels, n.seed(round, seedLabels),
		bg.PlanFilter{}))
	for t, share := range now.Positions.Themes {
		if count := int(share*float64(now.Positions.N) + 0.5); count > 0 {
			s.labels = append(s.labels, n.themed(round, player, now.Positions, now.Labels, count, bg.Theme(t),
				bg.PlanFilter{}, 0))
		}
	}
	for t := range bg.NumThemes {
		if now.Labels.Whole > 0 && now.Labels.WholeThemes.Has(t) {
			s.labels = append(s.labels, n.themed(round, player, now.Positions, whole, now.Labels.Whole, t,
				bg.PlanFilter{Themes: 1 << t}, int(bg.NumThemes)))
		}
	}
	t := now.Training.Settings
	t.Seed = n.seed(round, seedTraining)
	if races.N == 0 {
		s.trains = []*Stage{n.learn(round, player, now, &now.Training, t, n.recent(&now.Training, s.labels, labeled.all))}
		return s
	}
	positions := n.generate(round, player, races, races.N, nil, n.seed(round, seedRaces), n.decisions)
	toTheEnd := now.Labels
	toTheEnd.Truncate = 0
	labels := n.grower.labels(round, player, positions, toTheEnd, n.seed(round, seedRaces), bg.PlanFilter{})
	if !toTheEnd.Values {
		labels.Rows, labels.Work = positions.Total*racePlies, float64(positions.Total*racePlies)
	}
	labels.shape = n.r.shapeOf(nets.Race)
	s.races = []*Stage{labels}
	t.Nets = []string{string(nets.Contact), string(nets.Crashed)}
	first := n.learn(round, player, now, &now.Training, t, n.recent(&now.Training, s.labels, labeled.main))
	t = now.Races.Settings
	t.Seed, t.Nets = n.seed(round, seedTraining), []string{string(nets.Race)}
	s.trains = []*Stage{first, n.learn(round, first, now, &now.Races, t, n.recent(&now.Races, s.races, labeled.ofRaces))}
	return s
}

// learn returns the stage of the player that a round's training of some nets makes, the last one
// where labels are made anew between several.
func (n *run) learn(round int, player *Stage, now *Round, how *Training, t trainer.Settings, labels []*Stage) *Stage {
	for range max(how.Renew, 1) {
		learned := labels
		if how.Renew > 0 {
			learned = n.renewAll(round, player, now.Labels.Lambda, labels)
		}
		player = n.train(KindTrain, round, player, t, learned, n.decisions)
		t.Random = false
	}
	return player
}

// newest returns the labels of the round before, none in the first.
func (n *run) newest() []*Stage {
	if len(n.labels) == 0 {
		return nil
	}
	return n.labels[len(n.labels)-1].all()
}

// renewAll returns the stages of labels anew, by the values of a player, and notes them: no later
// round needs them.
func (n *run) renewAll(round int, by *Stage, lambda float64, labels []*Stage) []*Stage {
	renewed := slices.Clone(labels)
	for i, old := range labels {
		if renewed[i] = n.renew(round, by, lambda, old); renewed[i] != old {
			n.renewed = append(n.renewed, renewed[i])
		}
	}
	return renewed
}

// split returns the positions of a round without races, and its races: these are
// followed to the end, as that takes little time.
func (p Positions) split() (main, races Positions) {
	sum := 0.0
	for _, share := range p.Shares {
		sum += share
	}
	main, races = p, p
	races.N = int(float64(p.N)*p.Shares[bg.Race]/sum + 0.5)
	if main.N -= races.N; races.N == 0 || main.N == 0 {
		races.N, main.N = 0, p.N
		return main, races
	}
	main.Shares, races.Shares = maps.Clone(p.Shares), selfplay.Shares{bg.Race: 1}
	delete(main.Shares, bg.Race)
	return main, races
}

// recent returns new labels and those of as many rounds before as the training wants.
func (n *run) recent(t *Training, labels []*Stage, of func(labeled) []*Stage) []*Stage {
	labels = slices.Clone(labels)
	for back := 0; back < len(n.labels) && (t.Rows == 0 || back < t.Rows-1); back++ {
		labels = append(labels, of(n.labels[len(n.labels)-1-back])...)
	}
	return labels
}

// themed returns the labels of so many trials that begin at positions of a theme.
func (n *run) themed(round int, player *Stage, p Positions, l Labels, count int, t bg.Theme, only bg.PlanFilter,
	seeds int) *Stage {
	use := seedThemes + seeds + int(t)
	positions := n.generate(round, player, p, count, &t, n.seed(round, use), n.decisions)
	return n.grower.labels(round, player, positions, l, n.seed(round, use), only)
}

// stages are those of a round.
type stages struct {
	positions *Stage // of its main trials
	labels    []*Stage
	races     []*Stage // labels of races, where these are made apart
	trains    []*Stage // the last one gives the player
	decisions *Stage   // nil where those of an earlier round do
	measure   *Stage
}

// player is the stage of the round's player.
func (s *stages) player() *Stage { return s.trains[len(s.trains)-1] }

// order returns the stages to be made, in their order; inputs go before them.
func (s *stages) order() []*Stage {
	if s.decisions == nil {
		return append(slices.Clone(s.trains), s.measure)
	}
	return append(slices.Clone(s.trains), s.decisions, s.measure)
}

// learned returns the stages of labels that a training learns from.
func (s *Stage) learned() (labels []*Stage) {
	for _, in := range s.inputs {
		switch in.Kind {
		case KindLabels:
			labels = append(labels, in)
		case KindRenew:
			labels = append(labels, in.inputs[0])
		}
	}
	return labels
}

// stages returns the stages of the next round, which is counted from here on.
func (n *run) stages(now *Round) *stages {
	round := len(n.rounds) + 1
	s := n.plan(now)
	n.rounds = append(n.rounds, now.clone())
	n.labels = append(n.labels, labeled{stages: s.labels, races: s.races})
	if n.r.Measure.Decisions > 0 && (round-1)%n.r.Measure.Every == 0 {
		var learned []*Stage
		for _, t := range s.trains {
			learned = append(learned, t.learned()...)
		}
		s.decisions = n.grower.decisions(round, s.player(), learned)
		n.decisions = append(n.decisions, s.decisions)
	}
	before := "start"
	if r := n.passed(); r > 0 {
		before = fmt.Sprintf("round %d", r)
	}
	var newest *Stage
	if len(n.decisions) > 0 {
		newest = n.decisions[len(n.decisions)-1]
	}
	s.measure = n.measure(round, s.player(), now, s.positions, newest,
		append([]opponent{{name: before, stage: n.best}}, n.others...))
	return s
}

// round does a round: labels, training, measurements, and what these decide about
// the next, whose settings now becomes.
func (n *run) round(ctx context.Context, now *Round) error {
	s := n.stages(now)
	var learned []Learned
	for _, train := range s.trains {
		var more []Learned
		if err := n.st.need(ctx, train, &more); err != nil {
			return err
		}
		learned = append(learned, more...)
	}
	var measured Measured
	for _, stage := range s.order()[len(s.trains):] {
		var result any
		if stage == s.measure {
			result = &measured
		}
		if err := n.st.need(ctx, stage, result); err != nil {
			return err
		}
	}
	return n.conclude(now, s.player(), s.measure, learned, &measured)
}

// passed is the number of the newest round whose player passed, 0 for none.
func (n *run) passed() int {
	for i := len(n.log.Rounds) - 1; i >= 0; i-- {
		if n.log.Rounds[i].Passed {
			return n.log.Rounds[i].Round
		}
	}
	return 0
}

// conclude writes down a round, publishes its player if it passed, and decides.
func (n *run) conclude(now *Round, train, m *Stage, learned []Learned, measured *Measured) error {
	line := RoundLine{Round: len(n.rounds), ER: measured.ER.Mean, ERSE: measured.ER.SE, Within: measured.Within.Mean,
		Points: measured.Match[0].Points.Mean, PointsSE: measured.Match[0].Points.SE, Against: measured.Match[0].Against,
		Others: measured.Match[1:], Net: train.File(netFile), Noise: measured.Noise, Bias: measured.Bias}
	if d := len(n.decisions); d > 0 {
		line.DecisionsFile = n.decisions[d-1].File(decisionsFile)
	}
	for _, l := range learned {
		line.Rows += l.Rows
	}
	line.Passed = n.r.Rules.passes(measured)
	if err := n.st.time(&n.clock, n.seen, m); err != nil {
		return err
	}
	line.Seconds, line.ProcessorSeconds = n.clock.Seconds, n.clock.ProcessorSeconds
	n.log.Rounds = append(n.log.Rounds, line)
	if line.Passed {
		n.best = train
	}
	last := &n.labels[len(n.labels)-1]
	if all := measured.of("all"); all != nil {
		last.noise2, last.left2 = all.Noise2, max(all.Left2.Mean, 0)
	}
	if n.r.Steer {
		decided := decide(now, &state{rules: &n.r.Rules, round: line.Round, measured: measured, learned: learned,
			passed: line.Passed, labels: n.labels})
		n.log.Decisions = append(n.log.Decisions, decided...)
	}
	n.o.Hooks.line(line.String())
	for _, d := range n.log.Decisions {
		if d.Round == line.Round {
			n.o.Hooks.line("  " + d.String())
		}
	}
	return nil
}

// publish writes the best player, the log, the picture and the recipe of the rounds so
// far, and makes room on the disk. It is called before each stage that is made, so that
// a run that goes on does not go back to players of earlier rounds.
func (n *run) publish() error {
	if n.best == nil || n.published == n.state() {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(n.st.dir, n.best.File(netFile)))
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(n.o.Dir, BestFile), text); err != nil {
		return err
	}
	if n.published = n.state(); len(n.log.Rounds) == 0 {
		return nil
	}
	if err := n.log.write(n.o.Dir); err != nil {
		return err
	}
	if err := n.log.plot(filepath.Join(n.o.Dir, PlotFile), n.r.Name); err != nil {
		return err
	}
	if text, err = n.r.Text(n.rounds[:len(n.log.Rounds)]); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(n.o.Dir, RecipeFile), text); err != nil {
		return err
	}
	return n.makeRoom()
}

// state shows what there is to publish apart.
func (n *run) state() string {
	return fmt.Sprint(n.best.Name(), len(n.log.Rounds), len(n.log.Decisions))
}

func writeFile(path string, text []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
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

// String is the line for people.
func (l *RoundLine) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d, %.0f s: %d rows, ER %.2f ± %.2f, within %.4f, %+.4f ± %.4f against %s", l.Round,
		l.Seconds, l.Rows, l.ER, l.ERSE, l.Within, l.Points, l.PointsSE, l.Against)
	for _, o := range l.Others {
		fmt.Fprintf(&b, ", %+.4f ± %.4f against %s", o.Points.Mean, o.Points.SE, o.Against)
	}
	if !l.Passed {
		b.WriteString(", not passed")
	}
	return b.String()
}

// String is the line for people.
func (d *Decision) String() string {
	if d.To == nil {
		return d.Decision + ": " + d.Reason
	}
	return fmt.Sprintf("%s from %v to %v: %s", d.Decision, d.From, d.To, d.Reason)
}
