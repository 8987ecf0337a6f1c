package curve

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Run is the learning curve of one training run, drawn.
type Run struct {
	Name   string
	Charts []Chart
}

// runPoint has the values of a line of a learning curve, of TD training or of
// supervised training.
type runPoint struct {
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

// ReadRun reads a learning curve that td or train wrote, which of the two by
// its content.
func ReadRun(path string) (Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return Run{}, fmt.Errorf("read curve: %w", err)
	}
	defer f.Close()
	return DecodeRun(f, path)
}

// DecodeRun is ReadRun of what is called path in errors.
func DecodeRun(r io.Reader, path string) (Run, error) {
	points, err := DecodeLines[runPoint](r, path)
	if err != nil {
		return Run{}, err
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), ".curve")
	for i, p := range points {
		if p.Games == nil && p.Epoch == nil {
			return Run{}, fmt.Errorf("read curve %s:%d: neither games (of td) nor epoch (of train)", path, i+1)
		}
	}
	if len(points) == 0 {
		return Run{}, fmt.Errorf("read curve %s: no points in it", path)
	}
	if points[0].Games != nil {
		return Run{name, tdCharts(points)}, nil
	}
	return Run{name, trainCharts(points)}, nil
}

func tdCharts(points []runPoint) []Chart {
	thousands := func(p *runPoint) *float64 {
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
		Chart{Title: "error against the next position", X: "thousand games", Y: "rms equity error, points",
			Series: []Series{pick("", points, thousands, func(p *runPoint) *float64 { return p.RMS })}},
		Chart{Title: against, X: "thousand games", Y: "points per game",
			Series: []Series{pickWithSE(points, thousands, func(p *runPoint) *float64 { return p.Match },
				func(p *runPoint) *float64 { return p.MatchSE })}})
}

func trainCharts(points []runPoint) []Chart {
	byNet := map[string][]runPoint{}
	var nets []string
	for _, p := range points {
		if byNet[p.Net] == nil {
			nets = append(nets, p.Net)
		}
		byNet[p.Net] = append(byNet[p.Net], p)
	}
	epoch := func(p *runPoint) *float64 { return p.Epoch }
	var charts []Chart
	for _, n := range nets {
		ps := byNet[n]
		charts = append(charts,
			Chart{Title: n + ": loss", X: "epoch", Y: "loss", Series: []Series{
				pick("training", ps, epoch, func(p *runPoint) *float64 { return p.TrainLoss }),
				pick("validation", ps, epoch, func(p *runPoint) *float64 { return p.ValidationLoss })}},
			Chart{Title: n + ": equity error", X: "epoch", Y: "points", Series: []Series{
				pick("rms", ps, epoch, func(p *runPoint) *float64 { return p.RMS }),
				pick("mean", ps, epoch, func(p *runPoint) *float64 { return p.MAE })}},
			Chart{Title: n + ": error rate", X: "epoch", Y: "ER, millipoints a decision", Series: []Series{
				pickWithSE(ps, epoch, func(p *runPoint) *float64 { return p.ER },
					func(p *runPoint) *float64 { return p.ERSE })}})
	}
	charts = nonEmpty(charts...)
	sameScale(charts)
	return charts
}

// sameScale gives the charts of one kind, of different nets, the same vertical
// axis, so that they can be compared.
func sameScale(charts []Chart) {
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
func pickWithSE(ps []runPoint, x, y, se func(p *runPoint) *float64) Series {
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
func pick(name string, ps []runPoint, x, y func(p *runPoint) *float64) Series {
	s := Series{Name: name}
	for i := range ps {
		if x, y := x(&ps[i]), y(&ps[i]); x != nil && y != nil {
			s.X, s.Y = append(s.X, *x), append(s.Y, *y)
		}
	}
	return s
}

// nonEmpty leaves out series and charts without points.
func nonEmpty(charts ...Chart) []Chart {
	var out []Chart
	for _, c := range charts {
		var some []Series
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
