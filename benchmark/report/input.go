package report

import (
	"context"
	"fmt"
	"time"

	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/trainer/curve"
)

// Input is all that a page shows.
type Input struct {
	Title   string
	Made    time.Time // zero: not said
	Command string    // that makes the page again; empty: not said
	Worst   int       // decisions a class to draw

	score.Judgment // of the player that the page is about, then those beside it
	Nets           []Net
	Grown          []GrownRun
	Curves         []curve.Run
	Database       *Database // nil: none
}

// Net is a net file under the name of its player.
type Net struct {
	Name string
	File *nets.Set
}

// Database describes what a database holds.
type Database struct {
	Info  *dataset.Info
	Plans [bg.NumPlans]PlanCount // by the plan of the player on roll
}

// PlanCount counts the positions of a plan.
type PlanCount struct {
	Positions int
	Classes   [bg.NumClasses]int
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
