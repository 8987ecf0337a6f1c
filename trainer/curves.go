package trainer

import (
	"fmt"
	"io"
	"math"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/nets"
	"bgtrain/trainer/curve"
	"bgtrain/trainer/fit"
)

// curves are the learning curves of the nets of one run.
type curves struct {
	files Files
	done  []fit.Point // of the nets before
	role  nets.Role
	now   []fit.Point // of the net in training
}

// add takes all points of a net so far and writes the file.
func (c *curves) add(role nets.Role, points []fit.Point) error {
	if role != c.role {
		c.done = append(c.done, c.now...)
		c.role = role
	}
	c.now = points
	return curve.WriteLines(c.files.Curve, c.all())
}

func (c *curves) all() []fit.Point {
	return append(append([]fit.Point(nil), c.done...), c.now...)
}

// describe describes what an epoch gave.
func describe(p *fit.Point) string {
	s := fmt.Sprintf("%s, epoch %d", p.Net, p.Epoch)
	if p.RMS != nil {
		s += fmt.Sprintf(", equity error %.4f", *p.RMS)
	}
	if p.ER != nil {
		s += fmt.Sprintf(", ER %.3f", *p.ER)
	}
	return s
}

// plot draws the curves, a row of charts a net.
func (c *curves) plot() error {
	byNet := map[string][]fit.Point{}
	var names []string
	perRow := 2
	for _, p := range c.all() {
		if byNet[p.Net] == nil {
			names = append(names, p.Net)
		}
		byNet[p.Net] = append(byNet[p.Net], p)
		if p.ER != nil {
			perRow = 3
		}
	}
	var charts []curve.Chart
	for _, name := range names {
		charts = append(charts, chartsOf(name, byNet[name])[:perRow]...)
	}
	return atomicfile.Write(c.files.Plot, func(w io.Writer) error {
		return curve.WriteSVG(w, c.files.Net, perRow, charts...)
	})
}

// chartsOf are the charts of one net: loss, errors, error rate.
func chartsOf(name string, ps []fit.Point) []curve.Chart {
	return []curve.Chart{
		{Title: name, X: "epoch", Y: "loss", Series: []curve.Series{
			series("training", ps, func(p *fit.Point) *float64 { return p.TrainLoss }),
			series("validation", ps, func(p *fit.Point) *float64 { return p.ValidationLoss })}},
		{Title: name, X: "epoch", Y: "equity error, points", Series: []curve.Series{
			series("rms", ps, func(p *fit.Point) *float64 { return p.RMS }),
			series("mean", ps, func(p *fit.Point) *float64 { return p.MAE })}},
		{Title: name, X: "epoch", Y: "ER, millipoints a decision", Series: []curve.Series{
			withSE(series("benchmark", ps, func(p *fit.Point) *float64 { return p.ER }), ps)}},
	}
}

// withSE adds the standard errors of the error rates.
func withSE(s curve.Series, ps []fit.Point) curve.Series {
	for i := range ps {
		se := 0.0
		if p := ps[i].ERSE; p != nil {
			se = *p
		}
		s.SE = append(s.SE, se)
	}
	return s
}

// series is one value of points over the epochs.
func series(name string, ps []fit.Point, value func(p *fit.Point) *float64) curve.Series {
	s := curve.Series{Name: name}
	for i := range ps {
		y := math.NaN()
		if v := value(&ps[i]); v != nil {
			y = *v
		}
		s.X, s.Y = append(s.X, float64(ps[i].Epoch)), append(s.Y, y)
	}
	return s
}
