package score

import (
	"context"
	"fmt"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/opponents"
	"bgtrain/dataset"
	"bgtrain/internal/cube"
	"bgtrain/internal/parallel"
	"bgtrain/internal/stats"
)

// Judging describes what players are judged by. Error rates are always found out.
type Judging struct {
	Files     []*bm.File
	Databases []*dataset.DB // whose outputs those of nets are compared with

	Equities    bool // also the errors of the candidates' equities
	Calibration bool // also compare outputs of nets with the rolled-out ones of Files
	Static      bool // calibrate nets at 0-ply, whatever the players look ahead

	Models []cube.Model // judge the cube decisions of Files
	At     cube.State   // where they are judged that were not rolled out with the cube

	Workers int // goroutines, 0: one a processor

	// Begin, if not nil, is called before a player goes through a file, and returns what is
	// called with how many of total units are done.
	Begin func(unit, player, file string, total int) func(done, total int)
}

// Judgment is how players did.
type Judgment struct {
	Players []opponents.Player
	Files   []FileJudgment

	// Cubes has an entry for each model of each player that is a net; it is empty where no
	// file has cube decisions.
	Cubes        []*CubeScore
	Calibrations []NetCalibration
}

// FileJudgment is how players did on one file, each slice in their order.
type FileJudgment struct {
	File     *bm.File
	Scores   []*Score
	Equities []*EquityErrors // nil for a player that gives no equity; empty unless asked for

	// Compared sets the first two players side by side; nil for one player.
	Compared *Comparison
}

// NetCalibration is the calibration of a player's net.
type NetCalibration struct {
	Player string `json:"net"`
	From   string `json:"from"` // a database, or OfFiles
	*Calibration
}

// OfFiles is where the rolled-out outputs of benchmark files are from.
const OfFiles = "benchmark files"

// Judge lets players decide benchmark files and compares the outputs of those that are
// nets with rolled-out ones. The result does not depend on the number of workers.
func Judge(ctx context.Context, players []opponents.Player, j Judging) (*Judgment, error) {
	r := &Judgment{Players: players}
	for _, f := range j.Files {
		if len(f.Records) == 0 && len(f.Cubes) > 0 {
			continue // nothing to play
		}
		s := FileJudgment{File: f}
		for _, p := range players {
			if err := s.add(ctx, p, &j); err != nil {
				return nil, err
			}
		}
		if len(s.Scores) > 1 {
			var err error
			if s.Compared, err = Compare(s.Scores[0], s.Scores[1]); err != nil {
				return nil, err
			}
		}
		r.Files = append(r.Files, s)
	}
	if err := r.judgeCubes(ctx, &j); err != nil {
		return nil, err
	}
	return r, r.calibrate(ctx, &j)
}

// options are those by which a player goes through a file.
func (j *Judging) options(unit, player, file string, total int) Options {
	o := Options{Workers: j.Workers}
	if j.Begin != nil {
		o.Progress = j.Begin(unit, player, file, total)
	}
	return o
}

// add lets a player decide the file.
func (s *FileJudgment) add(ctx context.Context, p opponents.Player, j *Judging) error {
	o := j.options("decisions", p.Name(), s.File.Name, len(s.File.Records))
	score, err := File(ctx, p, s.File, o)
	if err != nil {
		return fmt.Errorf("score %s: %w", p.Name(), err)
	}
	s.Scores = append(s.Scores, score)
	if !j.Equities {
		return nil
	}
	o = j.options("decisions", "equities of "+p.Name(), s.File.Name, len(s.File.Records))
	errs, err := Equities(ctx, p, s.File, o)
	if err != nil {
		return fmt.Errorf("equities of %s: %w", p.Name(), err)
	}
	s.Equities = append(s.Equities, errs)
	return nil
}

func (r *Judgment) judgeCubes(ctx context.Context, j *Judging) error {
	cubes := 0
	for _, f := range j.Files {
		cubes += len(f.Cubes)
	}
	if cubes == 0 {
		return nil
	}
	for _, p := range r.Players {
		if opponents.NetOf(p) == nil {
			continue
		}
		for _, m := range j.Models {
			o := j.options("cube decisions", p.Name(), m.String(), cubes)
			c, err := Cubes(ctx, p, j.Files, m, j.At, o)
			if err != nil {
				return err
			}
			r.Cubes = append(r.Cubes, c)
		}
	}
	return nil
}

// calibrate compares the outputs of each player that is a net.
func (r *Judgment) calibrate(ctx context.Context, j *Judging) error {
	var samples []Sample
	if j.Calibration {
		samples = Samples(j.Files...)
	}
	for _, p := range r.Players {
		n, ok := p.(*opponents.NetPlayer)
		if !ok {
			continue
		}
		ply := n.Ply
		if j.Static {
			ply = 0
		}
		add := func(from string, c *Calibration, err error) error {
			if err == nil {
				r.Calibrations = append(r.Calibrations, NetCalibration{p.Name(), from, c})
			}
			return err
		}
		if len(samples) > 0 {
			o := j.options("positions", p.Name(), OfFiles, len(samples))
			c, err := Calibrate(ctx, n.Net, ply, samples, o)
			if err := add(OfFiles, c, err); err != nil {
				return err
			}
		}
		for _, db := range j.Databases {
			o := j.options("positions", p.Name(), db.Path(), int(db.NumRows()))
			c, err := CalibrateDatabase(ctx, n.Net, ply, db, o)
			if err := add(db.Path(), c, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// Every selects all decisions.
func Every(int) bool { return true }

// EquityOf sums up a player's equity errors on the decisions that include selects; nil
// where it gives no equity, or none of them has two candidates.
func (s *FileJudgment) EquityOf(player int, include func(i int) bool) *EquityError {
	if player >= len(s.Equities) || s.Equities[player] == nil {
		return nil
	}
	e := s.Equities[player].SummaryOf(include)
	if e.Decisions == 0 {
		return nil
	}
	return &e
}

// WithinLess is the first player's error within a decision less the second's, on the
// decisions that include selects; nil unless EquityOf both is something.
func (s *FileJudgment) WithinLess(include func(i int) bool) *stats.Stat {
	if len(s.Equities) < 2 || s.EquityOf(0, include) == nil || s.EquityOf(1, include) == nil {
		return nil
	}
	d := s.Equities[0].WithinLess(s.Equities[1], include)
	return &d
}

// eachRecord calls f for every record of a file, by several goroutines: each has a mover
// of the player's own.
func eachRecord(ctx context.Context, ms *opponents.Pool, f *bm.File, o Options,
	each func(m opponents.Mover, i int) error) error {
	const chunk = 32
	count := parallel.NewCounter(len(f.Records), o.Progress)
	return parallel.For(ctx, o.Workers, (len(f.Records)+chunk-1)/chunk, func(worker, c int) error {
		m, err := ms.Get(worker)
		if err != nil {
			return err
		}
		end := min((c+1)*chunk, len(f.Records))
		for i := c * chunk; i < end; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := each(m, i); err != nil {
				return fmt.Errorf("%s:%d: %w", f.Name, f.Records[i].Line, err)
			}
			count.Add(1)
		}
		return nil
	})
}
