package trainer

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bgtrain/trainer/fit"
)

// Result is a player trained, for people and, as JSON, for programs.
type Result struct {
	Path string // of the net file
	Nets []Trained
}

// WriteText writes a line a net, before and after, within 80 columns.
func (r *Result) WriteText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "net\thidden\tpositions\theld\tepoch\trms\t→\tER\t→\ts\t\n")
	for _, t := range r.Nets {
		r := t.Report
		before, after := r.Points[0], trainedPoint(&t)
		var widths []string
		for _, l := range t.Entry.Net.Layers[:len(t.Entry.Net.Layers)-1] {
			widths = append(widths, fmt.Sprint(l.Out))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.1f\t\n", t.Role, strings.Join(widths, "-"),
			r.Training, r.Validation, after.Epoch, value(before.RMS), value(after.RMS),
			value(before.ER), value(after.ER), r.Points[len(r.Points)-1].Seconds)
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, r.Path)
	return err
}

// trainedPoint is the best point of a net, with the error rate that score gives the player:
// all of its nets are trained there.
func trainedPoint(t *Trained) fit.Point {
	p := t.Report.Points[t.Report.Best]
	if t.ER != nil {
		p.ER, p.ERSE = &t.ER.Mean, &t.ER.SE
	}
	return p
}

func value(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4g", *x)
}

// MarshalJSON returns the result for programs.
func (r *Result) MarshalJSON() ([]byte, error) {
	type trained struct {
		Net        string    `json:"net"`
		Training   int       `json:"positions"`
		Validation int       `json:"held_out"`
		Before     fit.Point `json:"before"`
		After      fit.Point `json:"after"`
		Stopped    string    `json:"stopped"`
	}
	var list []trained
	for _, t := range r.Nets {
		r := t.Report
		list = append(list, trained{string(t.Role), r.Training, r.Validation, r.Points[0], trainedPoint(&t), r.Stopped})
	}
	return json.Marshal(struct {
		Output string    `json:"output"`
		Nets   []trained `json:"nets"`
	}{r.Path, list})
}
