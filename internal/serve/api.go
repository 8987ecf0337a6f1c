package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/player"
	"bgtrain/internal/protocol"
)

// mostPlays is how many plays an answer lists at most, and the plays of a rollout.
const (
	mostPlays  = 100
	mostRolled = 10
)

// asked is what a request of the HTTP interface asks about.
type asked struct {
	cube.ID
	text  string // the position as it was written
	net   netInfo
	ply   int
	model cube.Model // nil: the cube is not judged
	plays int
}

// dispatch has the HTTP interface answer: evaluations, rollouts, matches.
func (v *Server) api(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/{$}", v.page("api", v.apiPage))
	mux.HandleFunc("GET /api/openapi.json", text("application/json", openAPI))
	mux.HandleFunc("GET /api/nets", v.answer(func(*http.Request) (any, error) {
		names := []string{}
		for _, n := range v.netList() {
			names = append(names, n.Name)
		}
		return map[string]any{"nets": names, "default": names[0]}, nil
	}))
	mux.HandleFunc("GET /api/position", v.answer(v.position))
	mux.HandleFunc("GET /api/eval", v.answer(func(r *http.Request) (any, error) { return v.evaluation(r, anyDice) }))
	mux.HandleFunc("GET /api/plays", v.answer(func(r *http.Request) (any, error) { return v.evaluation(r, someDice) }))
	mux.HandleFunc("GET /api/cube", v.answer(func(r *http.Request) (any, error) { return v.evaluation(r, noDice) }))
	mux.HandleFunc("GET /api/rollout", v.rollout)
}

// answer answers with what find finds, as JSON, when its turn has come.
func (v *Server) answer(find func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		done, err := turn(r.Context(), v.limits.pages)
		if err != nil {
			return
		}
		content, err := find(r)
		done() // who reads slowly holds nobody up
		if r.Context().Err() == nil {
			writeJSON(w, content, err)
		}
	}
}

// writeJSON writes an answer, or the error that there is none: of the request, or of the server.
func writeJSON(w http.ResponseWriter, content any, err error) {
	status := http.StatusOK
	var text bytes.Buffer
	if err == nil {
		err = json.NewEncoder(&text).Encode(content)
	}
	if err != nil {
		status = statusOf(err)
		text.Reset()
		_ = json.NewEncoder(&text).Encode(map[string]string{"error": err.Error()}) // a string can be written
	}
	w.Header().Set("Content-Type", "application/json")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.WriteHeader(status)
	_, _ = text.WriteTo(w)
}

// statusOf is the status of an answer that is an error.
func statusOf(err error) int {
	var mistake problem
	switch {
	case errors.As(err, &mistake):
		return http.StatusBadRequest
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable
	case errors.Is(err, errGone):
		return http.StatusNotFound
	case errors.Is(err, errNotNow):
		return http.StatusConflict
	}
	return http.StatusInternalServerError
}

// whichDice states whether dice belong to a request.
type whichDice uint8

const (
	anyDice  whichDice = iota // plays where there are some, the cube where there are none
	someDice                  // plays
	noDice                    // the cube, whatever the ID has of dice
)

// number reads a number of a query, fallback where it is missing.
func number(q url.Values, name string, least, most, fallback int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, problemf("%s=%q: %d to %d expected", name, text, least, most)
	}
	return n, nil
}

// readAsked reads what a request asks about: without an id the opening position.
func (v *Server) readAsked(r *http.Request) (*asked, error) {
	q := r.URL.Query()
	a := &asked{text: strings.TrimSpace(q.Get("id"))}
	if a.text == "" {
		start := bg.Start
		a.text = start.Key().PositionID()
	}
	var err error
	if a.ID, err = cube.ParseID(a.text, nil); err == nil {
		err = a.Problem
	}
	if err != nil {
		return nil, problem{err}
	}
	if text := strings.TrimSpace(q.Get("dice")); text != "" {
		if a.Dice, err = bg.ParseDice(text); err != nil {
			return nil, problem{err}
		}
	}
	if a.ply, err = number(q, "ply", 0, player.MaxPly, 0); err != nil {
		return nil, err
	}
	if a.net, err = v.netOf(q.Get("net")); err != nil {
		return nil, err
	}
	switch text := q.Get("cube"); {
	case text == "" && a.Given:
		a.model = cube.GNUbg{} // as every other command judges, if it is not told another one
	case text == "" || text == "none":
	default:
		if a.model, err = cube.ParseModel(text); err != nil {
			return nil, problem{err}
		}
	}
	a.plays, err = number(q, "plays", 1, mostPlays, 10)
	return a, err
}

// notOver refuses positions in which nothing is left to decide.
func (a *asked) notOver() error {
	if bg.Classify(&a.Board) == bg.Over {
		return problemf("the game is over in %s: a side has no checker left", a.Board.Key().PositionID())
	}
	return nil
}

// evaluated is a position evaluated by a net.
type evaluated struct {
	*protocol.Evaluation
	Net   string `json:"net"`
	State string `json:"state,omitempty"` // of cube and match, where the cube counts
}

// evaluation answers eval, plays and cube.
func (v *Server) evaluation(r *http.Request, dice whichDice) (any, error) {
	a, err := v.readAsked(r)
	if err == nil {
		err = a.notOver()
	}
	if err != nil {
		return nil, err
	}
	switch rolled := a.Dice != [2]int{}; {
	case dice == someDice && !rolled:
		return nil, problemf("plays of which roll? dice=31 is missing")
	case dice == noDice:
		a.Dice = [2]int{}
		if a.model == nil {
			a.model = cube.GNUbg{}
		}
	}
	e := &evaluated{Net: a.net.Name}
	if a.model != nil {
		e.State = a.State.String()
	}
	err = v.withNet(r.Context(), a.net, func(ev *player.Evaluator) error {
		e.Evaluation = protocol.Evaluate(ev, &a.ID, a.ply, a.model, a.plays)
		return nil
	})
	if a.Dice != [2]int{} && e.Evaluation != nil { // the cube had to be turned before the roll
		e.Cube = nil
	}
	return e, err
}

// idView is what an ID says.
type idView struct {
	Position string `json:"position"`
	XGID     string `json:"xgid"`
	Dice     [2]int `json:"dice"` // 0 before the roll
	Given    bool   `json:"given"`
	Cube     int    `json:"cube"`
	Owner    string `json:"owner"` // none, me (the player on roll), opponent
	Away     [2]int `json:"away"`  // points that the player on roll and the opponent need; 0 for money
	Crawford bool   `json:"crawford"`
	Jacoby   bool   `json:"jacoby"`
	Class    string `json:"class"`
	Plan     string `json:"plan"`
	Pips     [2]int `json:"pips"`
}

// owners are the names of who has the cube.
var owners = [...]string{cube.Centered: "none", cube.Owned: "me", cube.OpponentOwned: "opponent"}

// position answers what an ID says.
func (v *Server) position(r *http.Request) (any, error) {
	a, err := v.readAsked(r)
	if err != nil {
		return nil, err
	}
	s := &a.State
	return &idView{Position: a.Board.Key().PositionID(), XGID: s.XGID(&a.Board, a.Dice, max(s.Away, s.Opponent)),
		Dice: a.Dice, Given: a.Given, Cube: s.Cube, Owner: owners[s.Owner], Away: [2]int{s.Away, s.Opponent},
		Crawford: s.Crawford, Jacoby: s.Jacoby, Class: bg.Classify(&a.Board).String(), Plan: bg.PlanOf(&a.Board).String(),
		Pips: [2]int{a.Board.Me.Pips(), a.Board.Opp.Pips()}}, nil
}

// errBusy is the error of what has to be asked for again later.
var errBusy = errors.New("too much is under way: try again later")

func busyf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errBusy, fmt.Sprintf(format, args...))
}
