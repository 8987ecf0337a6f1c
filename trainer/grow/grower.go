package grow

import (
	"context"
	"fmt"
	"path/filepath"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/nets"
	"bgtrain/trainer/td"
)

// The files of stages.
const (
	netFile       = "net.safetensors"
	positionsFile = "positions.parquet"
	labelsFile    = "labels.parquet"
	decisionsFile = "decisions.bm"
)

// grower makes the stages of a recipe.
type grower struct {
	r  *Recipe
	o  *Options
	st *store

	from, teacher *nets.Set // that the recipe names; nil for none
	players       []*Stage  // that passed so far, the newest last
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
		if g.teacher, err = data.OpenMean(r.Teacher); err != nil {
			return nil, fmt.Errorf("recipe %s: teacher: %w", r.Name, err)
		}
	}
	return g, nil
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
