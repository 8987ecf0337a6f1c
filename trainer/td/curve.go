package td

import (
	"errors"
	"io"
	"io/fs"
	"math"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/stats"
	"bgtrain/trainer/curve"
)

// CurvePoint is a point of the learning curve in the file: the mean of the rounds
// since the one before, and a match where one was played.
type CurvePoint struct {
	Point
	Match   *float64 `json:"points_per_game,omitempty"`
	MatchSE *float64 `json:"points_per_game_se,omitempty"`
	Against string   `json:"against,omitempty"` // the opponent of the match
}

// curveFile is the learning curve of a training: PATH.jsonl and, at the end,
// PATH.svg.
type curveFile struct {
	path     string
	opponent string // of the matches
	points   []CurvePoint
	since    mean
}

// openCurve reads what an earlier run left, up to its last checkpoint.
func openCurve(path, opponent string, games int) (*curveFile, error) {
	c := &curveFile{path: path, opponent: opponent}
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
func (c *curveFile) save(match *stats.Stat) error {
	if c.since.rounds == 0 {
		return nil
	}
	p := CurvePoint{Point: c.since.take()}
	if match != nil {
		p.Match, p.MatchSE, p.Against = &match.Mean, &match.SE, c.opponent
	}
	c.points = append(c.points, p)
	return curve.WriteLines(c.path+".jsonl", c.points)
}

// averaged is the number of matches that the moving average is of.
const averaged = 5

// plot draws the curve.
func (c *curveFile) plot() error {
	var games, rms, played, points, moving []float64
	for _, p := range c.points {
		games, rms = append(games, float64(p.Games)/1000), append(rms, p.RMS)
		if p.Match == nil {
			continue
		}
		played, points = append(played, float64(p.Games)/1000), append(points, *p.Match)
		last := points[max(0, len(points)-averaged):]
		moving = append(moving, total(last)/float64(len(last)))
	}
	charts := []curve.Chart{{Title: "error against the next position", X: "thousand games",
		Y:      "rms equity error, points",
		Series: []curve.Series{{Name: "rms", X: games, Y: rms}}}}
	if len(played) > 0 {
		charts = append(charts, curve.Chart{Title: "against " + c.opponent, X: "thousand games", Y: "points per game",
			Series: []curve.Series{{Name: "match", X: played, Y: points}, {Name: "mean of 5", X: played, Y: moving}}})
	}
	return atomicfile.Write(c.path+".svg", func(w io.Writer) error {
		return curve.WriteSVG(w, "TD training", 2, charts...)
	})
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
