package grow

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
)

// Noise is what two independent labels of the same positions say of them, in points².
// With e1 and e2 what the labels differ from the net's equity, half the mean squared
// difference of the two is the noise of one label, and the mean of e1·e2 what both say
// beyond the net: what is left to learn.
type Noise struct {
	Of        string     `json:"of"`        // a class, a theme, "all", or "learned" for positions learned from
	Positions int        `json:"positions"` // that the means are over
	Frequency float64    `json:"frequency"` // of the kind in games without styles; 0: not known
	Noise2    float64    `json:"noise2"`
	Left2     stats.Stat `json:"left2"`
}

// Bias is what whole trials of a theme say of the net: the mean of its equity less
// the trial's, for the side that Theme is said of, in points.
type Bias struct {
	Theme string     `json:"theme"`
	Bias  stats.Stat `json:"bias"`
}

// Played is the result of a match of a round's player, in points a game less luck.
type Played struct {
	Against string     `json:"against"`
	Points  stats.Stat `json:"points"`
}

// Measured is what was measured of a round's player.
type Measured struct {
	Noise  []Noise    `json:"noise"`
	Bias   []Bias     `json:"bias"`
	ER     stats.Stat `json:"er"`     // millipoints a decision; of none: 0
	Within stats.Stat `json:"within"` // rms equity error within a decision, points
	Match  []Played   `json:"match"`  // the first against the round before
}

// of returns the noise of a kind, nil where it was not measured.
func (m *Measured) of(kind string) *Noise {
	for i := range m.Noise {
		if m.Noise[i].Of == kind {
			return &m.Noise[i]
		}
	}
	return nil
}

// opponent is whom a round's player is measured against: the player of a stage, or a
// named net, whose games change no decision.
type opponent struct {
	name  string
	stage *Stage
	net   *nets.Set
}

// measure returns the stage that measures the player of a round: on labels like its
// round's, on positions like those of starts, on decisions, and against opponents.
func (g *grower) measure(round int, p *Stage, now *Round, starts, decisions *Stage, others []opponent) *Stage {
	m := g.r.Measure
	s := &Stage{Kind: KindMeasure, Round: round, Units: "parts", inputs: []*Stage{p, starts},
		shape: p.shape, picks: now.Labels.Picks,
		Command: fmt.Sprintf("bgtrain match %s %s --luck --games %d --seed %d", p.File(netFile),
			others[0].stage.File(netFile), m.Games, g.seed(round, seedGames)),
		settings: []string{flagLine(m.list().Without("decisions", "decision-trials", "every")),
			now.Labels.FollowMethod(now.Labels.Lambda), fmt.Sprint(now.Labels.Picks, g.r.Seed, round)}}
	if decisions != nil {
		s.inputs = append(s.inputs, decisions)
	}
	for _, o := range others {
		if o.stage != nil {
			s.inputs = append(s.inputs, o.stage)
		} else {
			s.settings = append(s.settings, o.name+"="+o.net.Fingerprint())
		}
	}
	s.Total = 3 + len(others)
	s.Work = float64(3*m.Positions*pliesOf(&now.Labels.Options) + int(bg.OtherThemes)*m.Trials*wholePlies +
		len(others)*m.Games*gamePlies*fullLuck)
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		me, err := newMeasurer(ctx, g, p, now)
		if err != nil {
			return nil, err
		}
		out := &Measured{}
		done := 0
		step := func(work func() error) {
			if err == nil {
				err = work()
			}
			done++
			progress(done, s.Total)
		}
		step(func() error { return me.noise(ctx, round, starts, out) })
		step(func() error { return me.biases(ctx, round, out) })
		step(func() error { return me.decide(ctx, decisions, out) })
		for _, o := range others {
			step(func() error { return me.play(ctx, round, o, out) })
		}
		return out, err
	}
	return s
}

// fullLuck is about how many plies of a followed trial a play of a match costs, whose
// luck is measured by all plays of all rolls.
const fullLuck = 3

// measurer measures one player.
type measurer struct {
	g      *grower
	labels Labels
	p      *player.Player
	db     *bearoff.DB
	job    job.Settings
	have   job.Nets
}

func newMeasurer(ctx context.Context, g *grower, p *Stage, now *Round) (*measurer, error) {
	net, err := g.net(p)
	if err != nil {
		return nil, err
	}
	m := &measurer{g: g, labels: now.Labels}
	if m.job, m.have, err = g.rollouts(p, now.Labels.Options, g.teacherOf(&now.Labels)); err != nil {
		return nil, err
	}
	if m.db, err = bearoff.Open(ctx, bearoff.Options{}); err != nil {
		return nil, err
	}
	m.p, err = player.New(net, m.db, player.Options{})
	return m, err
}

// follow returns the equity that a trial from each position finds for it.
func (m *measurer) follow(ctx context.Context, keys []bg.Key, o rollout.Options, lambda float64) ([]float64, error) {
	s := m.job
	o.Luck = s.Rollout.Luck
	s.Kind, s.Rollout, s.Lambda = job.Follow, o, lambda
	j, err := job.Open(ctx, s, m.have, job.AutoCache)
	if err != nil {
		return nil, err
	}
	work := make([]job.Work, parallel.Workers(m.g.o.Workers))
	out := make([]float64, len(keys))
	err = parallel.For(ctx, len(work), len(keys), func(w, i int) error {
		if work[w] == nil {
			work[w] = j.New()
		}
		rows, err := work[w](ctx, []dataset.Row{{Key: keys[i]}})
		if err == nil {
			out[i] = float64(rows[0].Outputs.Equity())
		}
		return err
	})
	return out, err
}

// values returns the player's equities at 0-ply.
func (m *measurer) values(keys []bg.Key) ([]float64, error) {
	ev := m.p.NewEvaluator()
	out := make([]float64, len(keys))
	for i, k := range keys {
		b, err := k.Board()
		if err != nil {
			return nil, err
		}
		o := ev.Evaluate(&b, 0)
		out[i] = float64(o.Equity())
	}
	return out, nil
}

// noise measures labels of new positions, by class and theme, and of positions that
// the round's trials began at.
func (m *measurer) noise(ctx context.Context, round int, starts *Stage, out *Measured) error {
	s := selfplay.Settings{Seed: m.g.seed(round, seedMeasure), Select: selfplay.Selectors{All: true}, Density: 0.1,
		Random: 0, Workers: m.g.o.Workers}
	s.SetQuota(m.g.r.Measure.Positions, map[bg.Class]float64{bg.Contact: 0.6, bg.Crashed: 0.2, bg.Race: 0.2})
	found, report, err := selfplay.Generate(ctx, m.p, s, selfplay.Hooks{})
	if err != nil {
		return err
	}
	seen := 0
	for _, n := range report.Seen {
		seen += n
	}
	var keys []bg.Key
	of := map[string][]int{}
	for i, f := range found {
		b, err := f.Key.Board()
		if err != nil {
			return err
		}
		keys = append(keys, f.Key)
		of["all"], of[f.Class.String()] = append(of["all"], i), append(of[f.Class.String()], i)
		if f.Class >= bg.Crashed {
			t, _ := bg.ThemeOf(&b)
			of[t.String()] = append(of[t.String()], i)
		}
	}
	frequency := func(indices []int) (sum float64) {
		for _, i := range indices {
			c := found[i].Class
			sum += float64(report.Seen[c]) / float64(seen) / float64(max(report.Kept[c], 1))
		}
		return sum
	}
	if err := m.twice(ctx, round, keys, of, frequency, out); err != nil {
		return err
	}
	learned, err := m.g.someKeys(ctx, starts, m.g.r.Measure.Positions/2)
	if err != nil {
		return err
	}
	of = map[string][]int{"learned": nil}
	for i := range learned {
		of["learned"] = append(of["learned"], i)
	}
	return m.twice(ctx, round, learned, of, func([]int) float64 { return 0 }, out)
}

// kinds are the names of all classes and themes that are measured, in order.
func kinds() []string {
	out := []string{"all", "learned"}
	for c := bg.Contact; c >= bg.Race; c-- {
		out = append(out, c.String())
	}
	for t := range bg.NumThemes {
		out = append(out, t.String())
	}
	return out
}

// twice labels positions twice and adds what that says of each kind of them.
func (m *measurer) twice(ctx context.Context, round int, keys []bg.Key, of map[string][]int,
	frequency func([]int) float64, out *Measured) error {
	var labels [2][]float64
	for i := range labels {
		o := m.labels.Options
		o.Seed = m.g.seed(round, seedMeasure+i)
		var err error
		if labels[i], err = m.follow(ctx, keys, o, m.labels.Lambda); err != nil {
			return err
		}
	}
	net, err := m.values(keys)
	if err != nil {
		return err
	}
	for _, kind := range kinds() {
		indices := of[kind]
		if len(indices) == 0 {
			continue
		}
		var noise, left stats.Tally
		for _, i := range indices {
			d := labels[0][i] - labels[1][i]
			noise.Add(d * d / 2)
			left.Add((labels[0][i] - net[i]) * (labels[1][i] - net[i]))
		}
		out.Noise = append(out.Noise, Noise{Of: kind, Positions: len(indices), Frequency: frequency(indices),
			Noise2: noise.Mean, Left2: left.Stat()})
	}
	return nil
}

// someKeys returns up to n positions of a stage, evenly spread.
func (g *grower) someKeys(ctx context.Context, s *Stage, n int) ([]bg.Key, error) {
	db, err := dataset.Open(filepath.Join(g.st.dir, s.File(positionsFile)))
	if err != nil {
		return nil, err
	}
	every := max(1, int(db.NumRows())/max(n, 1))
	var keys []bg.Key
	i := 0
	for row, err := range db.Rows(ctx, dataset.Filter{Columns: dataset.ColClass}) {
		if err != nil {
			return nil, err
		}
		if i%every == 0 && len(keys) < n {
			keys = append(keys, row.Key)
		}
		i++
	}
	return keys, nil
}

// biases compares the player's values with whole trials, by theme. A theme that games
// do not come to is left out.
func (m *measurer) biases(ctx context.Context, round int, out *Measured) error {
	n := m.g.r.Measure.Trials
	if n == 0 {
		return nil
	}
	for theme := range bg.OtherThemes {
		s := selfplay.Settings{Seed: m.g.seed(round, seedThemes+int(theme)), Select: selfplay.Selectors{All: true},
			Density: 0.2, Diversity: 0.5, Workers: m.g.o.Workers}
		s.Quota[classOf(theme)] = n
		found, err := someOf(ctx, m.p, s, theme)
		if err != nil {
			return err
		}
		keys := make([]bg.Key, len(found))
		for i := range found {
			keys[i] = found[i].Key
		}
		o := m.labels.Options
		o.Seed, o.Truncate = m.g.seed(round, seedWhole), 0
		labels, err := m.follow(ctx, keys, o, 1)
		if err != nil {
			return err
		}
		net, err := m.values(keys)
		if err != nil {
			return err
		}
		var bias stats.Tally
		for i := range keys {
			b, err := keys[i].Board()
			if err != nil {
				return err
			}
			d := net[i] - labels[i]
			if _, mine := bg.ThemeOf(&b); !mine {
				d = -d
			}
			bias.Add(d)
		}
		if bias.N > 1 {
			out.Bias = append(out.Bias, Bias{theme.String(), bias.Stat()})
		}
	}
	return nil
}

// themeRounds is after how many times the positions wanted the search for those of a
// theme ends with what there is.
const themeRounds = 500

// errEnough ends a search.
var errEnough = errors.New("enough")

// someOf returns positions of a theme: as many as the settings ask for, or fewer
// where games hardly come to it.
func someOf(ctx context.Context, p *player.Player, s selfplay.Settings, theme bg.Theme) ([]selfplay.Found, error) {
	want := 0
	for _, q := range s.Quota {
		want += q
	}
	var found []selfplay.Found
	looked := 0
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	_, _, err := selfplay.Generate(ctx, p, s, selfplay.Hooks{Exclude: func(k bg.Key) bool {
		b, err := k.Board()
		t, _ := bg.ThemeOf(&b)
		if looked++; looked > themeRounds*want {
			stop(errEnough)
		}
		if err != nil || t != theme {
			return true
		}
		if len(found) < want {
			found = append(found, selfplay.Found{Key: k})
		}
		return false
	}})
	if err != nil && !errors.Is(context.Cause(ctx), errEnough) {
		return nil, err
	}
	return found, nil
}

// decide measures the player on decisions.
func (m *measurer) decide(ctx context.Context, decisions *Stage, out *Measured) error {
	if decisions == nil {
		return nil
	}
	f, err := bm.ReadFile(filepath.Join(m.g.st.dir, decisions.File(decisionsFile)), bm.ReadOptions{})
	if err != nil {
		return err
	}
	o := score.Options{Workers: m.g.o.Workers}
	me := &opponents.NetPlayer{Net: m.p, Label: "new"}
	s, err := score.File(ctx, me, f, o)
	if err != nil {
		return err
	}
	out.ER = s.Summary().ER
	errs, err := score.Equities(ctx, me, f, o)
	if err != nil {
		return err
	}
	e := errs.Summary()
	out.Within = stats.Stat{Mean: e.Within, SE: e.WithinSE}
	return nil
}

// play plays against an opponent.
func (m *measurer) play(ctx context.Context, round int, o opponent, out *Measured) error {
	net, err := o.net, error(nil)
	if o.stage != nil {
		net, err = m.g.net(o.stage)
	}
	if err != nil {
		return err
	}
	p, err := player.New(net, m.db, player.Options{})
	if err != nil {
		return err
	}
	played, err := match.Play(ctx, &opponents.NetPlayer{Net: m.p, Label: "new"},
		&opponents.NetPlayer{Net: p, Label: o.name}, match.Options{Games: m.g.r.Measure.Games,
			Seed: m.g.seed(round, seedGames), Workers: m.g.o.Workers, Luck: m.p})
	if err != nil {
		return err
	}
	points := played.Summary().Adjusted
	if math.IsNaN(points.Mean) {
		return fmt.Errorf("match against %s: no result", o.name)
	}
	out.Match = append(out.Match, Played{o.name, *points})
	return nil
}
