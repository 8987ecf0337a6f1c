package grow

import (
	"fmt"
	"maps"
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/rollout/selfplay"
	"bgtrain/trainer"
)

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

// first returns the settings of the first round, before what the recipe says of it.
func (r *Recipe) first() Round {
	now := newRound()
	if r.From == "" && r.alike() {
		now.Training.Hidden = slices.Clone(r.Start.Hidden)
	}
	return now
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
	player := n.prune(round, n.best(), now.Positions, n.newest())
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
	t.Seed, t.Nets = n.seed(round, seedTraining), []string{string(nets.Contact), string(nets.Crashed)}
	first := n.learn(round, player, now, &now.Training, t, n.recent(now, &now.Training, s.labels, labeled.main))
	s.trains = []*Stage{first}
	if races.N == 0 {
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
	t = now.Races.Settings
	t.Seed, t.Nets = n.seed(round, seedTraining), []string{string(nets.Race)}
	s.trains = append(s.trains,
		n.learn(round, first, now, &now.Races, t, n.recent(now, &now.Races, s.races, labeled.ofRaces)))
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

// recent returns new labels and those of as many rounds before as the training wants, of trials as the
// new ones or of values as they.
func (n *run) recent(now *Round, t *Training, labels []*Stage, of func(labeled) []*Stage) []*Stage {
	labels = slices.Clone(labels)
	for i := len(n.labels) - 1; i >= 0; i-- {
		if t.Rows == 0 || n.rounds[i].Labels.Values == now.Labels.Values && n.age(i) < t.Rows {
			labels = append(labels, of(n.labels[i])...)
		}
	}
	return labels
}

// age returns how old a round's labels are in the next round of the kind, of trials or of values: 1 for the newest.
func (n *run) age(i int) int {
	age := 1
	for j := i + 1; j < len(n.rounds); j++ {
		if n.rounds[j].Labels.Values == n.rounds[i].Labels.Values {
			age++
		}
	}
	return age
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
		append([]opponent{{name: before, stage: n.best()}}, n.others...))
	return s
}
