package td

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"bgtrain/benchmark/match"
	"bgtrain/internal/atomicfile"
	"bgtrain/trainer/curve"
)

// CurvePoint is a point of the learning curve in the file: the mean of the rounds
// since the one before, and a match where one was played.
type CurvePoint struct {
	Point
	Match   *float64 `json:"points_per_game,omitempty"`
	MatchSE *float64 `json:"points_per_game_se,omitempty"`
	Wins    *float64 `json:"wins,omitempty"` // share of the games
	WinsSE  *float64 `json:"wins_se,omitempty"`
	Against string   `json:"against,omitempty"` // the opponent of the match
}

// curveFile is the learning curve of a training: PATH.jsonl and, at the end,
// PATH.svg.
type curveFile struct {
	path     string
	opponent string // of the matches
	window   int    // matches that the moving averages are of
	points   []CurvePoint
	since    mean
}

// openCurve reads what an earlier run left, up to its last checkpoint.
func openCurve(path string, m *Matches, games int) (*curveFile, error) {
	c := &curveFile{path: path, opponent: m.Opponent, window: m.Window}
	if games == 0 {
		return c, nil
	}
	old, err := curve.ReadLines[CurvePoint](path + ".jsonl")
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
func (c *curveFile) save(match *match.Summary) error {
	if c.since.rounds == 0 {
		return nil
	}
	p := CurvePoint{Point: c.since.take()}
	if match != nil {
		p.Match, p.MatchSE, p.Against = &match.Points.Mean, &match.Points.SE, c.opponent
		p.Wins, p.WinsSE = &match.Wins.Mean, &match.Wins.SE
	}
	c.points = append(c.points, p)
	return curve.WriteLines(c.path+".jsonl", c.points)
}

// plot draws the curve.
func (c *curveFile) plot() error {
	var games, rms, played, points, wonAt, wins []float64
	for _, p := range c.points {
		games, rms = append(games, float64(p.Games)/1000), append(rms, p.RMS)
		if p.Match == nil {
			continue
		}
		played, points = append(played, float64(p.Games)/1000), append(points, *p.Match)
		if p.Wins != nil { // not in curves of earlier versions
			wonAt, wins = append(wonAt, float64(p.Games)/1000), append(wins, 100**p.Wins)
		}
	}
	charts := []curve.Chart{{Title: "error against the next position", X: "thousand games",
		Y:      "rms equity error, points",
		Series: []curve.Series{{Name: "rms", X: games, Y: rms}}}}
	if len(played) > 0 {
		charts = append(charts, c.matches("points per game", played, points))
	}
	if len(wonAt) > 0 {
		charts = append(charts, c.matches("games won, %", wonAt, wins))
	}
	return atomicfile.Write(c.path+".svg", func(w io.Writer) error {
		return curve.WriteSVG(w, "TD training", 2, charts...)
	})
}

// matches is the chart of the matches: y after x thousand games, and its moving average.
func (c *curveFile) matches(title string, x, y []float64) curve.Chart {
	moving := make([]float64, len(y))
	for i := range y {
		last := y[max(0, i+1-c.window) : i+1]
		moving[i] = total(last) / float64(len(last))
	}
	return curve.Chart{Title: "against " + c.opponent, X: "thousand games", Y: title, Series: []curve.Series{
		{Name: "match", X: x, Y: y}, {Name: fmt.Sprintf("mean of %d", c.window), X: x, Y: moving}}}
}

// mean gathers the points of several rounds into one of the curve.
type mean struct {
	rounds    int
	positions int
	squares   float64
	last      Point
}

func (m *mean) add(p Point) {
	m.rounds++
	m.positions += p.Positions
	m.squares += p.RMS * p.RMS * float64(p.Positions)
	m.last = p
}

func (m *mean) rms() float64 { return math.Sqrt(m.squares / float64(max(1, m.positions))) }

// take returns the mean and starts the next one.
func (m *mean) take() Point {
	p := m.last
	p.Positions, p.RMS = m.positions, m.rms()
	*m = mean{}
	return p
}
