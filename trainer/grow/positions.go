package grow

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/setting"
	"bgtrain/rollout/job"
	"bgtrain/rollout/selfplay"
)

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
	work := float64(total)
	if theme != nil { // of each game such a share is looked at
		work /= max(settings.Density, 0.01)
	}
	s := &Stage{Kind: KindPositions, Round: round, Units: "positions", Total: total, Work: work,
		shape:    player.shape,
		theme:    theme,
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
	if t == bg.DeepBoards || t == bg.TenOffs {
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
