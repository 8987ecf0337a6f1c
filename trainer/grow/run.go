package grow

import (
	"context"
	"fmt"
	"path/filepath"

	"bgtrain/data"
	"bgtrain/internal/disk"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
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
	published string          // state that was published last
	clock     clock           // of the stages of the rounds in the log
	seen      map[string]bool // those stages
	spec      int             // of Recipe.Rounds
	repeated  int             // rounds of it so far
}

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
	n.pass(start)
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

// pass notes the newest player.
func (n *run) pass(player *Stage) { n.players = append(n.players, player) }

// best returns the newest player that passed, nil before there is one.
func (n *run) best() *Stage {
	if len(n.players) == 0 {
		return nil
	}
	return n.players[len(n.players)-1]
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
	line.Passed = n.r.Rules.passes(measured, n.r.Measure.Games)
	if err := n.st.time(&n.clock, n.seen, m); err != nil {
		return err
	}
	line.Seconds, line.ProcessorSeconds = n.clock.Seconds, n.clock.ProcessorSeconds
	n.log.Rounds = append(n.log.Rounds, line)
	if line.Passed {
		n.pass(train)
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
