package job

import (
	"context"
	"io"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// Asked is a position that is rolled out on its own.
type Asked struct {
	cube.ID                // of its state, only with a model in Handling
	Handling cube.Handling // of the cube; without a model the rollout is cubeless and for money
	Plays    int           // of a roll: so many, the best at 0-ply; 0 all
}

// Answer is what came of an Asked.
type Answer struct {
	Heading string // of plays, for people
	Results []Result
}

// Result is a position rolled out, its cube decision, or a play.
type Result interface{ WriteText(w io.Writer) error }

// answer returns results with their heading.
func answer[R Result](heading string, all []R) *Answer {
	a := &Answer{Heading: heading}
	for _, r := range all {
		a.Results = append(a.Results, r)
	}
	return a
}

// WriteText writes the heading and the results.
func (a *Answer) WriteText(w io.Writer) error {
	if _, err := io.WriteString(w, a.Heading); err != nil {
		return err
	}
	for _, r := range a.Results {
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	return nil
}

// RollOut rolls a position out, with dice its best plays, with a model of the cube its cube
// decision or its plays with the cube; on goroutines of their own. progress counts trials.
func (j *Job) RollOut(ctx context.Context, a *Asked, workers int, progress func(done, total int)) (*Answer, error) {
	var one Result
	var err error
	switch rolled := a.Dice != [2]int{}; {
	case a.Handling.Model != nil && rolled:
		return j.rollOutCubePlays(ctx, a, workers, progress)
	case a.Handling.Model != nil:
		one, err = j.rollOutCube(ctx, &a.Board, &a.State, a.Handling, workers, progress)
	case rolled && j.Player.Class(&a.Board) != bg.Over:
		return j.rollOutPlays(ctx, a, workers, progress)
	default:
		one, err = j.rollOut(ctx, &a.Board, workers, progress)
	}
	return &Answer{Results: []Result{one}}, err
}
