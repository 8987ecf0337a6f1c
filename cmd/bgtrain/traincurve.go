package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"bgtrain/internal/atomicfile"
	"bgtrain/internal/nets"
	"bgtrain/trainer"
	"bgtrain/trainer/curve"
)

// trainCurves are the learning curves of the nets of one run.
type trainCurves struct {
	o    *trainOptions
	done []trainer.Point // of the nets before
	role nets.Role
	now  []trainer.Point // of the net in training
}

// add takes all points of a net so far and writes the file. bar may be nil.
func (c *trainCurves) add(role nets.Role, points []trainer.Point, bar *progress) error {
	if role != c.role {
		c.done = append(c.done, c.now...)
		c.role = role
	}
	c.now = points
	if bar != nil {
		bar.Note(describePoint(&points[len(points)-1]))
	}
	return curve.WriteLines(c.o.curve, c.all())
}

func (c *trainCurves) all() []trainer.Point {
	return append(append([]trainer.Point(nil), c.done...), c.now...)
}

func describePoint(p *trainer.Point) string {
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
func (c *trainCurves) plot() error {
	byNet := map[string][]trainer.Point{}
	var nets []string
	scored := false
	for _, p := range c.all() {
		if byNet[p.Net] == nil {
			nets = append(nets, p.Net)
		}
		byNet[p.Net] = append(byNet[p.Net], p)
		scored = scored || p.ER != nil
	}
	var charts []curve.Chart
	perRow := 2
	if scored {
		perRow = 3
	}
	for _, n := range nets {
		ps := byNet[n]
		charts = append(charts,
			curve.Chart{Title: n, X: "epoch", Y: "loss", Series: []curve.Series{
				series("training", ps, func(p *trainer.Point) *float64 { return p.TrainLoss }),
				series("validation", ps, func(p *trainer.Point) *float64 { return p.ValidationLoss })}},
			curve.Chart{Title: n, X: "epoch", Y: "equity error, points", Series: []curve.Series{
				series("rms", ps, func(p *trainer.Point) *float64 { return p.RMS }),
				series("mean", ps, func(p *trainer.Point) *float64 { return p.MAE })}})
		if scored {
			charts = append(charts, curve.Chart{Title: n, X: "epoch", Y: "ER, millipoints a decision", Series: []curve.Series{
				series("benchmark", ps, func(p *trainer.Point) *float64 { return p.ER })}})
		}
	}
	var svg bytes.Buffer
	if err := curve.WriteSVG(&svg, c.o.out, perRow, charts...); err != nil {
		return err
	}
	return atomicfile.Write(c.o.plot, func(w io.Writer) error {
		_, err := svg.WriteTo(w)
		return err
	})
}

// series is one value of points over the epochs.
func series(name string, ps []trainer.Point, value func(p *trainer.Point) *float64) curve.Series {
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

// printTrained prints a line a net: before and after.
func printTrained(out io.Writer, path string, all []trained) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "net\thidden\tpositions\theld out\tepoch\trms error\t→\tmean error\t→\tER\t→\tseconds\t\n")
	for _, t := range all {
		r := t.report
		before, after := r.Points[0], r.Points[r.Best]
		var widths []string
		for _, l := range t.entry.Net.Layers[:len(t.entry.Net.Layers)-1] {
			widths = append(widths, fmt.Sprint(l.Out))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%.1f\t\n", t.role, strings.Join(widths, "-"), r.Training, r.Validation, after.Epoch,
			value(before.RMS), value(after.RMS), value(before.MAE), value(after.MAE), value(before.ER), value(after.ER), r.Points[len(r.Points)-1].Seconds)
	}
	fmt.Fprintf(w, "\n")
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, path)
	return err
}

func value(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *x)
}

// trainJSON is the result for programs.
func trainJSON(path string, all []trained) any {
	type net struct {
		Net        string        `json:"net"`
		Training   int           `json:"positions"`
		Validation int           `json:"held_out"`
		Before     trainer.Point `json:"before"`
		After      trainer.Point `json:"after"`
		Stopped    string        `json:"stopped"`
	}
	var nets []net
	for _, t := range all {
		r := t.report
		nets = append(nets, net{string(t.role), r.Training, r.Validation, r.Points[0], r.Points[r.Best], r.Stopped})
	}
	return struct {
		Output string `json:"output"`
		Nets   []net  `json:"nets"`
	}{path, nets}
}
