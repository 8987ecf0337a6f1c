package serve

import (
	"fmt"
	"net/http"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/play"
)

// hint answers what the net would do in the person's place.
func (v *Server) hint(r *http.Request) (any, error) {
	h, err := v.matches.find(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	view := &hintView{}
	err = v.withBrain(r.Context(), h, func() error {
		switch due := h.match.Due(); due {
		case play.ToPlay:
			return view.addPlays(h.match)
		case play.ToRoll, play.ToAnswer:
			return view.addCube(h.match, due)
		default:
			return fmt.Errorf("%w: there is nothing to decide", errNotNow)
		}
	})
	return view, err
}

// hintView is the advice about a decision.
type hintView struct {
	Plays []hintPlay `json:"plays,omitempty"`
	Cube  *hintCube  `json:"cube,omitempty"`
}

// hintPlay is one of the best plays.
type hintPlay struct {
	Play    string     `json:"play"`
	Equity  float64    `json:"equity"` // with the cube, at the score
	Loss    float64    `json:"loss"`
	Outputs [5]float32 `json:"outputs"`
	Ply     int        `json:"ply"`
}

// hintCube is what to do with the cube: equities of the person's.
type hintCube struct {
	Right   string       `json:"right"`
	Choices []cubeEquity `json:"choices"`
	Outputs [5]float32   `json:"outputs"`
}

// cubeEquity is what one choice is worth.
type cubeEquity struct {
	Did    string  `json:"did"`
	Equity float64 `json:"equity"`
}

func (v *hintView) addPlays(m *play.Match) error {
	all, err := m.Candidates(nil)
	if err != nil {
		return err
	}
	b, _ := m.Board()
	d1, d2 := m.Dice()
	for i := range all[:min(len(all), linesOfPlay)] {
		c := &all[i]
		v.Plays = append(v.Plays, hintPlay{bg.Notation(&b, &c.After, d1, d2), c.Equity, c.Loss, c.Outputs, c.Ply})
	}
	return nil
}

func (v *hintView) addCube(m *play.Match, due play.Due) error {
	did := "double"
	if due == play.ToAnswer {
		did = "take"
	}
	d, p, err := m.Cube(did)
	if err != nil {
		return err
	}
	v.Cube = &hintCube{Right: words(d.Cube.Action), Outputs: p.Outputs, Choices: []cubeEquity{
		{"no double", d.Cube.NoDouble}, {"double, take", d.Cube.DoubleTake}, {"double, pass", d.Cube.DoublePass}}}
	if due == play.ToAnswer { // all that is the net's
		v.Cube.Right = "pass"
		if d.Cube.Action.Takes() {
			v.Cube.Right = "take"
		}
		v.Cube.Outputs = p.Outputs.Inverted()
		v.Cube.Choices = []cubeEquity{{"take", -d.Cube.DoubleTake}, {"pass", -d.Cube.DoublePass}}
	}
	return nil
}

// words writes a cube action as people do.
func words(a cube.Action) string {
	return strings.NewReplacer("/", ", ", "no-double", "no double", "too-good", "too good to double").Replace(string(a))
}
