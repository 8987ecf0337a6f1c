package serve

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"bgtrain/benchmark/report"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
)

// playsShown is how many plays of a roll the board lists.
const playsShown = 10

// boardView is what the page of the board shows.
type boardView struct {
	Text, ID   string // as asked for, and as Position ID
	Dice       string
	Ply        int
	Plies      []link
	Edit       string // which checkers a click changes: "", me, opp
	Edits      []link
	Board      template.HTML
	Areas      []area
	Problem    string
	Class      string
	Plan       string
	Pips       string
	Outputs    []value
	Equity     string
	Plays      []playView
	Cube       *cubeView
	Flip       string // the address with the sides exchanged
	Start      string
	Empty      string
	RolloutURL string
}

// link is a choice among several addresses.
type link struct {
	Text, URL string
	Here      bool
}

// area is a place on the board that a click changes.
type area struct {
	report.Area
	More, Less string // addresses with a checker more and one less, "" where that cannot be
	Label      string
}

// value is an output with its name.
type value struct{ Name, Text string }

// playView is a line of the table of plays.
type playView struct {
	Play, Equity, Loss, Outputs, Ply, ID string
}

// cubeView is the cube decision of a position.
type cubeView struct {
	NoDouble, DoubleTake, DoublePass, Action string
	About                                    string // model, cube and score
}

// request is what the address of the board asks for.
type request struct {
	id, dice, edit string
	ply            int
	board          bg.Board
	roll           [2]int
	state          cube.State
}

// with returns the address of the board with one field changed.
func (q request) with(change func(*request)) string {
	change(&q)
	u := url.Values{"id": {q.id}}
	if q.dice != "" {
		u.Set("dice", q.dice)
	}
	if q.ply > 0 {
		u.Set("ply", strconv.Itoa(q.ply))
	}
	if q.edit != "" {
		u.Set("edit", q.edit)
	}
	return "/?" + u.Encode()
}

// readRequest reads the address of the board.
func readRequest(r *http.Request) (q request, err error) {
	f := r.URL.Query()
	q = request{id: strings.TrimSpace(f.Get("id")), dice: strings.TrimSpace(f.Get("dice")), edit: f.Get("edit")}
	if q.id == "" {
		start := bg.Start
		q.id = start.Key().PositionID()
	}
	if q.edit != "" && q.edit != "me" && q.edit != "opp" {
		return q, problemf("edit=%q: me or opp expected", q.edit)
	}
	if p := f.Get("ply"); p != "" {
		if q.ply, err = strconv.Atoi(p); err != nil || q.ply < 0 || q.ply > player.MaxPly {
			return q, problemf("ply=%q: 0 to %d expected", p, player.MaxPly)
		}
	}
	if err := q.readPosition(); err != nil {
		return q, problem{err}
	}
	if q.dice != "" {
		if len(q.dice) != 2 || strings.Trim(q.dice, "123456") != "" {
			return q, problemf("dice %q: two digits of 1 to 6 expected, such as 31", q.dice)
		}
		q.roll = [2]int{int(q.dice[0] - '0'), int(q.dice[1] - '0')}
	}
	return q, nil
}

// readPosition reads the position. An XGID, or a Position ID with a Match
// ID, stays as it is, for its cube and score.
func (q *request) readPosition() error {
	p, err := cube.ParseID(q.id, nil)
	if err == nil {
		err = p.Problem
	}
	if err != nil {
		return err
	}
	q.board, q.state = p.Board, p.State
	if !strings.Contains(q.id, ":") {
		q.id = q.board.Key().PositionID()
	}
	if q.dice == "" && p.Dice[0] > 0 {
		q.dice = fmt.Sprintf("%d%d", p.Dice[0], p.Dice[1])
	}
	return nil
}

// board shows a position, its value and the plays of a roll.
func (v *Server) board(r *http.Request) (string, any, error) {
	q, err := readRequest(r)
	if err != nil {
		return "", nil, err
	}
	id := q.board.Key().PositionID()
	view := &boardView{Text: q.id, ID: id, Dice: q.dice, Ply: q.ply, Edit: q.edit,
		Class: bg.Classify(&q.board).String(),
		Plan:  bg.PlanOf(&q.board).String(), Pips: fmt.Sprintf("%d – %d", q.board.Me.Pips(), q.board.Opp.Pips()),
		Flip: q.with(func(q *request) {
			turned := bg.Board{Me: q.board.Opp, Opp: q.board.Me}
			q.id = turned.Key().PositionID()
		}),
		Start: q.with(func(q *request) { start := bg.Start; q.id = start.Key().PositionID() }),
		Empty: q.with(func(q *request) { empty := bg.Board{}; q.id, q.edit = empty.Key().PositionID(), "me" })}
	for ply := range player.MaxPly + 1 {
		view.Plies = append(view.Plies, link{fmt.Sprintf("%d-ply", ply), q.with(func(q *request) { q.ply = ply }),
			ply == q.ply})
	}
	for _, e := range []struct{ name, text string }{{"", "look"}, {"me", "set up light"}, {"opp", "set up dark"}} {
		view.Edits = append(view.Edits, link{e.text, q.with(func(q *request) { q.edit = e.name }), e.name == q.edit})
	}
	if q.edit != "" {
		view.Areas = q.areas()
	}
	drawing := report.Drawing{Dice: q.roll}
	if view.Class == bg.Over.String() {
		view.Problem = "The game is over here: a side has no checker left. There is nothing to evaluate."
		view.Board = template.HTML(report.Board(&q.board, drawing))
		return "Board", view, nil
	}
	if err := v.evaluate(r.Context(), &q, view, &drawing); err != nil {
		return "", nil, err
	}
	view.Board = template.HTML(report.Board(&q.board, drawing))
	return "Board", view, nil
}

// evaluate adds to a view the value of the position, and of plays or the cube.
func (v *Server) evaluate(ctx context.Context, q *request, view *boardView, drawing *report.Drawing) error {
	done, err := v.heavy(ctx)
	if err != nil {
		return err
	}
	defer done()
	ev := v.ev
	if ev == nil {
		ev = v.s.Player.NewEvaluator()
	}
	v.ev = nil // what panicked is not used again
	out := ev.Evaluate(&q.board, q.ply)
	for i, name := range []string{"win", "gammon", "backgammon", "lose gammon", "lose backgammon"} {
		view.Outputs = append(view.Outputs, value{name, fmt.Sprintf("%.1f %%", 100*out[i])})
	}
	view.Equity = fmt.Sprintf("%+.3f", out.Equity())
	if q.roll[0] == 0 {
		view.Cube = viewCube(q, &out)
		view.RolloutURL = "/rollout?" + url.Values{"id": {view.ID}}.Encode()
	} else {
		view.Plays = viewPlays(&q.board, q.roll, ev.Plays(&q.board, q.roll[0], q.roll[1], q.ply))
		if len(view.Plays) > 0 {
			drawing.Plays = []report.Arrow{{Play: view.Plays[0].Play, Color: "#0072b2", Bend: 9}}
		}
	}
	v.ev = ev
	return nil
}

// viewPlays lists the best plays, with what the others lose.
func viewPlays(b *bg.Board, roll [2]int, plays []player.Candidate) []playView {
	var all []playView
	for i := range plays[:min(len(plays), playsShown)] {
		p := &plays[i]
		o := &p.Outputs
		line := playView{
			Play:    bg.Notation(b, &p.Result, roll[0], roll[1]),
			Equity:  fmt.Sprintf("%+.4f", o.Equity()),
			Outputs: fmt.Sprintf("%.1f %.1f %.1f – %.1f %.1f", 100*o[0], 100*o[1], 100*o[2], 100*o[3], 100*o[4]),
			Ply:     fmt.Sprintf("%d", p.Ply),
			ID:      p.Result.Key().PositionID(),
		}
		if i > 0 {
			line.Loss = fmt.Sprintf("%.4f", plays[0].Outputs.Equity()-o.Equity())
		}
		all = append(all, line)
	}
	return all
}

// viewCube judges the cube decision; nil where the player on roll may not double.
func viewCube(q *request, o *bg.Outputs) *cubeView {
	if !q.state.MayDouble() {
		return nil
	}
	m := cube.GNUbg{} // as every other command judges, if it is not told another one
	p := cube.PositionOf(&q.board, o)
	d := cube.Decide(m, &p, &q.state)
	about := fmt.Sprintf("model %v, money, cube %d", m, q.state.Cube)
	if q.state.Table != nil {
		about = fmt.Sprintf("model %v, %d and %d points to go, cube %d", m, q.state.Away, q.state.Opponent,
			q.state.Cube)
	}
	number := func(x float64) string { return fmt.Sprintf("%+.3f", x) }
	return &cubeView{NoDouble: number(d.NoDouble), DoubleTake: number(d.DoubleTake), DoublePass: number(d.DoublePass),
		Action: strings.ReplaceAll(string(d.Action), "/", ", "), About: about}
}

// areas are the places of the board that a click changes, for the side that is set up.
func (q request) areas() []area {
	var all []area
	for _, a := range report.Areas() {
		side, other := &q.board.Me, &q.board.Opp
		at := a.Point - 1 // index from the side's own 1-point
		if q.edit == "opp" {
			side, other = other, side
			at = bg.Bar - 1 - at
		}
		if a.Point == report.BarPoint {
			at = bg.Bar
		}
		taken := at < bg.Bar && other[bg.Bar-1-at] > 0
		name := fmt.Sprintf("point %d", a.Point)
		if at == bg.Bar {
			name = "bar"
		}
		changed := func(by int) string {
			return q.with(func(q *request) {
				b := q.board
				s := &b.Me
				if q.edit == "opp" {
					s = &b.Opp
				}
				s[at] = uint8(int(s[at]) + by)
				q.id = b.Key().PositionID()
			})
		}
		v := area{Area: a, Label: name}
		if side.Off() > 0 && !taken {
			v.More = changed(1)
		}
		if side[at] > 0 {
			v.Less = changed(-1)
		}
		all = append(all, v)
	}
	return all
}
