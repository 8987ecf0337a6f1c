package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/met"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
)

// scoreOptions are the flags of score.
type scoreOptions struct {
	contestantFlags
	net, against string
	losses       string
	workers      int
	skipBad      bool
	json         bool
	equities     bool
	breakdown    bool
	worst        int
	calibration  bool
	cubeLife     float64
	cube         string
	met          string
	at           string
	owned        bool
}

func runScore(ctx context.Context, e *env, args []string) error {
	var o scoreOptions
	f := newFlags(e, "score [flags] [FILE…]",
		"Scores a player on GNU Backgammon's benchmark files, plain or compressed: the error\nrate (mean equity "+
			"lost per decision, times 1000) with its standard error, the\ndecisions that lost something, those "+
			"whose play is not listed (out), and the total\nin points; and how far its equities of the "+
			"candidates are from the file's, in all and\nwithin a decision. With --against, compares two players "+
			"decision by decision. Cube\ndecisions (o records) are scored where a file has them. A file "+
			"may also be a rollout\ndatabase: then it is the outputs that are compared; embedded is "+
			"the one that ships\nwith the program. Without FILE, the benchmark files that ship "+
			"with it.\n\n"+contestantHelp,
		"bgtrain score --net my.safetensors --against default --breakdown contact.bm crashed.bm race.bm")
	f.StringVar(&o.net, "net", "default",
		"the player: net file, embedded net (td, fast, default, gnubg-size, gnubg-wide), pubeval, gnubg, …")
	o.contestantFlags.add(f)
	f.StringVar(&o.against, "against", "", "another player, for a paired comparison")
	f.StringVar(&o.losses, "losses", "", "write a line a decision to this file: key, dice, chosen key, loss, in or out")
	f.BoolVar(&o.equities, "equities", true, "also the rms error of the candidates' equities, in all and within "+
		"a decision; --equities=false saves its time")
	f.BoolVar(&o.breakdown, "breakdown", false, "also by game plan and by class of the position after the best play")
	f.IntVar(&o.worst, "worst", 0, "also list so many of the worst decisions; with --against, of those that "+
		"differ most")
	f.BoolVar(&o.calibration, "calibration", false, "also compare outputs with the rolled-out ones (#R and o records)")
	f.Float64Var(&o.cubeLife, "cube-life", cube.ContactLife, "cube life index of Janowski's model, 0 dead to 1 live")
	f.StringVar(&o.cube, "cube", "", "cube model that judges cube decisions, instead of --cube-life: "+cube.Models)
	f.StringVar(&o.at, "at", "", "judge cube decisions at a score of a match, in points away of the player on roll "+
		"and the opponent, such as 3:5")
	addMETFlag(f, &o.met, "--at")
	f.BoolVar(&o.owned, "owned", false,
		"judge cube decisions with the cube owned by the player on roll, at 2, not centered")
	addWorkersFlag(f, &o.workers)
	f.BoolVar(&o.skipBad, "skip-bad", false, "leave bad records out and say how many")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case o.cubeLife < 0 || o.cubeLife > 1:
		return usagef("--cube-life %v: 0 to 1 expected", o.cubeLife)
	case o.met != "" && o.at == "":
		return usagef("--met is for a score of a match: --at")
	case o.against != "" && o.losses != "":
		return usagef("--losses is of one player, --against of two")
	}
	if _, _, err := o.cubeJudge(); err != nil {
		return err
	}
	return o.score(ctx, e, f.Args())
}

// cubeJudge returns the model that judges cube decisions and the state they are
// judged at.
func (o *scoreOptions) cubeJudge() (m cube.Model, s cube.State, err error) {
	m, s = cube.Janowski{Life: o.cubeLife, Opponent: o.cubeLife}, cube.Money
	if o.cube != "" {
		if m, err = cube.ParseModel(o.cube); err != nil {
			return nil, s, usagef("--cube: %w", err)
		}
	}
	if o.owned {
		s.Cube, s.Owner = 2, cube.Owned
	}
	if o.at == "" {
		return m, s, nil
	}
	if _, err := fmt.Sscanf(o.at+"\n", "%d:%d\n", &s.Away, &s.Opponent); err != nil {
		return nil, s, usagef("--at %q: points away of both, such as 3:5, expected", o.at)
	}
	if s.Table, err = met.Open(o.met); err != nil {
		return nil, s, err
	}
	if err := s.Check(); err != nil {
		return nil, s, usagef("--at: %w", err)
	}
	return m, s, nil
}

// scored is what becomes of one file.
type scored struct {
	file     *bm.File
	scores   []*score.Score        // of the player and of the one it is compared with
	equities []*score.EquityErrors // of the same; nil for one that gives no equity
	compare  *score.Comparison
}

// hasPlays says whether the file has plays to decide, not only cube decisions.
func (s scored) hasPlays() bool { return len(s.file.Records) > 0 }

func (o *scoreOptions) score(ctx context.Context, e *env, names []string) error {
	players, err := o.players(ctx, e)
	if err != nil {
		return err
	}
	start := time.Now()
	var benchmarks []string
	var databases []*dataset.DB
	for _, name := range names {
		if !isDatabase(name) {
			benchmarks = append(benchmarks, name)
			continue
		}
		db, err := openDatabase(name)
		if err != nil {
			return err
		}
		databases = append(databases, db)
	}
	var all []scored
	if len(benchmarks) > 0 || len(databases) == 0 {
		files, err := readBenchmarks(e, benchmarks, o.skipBad)
		if err != nil {
			return err
		}
		for _, f := range files {
			s, err := o.scoreFile(ctx, e, f, players)
			if err != nil {
				return err
			}
			all = append(all, s)
		}
	}
	r := &scoreReport{o: o, players: players, all: all}
	if err := r.extras(ctx, databases); err != nil {
		return err
	}
	r.elapsed = time.Since(start)
	if o.losses != "" {
		err := atomicfile.Write(o.losses, func(w io.Writer) error {
			for _, s := range all {
				if err := s.scores[0].WriteLosses(w); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(r.json())
	}
	w := bufio.NewWriter(e.Stdout)
	r.print(w)
	return w.Flush()
}

func (o *scoreOptions) players(ctx context.Context, e *env) ([]opponents.Player, error) {
	var ps []opponents.Player
	for _, name := range []string{o.net, o.against} {
		if name == "" {
			continue
		}
		p, err := o.open(ctx, e, name, opponents.Equity)
		if err != nil {
			return nil, err
		}
		ps = append(ps, p)
	}
	return ps, nil
}

// scoreFile lets the players decide a file.
func (o *scoreOptions) scoreFile(ctx context.Context, e *env, f *bm.File, players []opponents.Player) (s scored,
	err error) {
	s.file = f
	for _, p := range players {
		bar := newProgress(e, len(f.Records), "decisions")
		r, err := score.File(ctx, p, f, score.Options{Workers: o.workers, Progress: bar.Set})
		if err != nil {
			return scored{}, fmt.Errorf("score %s: %w", p.Name(), err)
		}
		bar.end()
		s.scores = append(s.scores, r)
		errs, err := o.equitiesOf(ctx, e, f, p)
		if err != nil {
			return scored{}, err
		}
		s.equities = append(s.equities, errs)
	}
	if len(s.scores) == 2 {
		s.compare, err = score.Compare(s.scores[0], s.scores[1])
	}
	return s, err
}

// scoreReport is all that score found out.
type scoreReport struct {
	o           *scoreOptions
	players     []opponents.Player
	all         []scored
	elapsed     time.Duration
	cubes       []*score.CubeScore // a player each; nil without o records
	calibration []calibration
}

// calibration compares a net's outputs with rolled-out ones.
type calibration struct {
	Net  string `json:"net"`
	From string `json:"from"` // a database, or the benchmark files
	*score.Calibration
}

// extras computes cube scores and calibrations.
func (r *scoreReport) extras(ctx context.Context, databases []*dataset.DB) error {
	var files []*bm.File
	var samples []score.Sample
	cubes := 0
	for _, s := range r.all {
		files = append(files, s.file)
		cubes += len(s.file.Cubes)
		if r.o.calibration {
			samples = append(samples, score.Samples(s.file)...)
		}
	}
	if r.o.calibration && len(files) > 0 && len(samples) == 0 {
		return fmt.Errorf("calibration: no rolled-out outputs (#R or o records) in the benchmark files")
	}
	model, at, err := r.o.cubeJudge()
	if err != nil {
		return err
	}
	for _, p := range r.players {
		net := netOf(p)
		if cubes > 0 && net != nil {
			c, err := score.Cubes(ctx, p, files, model, at, r.o.workers)
			if err != nil {
				return err
			}
			r.cubes = append(r.cubes, c)
		}
		if len(samples)+len(databases) == 0 {
			continue
		}
		if net == nil {
			return fmt.Errorf("%s has no outputs to compare with rolled-out ones", p.Name())
		}
		ply := p.(*opponents.NetPlayer).Ply
		if len(samples) > 0 {
			c, err := score.Calibrate(ctx, net, ply, samples, r.o.workers)
			if err != nil {
				return err
			}
			r.calibration = append(r.calibration, calibration{p.Name(), "benchmark files", c})
		}
		for _, db := range databases {
			c, err := score.CalibrateDatabase(ctx, net, ply, db, r.o.workers)
			if err != nil {
				return err
			}
			r.calibration = append(r.calibration, calibration{p.Name(), db.Path(), c})
		}
	}
	return nil
}

// print writes the report for people.
func (r *scoreReport) print(out io.Writer) {
	r.printScores(out)
	r.printEquities(out)
	for _, s := range r.all {
		if s.compare != nil && s.hasPlays() {
			c := s.compare
			fmt.Fprintf(out, "\n%s: %s less %s: ER %+.3f ± %.3f; same play %d, better %d, worse %d\n",
				filepath.Base(s.file.Name),
				r.players[0].Name(), r.players[1].Name(), c.Difference.Mean, c.Difference.SE, c.Same, c.Better, c.Worse)
		}
		if d := s.withinDifference(everyRecord); d != nil {
			fmt.Fprintf(out, "%s: %s less %s: rms error within a decision %+.5f ± %.5f\n",
				filepath.Base(s.file.Name), r.players[0].Name(), r.players[1].Name(), d.Mean, d.SE)
		}
	}
	if r.o.breakdown {
		r.printBreakdown(out)
	}
	if r.o.worst > 0 {
		r.printWorst(out)
	}
	r.printCubes(out)
	r.printCalibration(out)
	fmt.Fprintf(out, "\n%.1f s\n", r.elapsed.Seconds())
}

// printScores writes a line a player and file that has plays to decide.
func (r *scoreReport) printScores(out io.Writer) {
	if !slices.ContainsFunc(r.all, scored.hasPlays) {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "player\tfile\tclass\tdecisions\tER\t± se\twrong\tout\ttotal\t\n")
	for i, p := range r.players {
		for _, s := range r.all {
			if !s.hasPlays() {
				continue
			}
			sum := s.scores[i].Summary()
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.3f\t%.3f\t%d\t%d\t%.4f\t\n", p.Name(), filepath.Base(s.file.Name),
				s.file.Class(),
				sum.Decisions, sum.ER.Mean, sum.ER.SE, sum.Wrong, sum.Out, sum.Total)
		}
	}
	w.Flush()
}

// notation describes a play, or says that it is none.
func notation(r *bm.Record, k bg.Key) string {
	before, err1 := r.Key.Board()
	after, err2 := k.Board()
	if err1 != nil || err2 != nil {
		return k.String()
	}
	return bg.Notation(&before, &after, r.Dice[0], r.Dice[1])
}
