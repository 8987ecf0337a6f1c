package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/rollout"
	"bgtrain/rollout/job"
)

// Limits of what a request may let roll out.
const (
	mostTrials   = 12960
	mostTruncate = 1000
)

// rolledOut is how a rollout stands.
type rolledOut struct {
	Net     string       `json:"net"`
	Trials  int          `json:"trials"`
	Of      int          `json:"of"`
	Rollout []job.Result `json:"rollout"` // of the position, or of plays, best first
}

// rollout rolls a position out, when its turn has come: as one answer, or, where the request
// accepts a stream of events, as events on the way. It ends when the browser goes away.
func (v *Server) rollout(w http.ResponseWriter, r *http.Request) {
	a, err := v.readAsked(r)
	if err == nil {
		err = a.notOver()
	}
	var o rollout.Options
	var what *job.Asked
	if err == nil {
		o, what, err = v.toRollOut(r.URL.Query(), a)
	}
	if err != nil {
		writeJSON(w, nil, err)
		return
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		answer, err := v.rollOut(r, a.net, o, what, nil)
		if r.Context().Err() == nil {
			writeJSON(w, answer, err)
		}
		return
	}
	send, ok := stream(w)
	if !ok {
		return
	}
	show := func(answer *rolledOut) error {
		data, err := json.Marshal(answer)
		if err == nil && !send("rollout", string(data), "") {
			err = r.Context().Err()
		}
		return err
	}
	answer, err := v.rollOut(r, a.net, o, what, show)
	if err == nil {
		err = show(answer)
	}
	switch {
	case r.Context().Err() != nil:
	case err != nil:
		send("problem", err.Error(), "")
	default:
		send("done", "", "")
	}
}

// toRollOut reads how and what is to be rolled out.
func (v *Server) toRollOut(q url.Values, a *asked) (o rollout.Options, what *job.Asked, err error) {
	o = v.s.Rollout
	for name, n := range map[string]struct {
		to          *int
		least, most int
	}{"trials": {&o.Trials, 36, max(mostTrials, o.Trials)}, "truncate": {&o.Truncate, 0, mostTruncate}} {
		if *n.to, err = number(q, name, n.least, n.most, *n.to); err != nil {
			return o, nil, err
		}
	}
	what = &job.Asked{ID: a.ID, Handling: cube.Handling{Model: a.model}}
	if a.Dice == [2]int{} {
		return o, what, nil
	}
	if what.Plays, err = number(q, "plays", 1, mostRolled, 3); err != nil {
		return o, nil, err
	}
	if len(q["play"]) > mostRolled {
		return o, nil, problemf("%d plays: %d at most are rolled out beside each other", len(q["play"]), mostRolled)
	}
	var plays bg.Plays
	for _, text := range q["play"] {
		steps, err := bg.ParseSteps(nil, text)
		if err != nil {
			return o, nil, problem{err}
		}
		after, err := plays.Find(&a.Board, a.Dice[0], a.Dice[1], steps)
		if err != nil {
			return o, nil, problem{err}
		}
		what.After = append(what.After, after)
	}
	return o, what, nil
}

// rollOut rolls out; show, if not nil, gets how it stands after some trials each.
func (v *Server) rollOut(r *http.Request, n netInfo, o rollout.Options, what *job.Asked,
	show func(*rolledOut) error) (*rolledOut, error) {
	ctx := r.Context()
	done, err := v.rollTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	net, err := v.rollers(ctx, n)
	if err != nil {
		return nil, err
	}
	o.Small = net.Small
	engine, err := rollout.NewEngine(net.Player, o)
	if err != nil {
		return nil, fmt.Errorf("roll out: %w", err)
	}
	j := &job.Job{Player: net.Player, Engine: engine}
	as := func(answer *job.Answer) *rolledOut {
		return &rolledOut{Net: n.Name, Trials: trialsOf(answer), Of: o.Trials, Rollout: answer.Results}
	}
	look := func(*job.Answer) error { return nil }
	if show != nil {
		look = func(answer *job.Answer) error { return show(as(answer)) }
	}
	answer, err := j.Watch(ctx, what, v.s.Workers, look)
	if err != nil {
		return nil, fmt.Errorf("roll out: %w", err)
	}
	return as(answer), nil
}

// trialsOf is how many trials an answer is of.
func trialsOf(answer *job.Answer) (n int) {
	for _, r := range answer.Results {
		switch r := r.(type) {
		case *job.Rolled:
			n = max(n, r.Trials)
		case *job.RolledPlay:
			n = max(n, r.Trials)
		case *job.RolledCube:
			n = max(n, r.Trials)
		case *job.RolledCubePlay:
			n = max(n, r.Trials)
		}
	}
	return n
}
