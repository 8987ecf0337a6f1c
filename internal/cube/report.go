package cube

import (
	"bufio"
	"fmt"
	"io"

	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Report is a cube decision as commands print it: equities of the player on roll,
// normalized to the cube as it lies.
type Report struct {
	NoDouble   float64 `json:"no_double"`
	DoubleTake float64 `json:"double_take"`
	DoublePass float64 `json:"double_pass"`
	Action     Action  `json:"action"`

	Available   bool    `json:"available"`    // the player on roll may double, and has a use for it
	DoubleError float64 `json:"double_error"` // what the other of double and no double loses
	AnswerError float64 `json:"answer_error"` // what the other of take and pass loses
	MWC         float64 `json:"mwc,omitempty"`
	Model       string  `json:"model"`

	state *State
}

// ReportAt judges the cube decision of a position by a model, at a look-ahead; nil without
// a model, and where the game is over.
func ReportAt(e *player.Evaluator, b *bg.Board, s *State, ply int, m Model) *Report {
	if m == nil || e.Class(b) == bg.Over {
		return nil
	}
	p := PositionAt(e, b, ply, m)
	d := Decide(m, &p, s)
	r := &Report{
		NoDouble: d.NoDouble, DoubleTake: d.DoubleTake, DoublePass: d.DoublePass, Action: d.Action,
		Available: d.Available, DoubleError: d.DoubleError(), AnswerError: d.AnswerError(),
		Model: m.String(), state: s,
	}
	if s.Table != nil {
		r.MWC = s.Value(d.Best())
	}
	return r
}

// WriteText writes the decision for people.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "cube: %s, by %s\n", r.state, r.Model)
	fmt.Fprintf(w, "  no double %+8.4f   double/take %+8.4f   double/pass %+8.4f\n", r.NoDouble, r.DoubleTake,
		r.DoublePass)
	fmt.Fprintf(w, "  %s", r.Action)
	switch {
	case !r.Available:
		fmt.Fprint(w, "; the player on roll cannot double, or has no use for it")
	case r.Action.Doubles():
		fmt.Fprintf(w, "; not to double loses %.4f", r.DoubleError)
	default:
		fmt.Fprintf(w, "; to double loses %.4f", r.DoubleError)
	}
	if r.Available && r.Action.Takes() {
		fmt.Fprintf(w, ", to pass %.4f", r.AnswerError)
	} else if r.Available {
		fmt.Fprintf(w, ", to take %.4f", r.AnswerError)
	}
	if r.state.Table != nil {
		fmt.Fprintf(w, "; chance to win the match %.2f%%", 100*r.MWC)
	}
	fmt.Fprintln(w)
	return w.Flush()
}
