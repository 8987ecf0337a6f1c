package main

import (
	"fmt"
	"io"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"

	"github.com/spf13/pflag"
)

// cubeFlags are the flags of a cube decision.
type cubeFlags struct {
	model cube.Model // nil without --cube
	table *met.Table
	flags *pflag.FlagSet

	everywhere bool // plays after the roll are judged with the cube too
}

func (c *cubeFlags) add(f *pflag.FlagSet) {
	c.flags = f
	setting.List{
		{Name: "cube", To: cube.ModelOrNone(&c.model), Help: "also judge the cube decision of positions without dice " +
			"by a model: " + cube.Models + ", or none (default gnubg for an XGID or a Match ID, else none)"},
		met.Setting(&c.table, "--cube"),
	}.AddFlags(f)
}

// typed is a position as a person types it.
type typed struct {
	board bg.Board
	dice  [2]int // 0 before the roll
	state cube.State

	given   bool // the ID describes how match and cube stand
	unknown bool // it does, and could not be read
}

// check refuses a board without checkers, and describes what is not used: without a
// cube model all is cubeless and for money.
func (p *typed) check(e *env, id string) error {
	if p.board == (bg.Board{}) {
		return fmt.Errorf("%s: no checker on the board", id)
	}
	if p.unknown || p.state != cube.Money {
		fmt.Fprintf(e.Stderr, "%s: cubeless equities for money; the score and the cube are not used\n", id)
	}
	return nil
}

// parse reads a position in any form: a key, a Position ID, either with a Match ID
// after a colon, or an XGID. Without a state of the cube the position is one for
// money with the cube centered.
func (c *cubeFlags) parse(id string) (p typed, err error) {
	p.state = cube.Money
	position, match, two := strings.Cut(id, ":")
	switch {
	case two && !strings.HasPrefix(id, "XGID=") && !strings.Contains(match, ":") && len(position) < 26:
		if p.board, err = bg.ParsePosition(position); err != nil {
			return p, err
		}
		table, err := c.table.OrDefault()
		if err != nil {
			return p, err
		}
		p.given = true
		p.state, p.dice, err = cube.ParseMatchID(match, table)
		return p, err
	case two || strings.HasPrefix(id, "XGID="):
		if p.board, p.dice, err = bg.ParseXGID(id); err != nil {
			return p, err
		}
		table, err := c.table.OrDefault()
		if err != nil {
			return p, err
		}
		state, err := cube.ParseXGID(id, table)
		switch {
		case err == nil:
			p.state, p.given = state, true
		case c.model != nil && (c.everywhere || p.dice == [2]int{}):
			return p, err
		default: // without a cube decision, the board and the dice will do
			p.unknown = true
		}
		return p, nil
	}
	p.board, err = bg.ParsePosition(id)
	return p, err
}

// cubeJSON is the cube decision of `eval --cube --json`: equities of the player on
// roll, normalized to the cube as it lies.
type cubeJSON struct {
	NoDouble   float64     `json:"no_double"`
	DoubleTake float64     `json:"double_take"`
	DoublePass float64     `json:"double_pass"`
	Action     cube.Action `json:"action"`

	Available   bool    `json:"available"`    // the player on roll may double, and has a use for it
	DoubleError float64 `json:"double_error"` // what the other of double and no double loses
	AnswerError float64 `json:"answer_error"` // what the other of take and pass loses
	MWC         float64 `json:"mwc,omitempty"`
	Model       string  `json:"model"`

	state *cube.State
}

// changed reports whether a flag is given; there are none for positions that are only read.
func (c *cubeFlags) changed(name string) bool { return c.flags != nil && c.flags.Changed(name) }

// of returns the model that judges the cube decision of a position, nil for none.
func (c *cubeFlags) of(p *typed) (cube.Model, error) {
	switch {
	case p.dice != [2]int{} || p.board == (bg.Board{}):
		return nil, nil
	case p.given && !c.changed("cube"):
		return cube.GNUbg{}, nil // the ID states where the cube lies
	case c.model == nil && c.changed("met"):
		return nil, usagef("--met is for cube decisions: --cube")
	}
	return c.model, nil
}

// decide judges the cube decision of a position by a model; nil where there is none.
func decide(model cube.Model, ev *player.Evaluator, p *typed, ply int) *cubeJSON {
	if model == nil || ev.Class(&p.board) == bg.Over {
		return nil
	}
	q := cube.PositionAt(ev, &p.board, ply, model)
	d := cube.Decide(model, &q, &p.state)
	r := &cubeJSON{
		NoDouble: d.NoDouble, DoubleTake: d.DoubleTake, DoublePass: d.DoublePass, Action: d.Action,
		Available: d.Available, DoubleError: d.DoubleError(), AnswerError: d.AnswerError(),
		Model: model.String(), state: &p.state,
	}
	if p.state.Table != nil {
		r.MWC = p.state.Value(d.Best())
	}
	return r
}

// print writes the decision as text.
func (c *cubeJSON) print(w io.Writer) {
	fmt.Fprintf(w, "cube: %s, by %s\n", c.state, c.Model)
	fmt.Fprintf(w, "  no double %+8.4f   double/take %+8.4f   double/pass %+8.4f\n", c.NoDouble, c.DoubleTake,
		c.DoublePass)
	fmt.Fprintf(w, "  %s", c.Action)
	switch {
	case !c.Available:
		fmt.Fprint(w, "; the player on roll cannot double, or has no use for it")
	case c.Action.Doubles():
		fmt.Fprintf(w, "; not to double loses %.4f", c.DoubleError)
	default:
		fmt.Fprintf(w, "; to double loses %.4f", c.DoubleError)
	}
	if c.Available && c.Action.Takes() {
		fmt.Fprintf(w, ", to pass %.4f", c.AnswerError)
	} else if c.Available {
		fmt.Fprintf(w, ", to take %.4f", c.AnswerError)
	}
	if c.state.Table != nil {
		fmt.Fprintf(w, "; chance to win the match %.2f%%", 100*c.MWC)
	}
	fmt.Fprintln(w)
}
