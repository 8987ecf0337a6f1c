package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"

	"bgtrain/internal/bg"
	"bgtrain/rollout"
)

// rolloutStep is how many trials are played between two looks.
const rolloutStep = 36

// rolloutView is how a rollout stands.
type rolloutView struct {
	Trials  int        `json:"trials"`
	Of      int        `json:"of"`
	Outputs [5]float64 `json:"outputs"`
	Equity  float64    `json:"equity"`
	SE      float64    `json:"se"` // of the equity, points
	Exact   bool       `json:"exact"`
	Method  string     `json:"method"`
}

// rollout rolls a position out, when its turn has come, and sends the page how it stands
// after every step. It ends when the browser goes away.
func (v *Server) rollout(w http.ResponseWriter, r *http.Request) {
	q, err := readRequest(r)
	if err == nil && bg.Classify(&q.board) == bg.Over {
		err = problemf("the game is over in %s", q.id)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	send, ok := stream(w)
	if !ok {
		return
	}
	done, err := v.rollTurn(r.Context())
	if err != nil {
		send("problem", err.Error(), "")
		return
	}
	defer done()
	err = v.rollOut(r.Context(), &q.board, func(view *rolloutView) bool {
		data, err := json.Marshal(view)
		return err == nil && send("rollout", string(data), "")
	})
	if err != nil && r.Context().Err() == nil {
		send("problem", err.Error(), "")
		return
	}
	send("done", "", "")
}

// rollOut plays steps of trials with seeds of their own, whose means are averaged,
// until all are played or show returns false.
func (v *Server) rollOut(ctx context.Context, b *bg.Board, show func(*rolloutView) bool) error {
	var sum [bg.NumOutputs]float64
	var variance float64 // sum of those of the steps' means
	total := v.s.Rollout.Trials
	for n := 1; (n-1)*rolloutStep < total; n++ {
		o := v.s.Rollout
		o.Trials, o.Seed = rolloutStep, v.s.Rollout.Seed+uint64(n)
		engine, err := rollout.NewEngine(v.s.Player, o)
		if err != nil {
			return fmt.Errorf("roll out: %w", err)
		}
		result, err := engine.Rollout(ctx, b, v.s.Workers, nil)
		if err != nil {
			return fmt.Errorf("roll out: %w", err)
		}
		for i, x := range result.Mean {
			sum[i] += x
		}
		variance += result.EquitySE * result.EquitySE
		view := rolloutView{Trials: n * rolloutStep, Of: total, SE: math.Sqrt(variance) / float64(n),
			Exact: result.Exact, Method: v.s.Rollout.Method()}
		for i := range sum {
			view.Outputs[i] = sum[i] / float64(n)
		}
		p := view.Outputs
		view.Equity = 2*p[bg.Win] - 1 + p[bg.WinGammon] + p[bg.WinBackgammon] - p[bg.LoseGammon] - p[bg.LoseBackgammon]
		if !show(&view) || result.Exact {
			return nil
		}
	}
	return nil
}
