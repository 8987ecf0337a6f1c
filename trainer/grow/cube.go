package grow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bgtrain/benchmark/cubestudy"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/rollout"
	"bgtrain/trainer/cubelife"
)

// Cube describes how the nets of the cube model learned are trained: on games of the player
// that the rounds end with.
type Cube struct {
	Games    int // 0: no such nets
	Training cubelife.Settings
}

func (c *Cube) list() setting.List {
	return append(setting.List{{Name: "games", To: &c.Games, Range: setting.From(0, most),
		Help: fmt.Sprintf("games that the nets of the cube learn from, a multiple of %d or fewer; 0: no such nets",
			cubePart)}}, c.Training.List().Without("seed", "workers")...)
}

// cubePart is the number of games in a file of them: what a kill may lose.
const cubePart = 500

// recorded is how the games are recorded.
func (c *Cube) recorded(seed uint64, workers int) cubestudy.Settings {
	return cubestudy.Settings{Games: c.Games, Part: cubePart, Seed: seed, Rolls: true, Workers: workers}
}

// gamesDir is the directory of the games within their stage's.
const gamesDir = "games"

// Plies of followed trials that take about as long as labeling a game for the cube does, and
// pairs of the bearoff database that take as long as one.
const (
	cubeGamePlies = 10
	cubePlyPairs  = 100
)

// cubeStage returns the stage of the nets of the cube for the newest player that passed, made
// of a stage of its games.
func (n *run) cubeStage() *Stage {
	games, training, seed := n.recordGames(), n.r.Cube.Training, n.seed(0, seedCube)
	training.Seed, training.Workers = seed, n.o.Workers
	flags := flagLine(training.List().Without("workers"))
	s := &Stage{Kind: KindCube, Units: "games", Total: training.Rounds * games.Total, settings: []string{flags},
		Work:   float64(training.Rounds * (games.Total*cubeGamePlies + training.Epochs*training.Pairs/cubePlyPairs)),
		inputs: []*Stage{games}, shape: games.shape, picks: games.picks}
	s.Command = fmt.Sprintf("bgtrain cube train %s%s -o %s", games.File(gamesDir), flags, s.File(CubeFile))
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		parts, err := cubestudy.Parts(filepath.Join(n.st.dir, games.File(gamesDir)))
		if err != nil {
			return nil, err
		}
		set, report, err := cubelife.Train(ctx, parts, training, cubelife.Hooks{Progress: progress})
		if err != nil {
			return nil, err
		}
		set.Provenance["command"] = s.Command
		return report, atomicfile.Write(filepath.Join(dir, CubeFile), set.Write)
	}
	return s
}

// recordGames returns the stage of games of the newest player that passed.
func (n *run) recordGames() *Stage {
	of, games := n.best(), n.r.Cube.recorded(n.seed(0, seedCube), n.o.Workers)
	flags := flagLine(games.List().Without("workers"))
	plies := games.Games * gamePlies
	s := &Stage{Kind: KindGames, Units: "games", Total: games.Games, Rows: plies * (1 + len(bg.Rolls)),
		Work: float64(plies), settings: []string{flags}, inputs: []*Stage{of},
		shape: of.shape, picks: rollout.DefaultOptions().Picks}
	s.Command = fmt.Sprintf("bgtrain cube record %s%s -o %s", of.File(netFile), flags, s.File(gamesDir))
	s.work = func(ctx context.Context, dir string, progress func(done, total int)) (any, error) {
		net, err := n.net(of)
		if err != nil {
			return nil, err
		}
		db, err := bearoff.Open(ctx, bearoff.Options{})
		if err != nil {
			return nil, err
		}
		p, err := player.New(net, db, player.Options{})
		if err != nil {
			return nil, err
		}
		return nil, cubestudy.RecordNet(ctx, p, net, filepath.Join(dir, gamesDir), games,
			cubestudy.Hooks{Progress: progress})
	}
	return s
}

// learnCube makes the nets of the cube of the newest player that passed, and publishes them.
func (n *run) learnCube(ctx context.Context) error {
	s := n.cubeStage()
	if err := n.st.need(ctx, s, nil); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(n.st.dir, s.File(CubeFile)))
	if err != nil {
		return err
	}
	n.o.Hooks.line(fmt.Sprintf("%s: nets of the cube, by %d games", CubeFile, n.r.Cube.Games))
	return writeFile(filepath.Join(n.o.Dir, CubeFile), text)
}
