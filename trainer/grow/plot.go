package grow

import (
	"io"
	"math"
	"path/filepath"

	"bgtrain/internal/atomicfile"
	"bgtrain/trainer/curve"
)

// Clock is the time that strength is drawn against.
type Clock string

// The clocks: time on the wall, and what the processors did, over two, which is the
// time on two processors that do nothing else.
const (
	Wall       Clock = "wall"
	Processors Clock = "processors"
)

// Seconds is a round's time by the clock.
func (c Clock) Seconds(r *RoundLine) float64 {
	if c == Processors {
		return r.ProcessorSeconds / 2
	}
	return r.Seconds
}

// String names the clock for people.
func (c Clock) String() string {
	if c == Processors {
		return "processor time over two"
	}
	return "wall time"
}

// OpponentName is how an opponent of RoundLine.Others is called: without folders.
func OpponentName(against string) string {
	name := filepath.Base(against)
	if name == "gnubg.wd" || name == "gnubg.weights" {
		return "GNU Backgammon’s nets"
	}
	return name
}

// Charts draws the strength of the players that passed against time, each chart with
// a series a run, in their order: points a game less luck against each opponent and
// against the player before, equity errors within decisions, and error rates. A chart
// of nothing is left out.
func Charts(names []string, logs []*Log, c Clock) []curve.Chart {
	unit, name := unitOf(logs, c)
	axis := name + ", " + c.String()
	blank := func(title, y string) curve.Chart {
		chart := curve.Chart{Title: title, X: axis, Y: y, Series: make([]curve.Series, len(names))}
		for i, n := range names {
			chart.Series[i].Name = n
		}
		return chart
	}
	var against []string // others, in the order of their first games
	others := map[string]curve.Chart{}
	gain := blank("against the player before", "points a game less luck")
	within := blank("equities within decisions", "rms error, points")
	rate := blank("plays chosen", "ER, millipoints a decision")
	for i, log := range logs {
		decisions := ""
		for k := range log.Rounds {
			r := &log.Rounds[k]
			if !r.Passed {
				continue
			}
			x := c.Seconds(r) / unit
			add(&gain.Series[i], x, r.Points, r.PointsSE)
			for _, o := range r.Others {
				if _, ok := others[o.Against]; !ok {
					against = append(against, o.Against)
					others[o.Against] = blank("against "+OpponentName(o.Against), gain.Y)
				}
				add(&others[o.Against].Series[i], x, o.Points.Mean, o.Points.SE)
			}
			if r.ERSE <= 0 {
				continue
			}
			if decisions != "" && decisions != r.DecisionsFile { // others: a line would compare the two
				add(&within.Series[i], x, math.NaN(), 0)
				add(&rate.Series[i], x, math.NaN(), 0)
			}
			decisions = r.DecisionsFile
			add(&within.Series[i], x, r.Within, 0)
			add(&rate.Series[i], x, r.ER, r.ERSE)
		}
		within.Series[i].SE = nil // not in the log
	}
	var charts []curve.Chart
	for _, o := range against {
		charts = append(charts, others[o])
	}
	return withPoints(append(charts, within, rate, gain))
}

func add(s *curve.Series, x, y, se float64) {
	s.X, s.Y, s.SE = append(s.X, x), append(s.Y, y), append(s.SE, se)
}

// withPoints leaves out charts without a point.
func withPoints(charts []curve.Chart) (out []curve.Chart) {
	for _, c := range charts {
		for i := range c.Series {
			if len(c.Series[i].X) > 0 {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// unitOf returns a unit of time that suits the longest run, in seconds, and its name.
func unitOf(logs []*Log, c Clock) (seconds float64, name string) {
	longest := 0.0
	for _, l := range logs {
		if n := len(l.Rounds); n > 0 {
			longest = max(longest, c.Seconds(&l.Rounds[n-1]))
		}
	}
	switch {
	case longest > 2*3600:
		return 3600, "hours"
	case longest > 2*60:
		return 60, "minutes"
	}
	return 1, "seconds"
}

// plot draws the charts of a run.
func (l *Log) plot(path, title string) error {
	charts := Charts([]string{""}, []*Log{l}, Wall)
	return atomicfile.Write(path, func(w io.Writer) error { return curve.WriteSVG(w, title, 2, charts...) })
}
