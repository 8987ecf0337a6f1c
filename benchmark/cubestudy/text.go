package cubestudy

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"

	"bgtrain/trainer/curve"
)

// Studied is the result of a study.
type Studied struct {
	Results []Result  `json:"results"`
	Fit     *Parabola `json:"parabola,omitempty"` // nil: there is none
}

// WriteText writes the result for people.
func (s *Studied) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d games, each in either seat, against %s\n", s.Results[0].Games, s.Results[0].B)
	fmt.Fprintf(w, "%-18s %17s  %14s  %14s  %6s  %7s  %11s\n", "model", "points per game", "wins", "final cube", "passes",
		"game SD", "independent")
	for i := range s.Results {
		r := &s.Results[i]
		fmt.Fprintf(w, "%-18s %+8.4f ± %.4f  %6.2f%% ± %.2f  %6.3f ± %.3f  %5.1f%%  %7.3f  %11.0f\n", r.A,
			r.Points.Mean, r.Points.SE, 100*r.Wins.Mean, 100*r.Wins.SE, r.Cube.Mean, r.Cube.SE, 100*r.Passes.Mean,
			r.GameSD, r.Independent)
	}
	if f := s.Fit; f != nil {
		fmt.Fprintf(w, "parabola: best at %.4f ± %.4f, where it is %+.4f\n", f.Best, f.BestSE, f.Top)
	}
	return w.Flush()
}

// WriteSVG draws the points of a study that has a parabola, two standard errors about
// them, the parabola, and the wins.
func (s *Studied) WriteSVG(w io.Writer) error {
	f := s.Fit
	dots := func(name string, y func(r *Result) float64) curve.Series {
		c := curve.Series{Name: name}
		for i := range f.X { // a gap after each makes them dots
			c.X, c.Y = append(c.X, f.X[i], math.NaN()), append(c.Y, y(&s.Results[i]), math.NaN())
		}
		return c
	}
	band := func(name string, sign float64) curve.Series {
		return dots(name, func(r *Result) float64 { return r.Points.Mean + 2*sign*r.Points.SE })
	}
	line := curve.Series{Name: "parabola"}
	low, high := slices.Min(f.X), slices.Max(f.X)
	for i := range 101 {
		x := low + (high-low)*float64(i)/100
		line.X, line.Y = append(line.X, x), append(line.Y, f.At(x))
	}
	points := dots("points", func(r *Result) float64 { return r.Points.Mean })
	wins := dots("", func(r *Result) float64 { return 100 * r.Wins.Mean })
	return curve.WriteSVG(w, "Against "+s.Results[0].B, 2,
		curve.Chart{Title: "Points per game", X: f.Kind, Y: "points",
			Series: []curve.Series{points, line, band("+2 SE", 1), band("-2 SE", -1)}},
		curve.Chart{Title: "Games won", X: f.Kind, Y: "%", Series: []curve.Series{wins}})
}

// WriteText writes the errors for people, a line a model.
func (errs ModelErrors) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d pairs of positions; model less exact: mean, mean absolute, rms, largest\n", errs[0].Pairs)
	fmt.Fprintf(w, "%-16s %31s %31s %31s   double  redouble  answer (ER)\n", "model", "centered", "own", "opponent's")
	for i := range errs {
		m := &errs[i]
		fmt.Fprintf(w, "%-16s", m.Model)
		for h := range m.Mean {
			fmt.Fprintf(w, "  %+7.4f %6.4f %6.4f %6.4f", m.Mean[h], m.MeanAbs[h], m.RMS[h], m.Largest[h])
		}
		fmt.Fprintf(w, "  %7.2f  %7.2f %7.2f\n", m.Double[0].Mean, m.Double[1].Mean, m.Answer.Mean)
	}
	return w.Flush()
}
