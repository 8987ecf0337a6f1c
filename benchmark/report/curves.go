package report

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"bgtrain/trainer/curve"
)

// Curve is the learning curve of one training run.
type Curve struct {
	Name   string
	Charts []curve.Chart
}

// curvePoint has the values of a line of a learning curve, of TD training or of
// supervised training.
type curvePoint struct {
	Net            string   `json:"net"`
	Epoch          *float64 `json:"epoch"`
	TrainLoss      *float64 `json:"train_loss"`
	ValidationLoss *float64 `json:"validation_loss"`
	RMS            *float64 `json:"rms_equity_error"`
	MAE            *float64 `json:"mean_equity_error"`
	ER             *float64 `json:"er"`
	ERSE           *float64 `json:"er_se"`

	Games   *float64 `json:"games"`
	PubEval *float64 `json:"pubeval"` // as td once called its matches
	Match   *float64 `json:"points_per_game"`
	Against string   `json:"against"`
	MatchSE *float64 `json:"points_per_game_se"`
}

// ReadCurve reads a learning curve that td or train wrote, which of the two by
// its content.
func ReadCurve(path string) (Curve, error) {
	f, err := os.Open(path)
	if err != nil {
		return Curve{}, fmt.Errorf("read curve: %w", err)
	}
	defer f.Close()
	return DecodeCurve(f, path)
}

// DecodeCurve is ReadCurve of what is called path in errors.
func DecodeCurve(r io.Reader, path string) (Curve, error) {
	points, err := curve.DecodeLines[curvePoint](r, path)
	if err != nil {
		return Curve{}, err
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), ".curve")
	for i, p := range points {
		if p.Games == nil && p.Epoch == nil {
			return Curve{}, fmt.Errorf("read curve %s:%d: neither games (of td) nor epoch (of train)", path, i+1)
		}
	}
	if len(points) == 0 {
		return Curve{}, fmt.Errorf("read curve %s: no points in it", path)
	}
	if points[0].Games != nil {
		return Curve{name, tdCharts(points)}, nil
	}
	return Curve{name, trainCharts(points)}, nil
}

func tdCharts(points []curvePoint) []curve.Chart {
	thousands := func(p *curvePoint) *float64 {
		if p.Games == nil {
			return nil
		}
		x := *p.Games / 1000
		return &x
	}
	against := "matches"
	for i := range points {
		if p := &points[i]; p.PubEval != nil {
			p.Match, p.Against = p.PubEval, "PubEval"
		}
		if points[i].Against != "" {
			against = "against " + points[i].Against
		}
	}
	return nonEmpty(
		curve.Chart{Title: "error against the next position", X: "thousand games", Y: "rms equity error, points",
			Series: []curve.Series{pick("", points, thousands, func(p *curvePoint) *float64 { return p.RMS })}},
		curve.Chart{Title: against, X: "thousand games", Y: "points per game",
			Series: []curve.Series{pickWithSE(points, thousands, func(p *curvePoint) *float64 { return p.Match },
				func(p *curvePoint) *float64 { return p.MatchSE })}})
}

func trainCharts(points []curvePoint) []curve.Chart {
	byNet := map[string][]curvePoint{}
	var nets []string
	for _, p := range points {
		if byNet[p.Net] == nil {
			nets = append(nets, p.Net)
		}
		byNet[p.Net] = append(byNet[p.Net], p)
	}
	epoch := func(p *curvePoint) *float64 { return p.Epoch }
	var charts []curve.Chart
	for _, n := range nets {
		ps := byNet[n]
		charts = append(charts,
			curve.Chart{Title: n + ": loss", X: "epoch", Y: "loss", Series: []curve.Series{
				pick("training", ps, epoch, func(p *curvePoint) *float64 { return p.TrainLoss }),
				pick("validation", ps, epoch, func(p *curvePoint) *float64 { return p.ValidationLoss })}},
			curve.Chart{Title: n + ": equity error", X: "epoch", Y: "points", Series: []curve.Series{
				pick("rms", ps, epoch, func(p *curvePoint) *float64 { return p.RMS }),
				pick("mean", ps, epoch, func(p *curvePoint) *float64 { return p.MAE })}},
			curve.Chart{Title: n + ": error rate", X: "epoch", Y: "ER, millipoints a decision", Series: []curve.Series{
				pickWithSE(ps, epoch, func(p *curvePoint) *float64 { return p.ER },
					func(p *curvePoint) *float64 { return p.ERSE })}})
	}
	charts = nonEmpty(charts...)
	sameScale(charts)
	return charts
}

// sameScale gives the charts of one kind, of different nets, the same vertical
// axis, so that they can be compared.
func sameScale(charts []curve.Chart) {
	type bounds struct{ low, high float64 }
	all := map[string]*bounds{} // by what the axis says
	for _, c := range charts {
		b := all[c.Y]
		if b == nil {
			b = &bounds{math.Inf(1), math.Inf(-1)}
			all[c.Y] = b
		}
		for _, s := range c.Series {
			for i := range s.Y {
				low, high := s.Bar(i)
				b.low, b.high = min(b.low, low), max(b.high, high)
			}
		}
	}
	for i := range charts {
		b := all[charts[i].Y]
		charts[i].Low, charts[i].High = b.low, b.high
	}
}

// pickWithSE is pick for values that have standard errors; a point without one
// has that of 0.
func pickWithSE(ps []curvePoint, x, y, se func(p *curvePoint) *float64) curve.Series {
	s := pick("", ps, x, y)
	for i := range ps {
		if x(&ps[i]) == nil || y(&ps[i]) == nil {
			continue
		}
		e := 0.0
		if v := se(&ps[i]); v != nil {
			e = *v
		}
		s.SE = append(s.SE, e)
	}
	return s
}

// pick takes the points that have both values, so that values measured now and
// then give an unbroken line.
func pick(name string, ps []curvePoint, x, y func(p *curvePoint) *float64) curve.Series {
	s := curve.Series{Name: name}
	for i := range ps {
		if x, y := x(&ps[i]), y(&ps[i]); x != nil && y != nil {
			s.X, s.Y = append(s.X, *x), append(s.Y, *y)
		}
	}
	return s
}

// nonEmpty leaves out series and charts without points.
func nonEmpty(charts ...curve.Chart) []curve.Chart {
	var out []curve.Chart
	for _, c := range charts {
		var some []curve.Series
		for _, s := range c.Series {
			if len(s.X) > 0 {
				some = append(some, s)
			}
		}
		if c.Series = some; len(some) > 0 {
			out = append(out, c)
		}
	}
	return out
}
