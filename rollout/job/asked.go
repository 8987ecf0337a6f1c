package job

import (
	"context"
	"io"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/rollout"
)

// Asked is a position that is rolled out on its own.
type Asked struct {
	cube.ID                // of its state, only with a model in Handling
	Handling cube.Handling // of the cube; without a model the rollout is cubeless and for money
	Plays    int           // of a roll: so many, the best at 0-ply; 0 all
	After    []bg.Board    // of a roll: the plays that lead to these, the opponent on roll, instead
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
	return j.rollOutAsked(ctx, a, how{workers: workers, progress: progress})
}

// Watch is RollOut that gives look the answer as it grows; an error of look ends it.
func (j *Job) Watch(ctx context.Context, a *Asked, workers int, look func(*Answer) error) (*Answer, error) {
	return j.rollOutAsked(ctx, a, how{workers: workers, look: look})
}

// how is how an Asked is rolled out: watched where look is not nil.
type how struct {
	workers  int
	progress func(done, total int)
	look     func(*Answer) error
	parts    *trialParts // that play trials with the cube, nil for none
}

// watch is how the engine is followed, whose results as turns into an answer.
func watch[R any](h how, as func(R) *Answer) rollout.Watch[R] {
	w := rollout.Watch[R]{Workers: h.workers, Progress: h.progress}
	if h.look != nil {
		w.Look = func(r R) error { return h.look(as(r)) }
	}
	return w
}

func (j *Job) rollOutAsked(ctx context.Context, a *Asked, h how) (*Answer, error) {
	switch rolled := a.Dice != [2]int{}; {
	case a.Handling.Model != nil && rolled:
		return j.rollOutCubePlays(ctx, a, h)
	case a.Handling.Model != nil:
		return j.rollOutCube(ctx, a, h)
	case rolled && j.Player.Class(&a.Board) != bg.Over:
		return j.rollOutPlays(ctx, a, h)
	}
	return j.rollOut(ctx, &a.Board, h)
}
