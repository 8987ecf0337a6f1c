package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bgtrain/trainer"
	"bgtrain/trainer/net"
)

// printTrained prints a line a net, before and after, within 80 columns, or JSON.
func printTrained(out io.Writer, path string, all []trainer.Trained, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(trainJSON(path, all))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "net\thidden\tpositions\theld\tepoch\trms\t→\tER\t→\ts\t\n")
	for _, t := range all {
		r := t.Report
		before, after := r.Points[0], r.Points[r.Best]
		var widths []string
		for _, l := range t.Entry.Net.Layers[:len(t.Entry.Net.Layers)-1] {
			widths = append(widths, fmt.Sprint(l.Out))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.1f\t\n", t.Role, strings.Join(widths, "-"),
			r.Training, r.Validation, after.Epoch, value(before.RMS), value(after.RMS),
			value(before.ER), value(after.ER), r.Points[len(r.Points)-1].Seconds)
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
func trainJSON(path string, all []trainer.Trained) any {
	type trained struct {
		Net        string    `json:"net"`
		Training   int       `json:"positions"`
		Validation int       `json:"held_out"`
		Before     net.Point `json:"before"`
		After      net.Point `json:"after"`
		Stopped    string    `json:"stopped"`
	}
	var list []trained
	for _, t := range all {
		r := t.Report
		list = append(list, trained{string(t.Role), r.Training, r.Validation, r.Points[0], r.Points[r.Best], r.Stopped})
	}
	return struct {
		Output string    `json:"output"`
		Nets   []trained `json:"nets"`
	}{path, list}
}
