package report

import (
	"context"
	"fmt"
	"time"

	"bgtrain/benchmark/bm"
	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
)

// Input is all that a page shows.
type Input struct {
	Title   string
	Made    time.Time // zero: not said
	Command string    // that makes the page again; empty: not said
	Worst   int       // decisions a class to draw

	Players      []opponents.Player // the one the page is about, then those beside it
	Nets         []Net
	Files        []Scored
	Cubes        []*score.CubeScore // a player each, nil for one without outputs; nil where no file has o records
	Curves       []Curve
	Calibrations []Calibration
	Database     *Database // nil: none
}

// Net is a net file under the name of its player.
type Net struct {
	Name string
	File *nets.Set
}

// Scored is a benchmark file with the scores of all players, in their order.
type Scored struct {
	File   *bm.File
	Scores []*score.Score
}

// Calibration is that of one player against the outputs of From.
type Calibration struct {
	Player string
	From   string
	*score.Calibration
}

// Database says what a database holds.
type Database struct {
	Info  *dataset.Info
	Plans [bg.NumPlans]PlanCount // by the plan of the player on roll
}

// PlanCount counts the positions of a plan.
type PlanCount struct {
	Positions int
	Classes   [bg.NumClasses]int
}

// Options say what Collect measures.
type Options struct {
	Files    []*bm.File
	Database *dataset.DB // nil: none
	Workers  int         // goroutines, 0: one a processor

	// Progress, if not nil, is called when a stage begins, and returns what is
	// told how much of total is done.
	Progress func(stage string) func(done, total int)
}

// Collect lets in.Players decide the benchmark files and compares their nets'
// outputs with rolled-out ones, and adds the results to in, which already has
// everything that needs no computing. Calibration is of the nets themselves: at
// 0-ply whatever the player looks ahead.
func Collect(ctx context.Context, in *Input, o Options) error {
	for _, f := range o.Files {
		s := Scored{File: f}
		for _, p := range in.Players {
			so := score.Options{Workers: o.Workers}
			if o.Progress != nil {
				so.Progress = o.Progress(p.Name() + " on " + f.Name)
			}
			score, err := score.File(ctx, p, f, so)
			if err != nil {
				return fmt.Errorf("score %s: %w", p.Name(), err)
			}
			s.Scores = append(s.Scores, score)
		}
		in.Files = append(in.Files, s)
	}
	if err := collectCubes(ctx, in, o); err != nil {
		return err
	}
	if err := calibrate(ctx, in, o); err != nil {
		return err
	}
	if o.Database == nil {
		return nil
	}
	d, err := DescribeDatabase(ctx, o.Database)
	in.Database = d
	return err
}

func collectCubes(ctx context.Context, in *Input, o Options) error {
	cubes := 0
	for _, f := range o.Files {
		cubes += len(f.Cubes)
	}
	if cubes == 0 {
		return nil
	}
	for _, p := range in.Players {
		var c *score.CubeScore
		if _, ok := p.(*opponents.NetPlayer); ok {
			var err error
			c, err = score.Cubes(ctx, p, o.Files, cube.Janowski{Life: cube.ContactLife, Opponent: cube.ContactLife},
				cube.Money, o.Workers)
			if err != nil {
				return err
			}
		}
		in.Cubes = append(in.Cubes, c)
	}
	return nil
}

// calibrate compares the outputs of each player that has a net.
func calibrate(ctx context.Context, in *Input, o Options) error {
	var samples []score.Sample
	for _, f := range o.Files {
		samples = append(samples, score.Samples(f)...)
	}
	for _, p := range in.Players {
		n, ok := p.(*opponents.NetPlayer)
		if !ok {
			continue
		}
		if len(samples) > 0 {
			c, err := score.Calibrate(ctx, n.Net, 0, samples, o.Workers)
			if err != nil {
				return err
			}
			in.Calibrations = append(in.Calibrations, Calibration{p.Name(), "benchmark files", c})
		}
	}
	if o.Database == nil {
		return nil
	}
	for _, p := range in.Players {
		n, ok := p.(*opponents.NetPlayer)
		if !ok {
			continue
		}
		c, err := score.CalibrateDatabase(ctx, n.Net, 0, o.Database, o.Workers)
		if err != nil {
			return err
		}
		if c.Positions > 0 {
			in.Calibrations = append(in.Calibrations, Calibration{p.Name(), o.Database.Path(), c})
		}
	}
	return nil
}

// DescribeDatabase reads a database twice: for what it says of itself, and for
// the plans.
func DescribeDatabase(ctx context.Context, db *dataset.DB) (*Database, error) {
	info, err := dataset.Describe(ctx, db)
	if err != nil {
		return nil, err
	}
	d := &Database{Info: info}
	for rows, err := range db.Batches(ctx, dataset.Filter{Columns: dataset.ColClass, Partial: true}) {
		if err != nil {
			return nil, err
		}
		for i := range rows.Len() {
			b, err := rows.Keys[i].Board()
			if err != nil {
				return nil, fmt.Errorf("%s: position %s: %w", db.Path(), rows.Keys[i], err)
			}
			p := &d.Plans[bg.PlanOf(&b)]
			p.Positions++
			p.Classes[rows.Class[i]]++
		}
	}
	return d, nil
}
