package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/player"
	"bgtrain/internal/stats"
	"bgtrain/trainer/curve"
	"bgtrain/trainer/td"
)

// tdPoint is a point of the learning curve of td.
type tdPoint struct {
	td.Point
	PubEval   *float64 `json:"pubeval,omitempty"` // points per game against PubEval, where a match was played
	PubEvalSE *float64 `json:"pubeval_se,omitempty"`
}

// tdCurve is the learning curve of a TD training: NET.curve.jsonl and, at the
// end, NET.curve.svg.
type tdCurve struct {
	path   string // without .jsonl and .svg
	points []tdPoint
	since  tdMean
}

// openTDCurve reads what an earlier run left, up to its last checkpoint.
func openTDCurve(path string, games int) (*tdCurve, error) {
	c := &tdCurve{path: path}
	if games == 0 {
		return c, nil
	}
	old, err := curve.ReadLines[tdPoint](path + ".jsonl")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, p := range old {
		if p.Games <= games {
			c.points = append(c.points, p)
		}
	}
	return c, nil
}

// save ends the interval since the last point and writes the curve.
func (c *tdCurve) save(match *stats.Stat) error {
	if c.since.n == 0 {
		return nil
	}
	p := tdPoint{Point: c.since.take()}
	if match != nil {
		p.PubEval, p.PubEvalSE = &match.Mean, &match.SE
	}
	c.points = append(c.points, p)
	return curve.WriteLines(c.path+".jsonl", c.points)
}

// plot draws the curve.
func (c *tdCurve) plot() error {
	var games, rms, played, points []float64
	for _, p := range c.points {
		games, rms = append(games, float64(p.Games)/1000), append(rms, p.RMS)
		if p.PubEval != nil {
			played, points = append(played, float64(p.Games)/1000), append(points, *p.PubEval)
		}
	}
	charts := []curve.Chart{{Title: "error against the next position", X: "thousand games", Y: "rms equity error, points",
		Series: []curve.Series{{Name: "rms", X: games, Y: rms}}}}
	if len(played) > 0 {
		charts = append(charts, curve.Chart{Title: "against PubEval", X: "thousand games", Y: "points per game",
			Series: []curve.Series{{Name: "points per game", X: played, Y: points}}})
	}
	return atomicfile.Write(c.path+".svg", func(w io.Writer) error {
		return curve.WriteSVG(w, "TD training", 2, charts...)
	})
}

// tdMean gathers the points of several rounds into one of the curve.
type tdMean struct {
	n         int
	positions int
	squares   float64
	last      td.Point
}

func (m *tdMean) add(p td.Point) {
	m.n++
	m.positions += p.Positions
	m.squares += p.RMS * p.RMS * float64(p.Positions)
	m.last = p
}

func (m *tdMean) rms() float64 { return math.Sqrt(m.squares / float64(max(1, m.positions))) }

// take returns the mean and begins anew.
func (m *tdMean) take() td.Point {
	p := m.last
	p.Positions, p.RMS = m.positions, m.rms()
	*m = tdMean{}
	return p
}

// matchPubEval plays games against PubEval with the nets as they are.
func matchPubEval(ctx context.Context, st *td.State, db *bearoff.DB, games, workers int) (*stats.Stat, error) {
	p, err := player.New(st.Nets, db, player.Options{})
	if err != nil {
		return nil, err
	}
	m, err := match.Play(ctx, &opponents.NetPlayer{Net: p}, opponents.PubEval{},
		match.Options{Games: games, Seed: 1, Workers: workers})
	if err != nil {
		return nil, fmt.Errorf("match against PubEval: %w", err)
	}
	points := m.Summary().Points
	return &points, nil
}
