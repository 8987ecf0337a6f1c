package report

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"

	"bgtrain/benchmark/score"
	"bgtrain/internal/stats"
	"bgtrain/trainer/curve"
)

// colors of the players, told apart by color-blind people too (Okabe and Ito).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9"}

func color(i int) string { return colors[i%len(colors)] }

// drawChart draws a learning curve as an inline picture.
func drawChart(name string, c curve.Chart) (template.HTML, error) {
	return drawPlot(fmt.Sprintf("Learning curve of %s, %s by %s.%s", name, c.Title, c.X, lastValues(&c)), c)
}

// lastValues says where each series of a chart ends.
func lastValues(c *curve.Chart) (text string) {
	for _, s := range c.Series {
		if n := len(s.Y); n > 0 {
			text += fmt.Sprintf(" %s last %.4g.", s.Name, s.Y[n-1])
		}
	}
	return text
}

// drawPlot draws a chart as an inline picture that label describes in words.
func drawPlot(label string, c curve.Chart) (template.HTML, error) {
	title := c.Title
	c.Title = ""
	var b bytes.Buffer
	if err := curve.WriteSVG(&b, title, 1, c); err != nil {
		return "", err
	}
	return template.HTML(fmt.Sprintf(`<div class="plot" role="img" aria-label="%s">%s</div>`, html.EscapeString(label),
		b.String())), nil
}

// estimate is a value with its standard error, of one player.
type estimate struct {
	name string
	stats.Stat
}

// drawEstimates draws values as dots with bars of two standard errors to either
// side, a line a player, on a common axis from 0.
func drawEstimates(label string, es []estimate) template.HTML {
	const width, left, right, row = 420.0, 10.0, 52.0, 34.0
	top := 0.0
	for _, e := range es {
		top = max(top, e.Mean+2*e.SE)
	}
	if top == 0 {
		top = 1
	}
	at := func(v float64) float64 { return left + max(0, v)/top*(width-left-right) }
	height := row*float64(len(es)) + 4
	var s svg
	words := label + ":"
	for _, e := range es {
		words += fmt.Sprintf(" %s %.2f ± %.2f;", e.name, e.Mean, e.SE)
	}
	words = html.EscapeString(words)
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" role="img" aria-label="%s" class="bars" `+
		`font-family="system-ui, sans-serif" font-size="12"><title>%s</title>`,
		width, height, words, words)
	for i, e := range es {
		y := row * float64(i)
		s.add(`<text x="%s" y="%s" fill="currentColor">%s</text>`, num(left), num(y+13), html.EscapeString(e.name))
		s.add(`<rect x="%s" y="%s" width="%s" height="10" rx="2" fill="%s"/>`, num(left), num(y+18),
			num(max(1, at(e.Mean)-left)), color(i))
		s.add(`<path d="M%s %sH%sm0 -4v8M%s %sv8" stroke="currentColor" stroke-width="1.3" fill="none"/>`,
			num(at(e.Mean-2*e.SE)), num(y+23), num(at(e.Mean+2*e.SE)), num(at(e.Mean-2*e.SE)), num(y+19))
		s.add(`<text x="%s" y="%s" fill="currentColor" font-weight="bold">%.2f</text>`, num(at(e.Mean+2*e.SE)+6),
			num(y+27), e.Mean)
	}
	s.add(`</svg>`)
	return template.HTML(s.String())
}

// drawCalibration draws the rolled-out mean over the predicted one for one
// output, a color a player. Dots have bars of two standard errors; the bigger a
// dot, the more positions. What is right lies on the diagonal.
func drawCalibration(output string, k int, cs []score.NetCalibration,
	colorOf func(player string) string) template.HTML {
	const size, left, top, bottom = 300.0, 38.0, 24.0, 36.0
	const plot = size - left - 10
	// An output that stays small gets a larger scale.
	limit := 0.0
	for _, c := range cs {
		for _, b := range c.Outputs[k].Bins {
			limit = max(limit, b.Predicted, b.RolledOut.Mean+2*b.RolledOut.SE)
		}
	}
	scales := []float64{0.05, 0.1, 0.2, 0.5, 1}
	i, _ := slices.BinarySearch(scales, limit)
	limit = scales[min(i, len(scales)-1)]
	x := func(v float64) string { return num(left + v/limit*plot) }
	y := func(v float64) string { return num(top + plot - math.Min(v, limit)/limit*plot) }
	var s svg
	words := "Calibration of " + output + ":"
	for _, c := range cs {
		e := c.Outputs[k].Error
		words += fmt.Sprintf(" %s bias %+.4f, rms error %.4f;", c.Player, e.Bias, e.RMS)
	}
	words = html.EscapeString(words)
	s.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" role="img" aria-label="%s" `+
		`class="calibration" font-family="system-ui, sans-serif" font-size="11"><title>%s</title>`,
		size, top+plot+bottom, words, words)
	s.add(`<text x="%v" y="15" font-size="13" font-weight="bold" fill="currentColor">%s</text>`, left,
		html.EscapeString(output))
	for i := range 6 {
		v := limit * float64(i) / 5
		s.add(`<path class="grid" d="M%s %sV%sM%s %sH%s"/>`, x(v), y(0), y(limit), x(0), y(v), x(limit))
		s.add(`<text x="%s" y="%s" text-anchor="middle" fill="currentColor">%.3g</text>`, x(v), num(top+plot+14), v)
		s.add(`<text x="%s" y="%s" text-anchor="end" fill="currentColor" dy="4">%.3g</text>`, num(left-5), y(v), v)
	}
	s.add(`<path class="right" d="M%s %sL%s %s"/>`, x(0), y(0), x(limit), y(limit))
	for _, c := range cs {
		most := 1
		for _, b := range c.Outputs[k].Bins {
			most = max(most, b.Positions)
		}
		s.add(`<g fill="%s" stroke="%s" fill-opacity=".75">`, colorOf(c.Player), colorOf(c.Player))
		for _, b := range c.Outputs[k].Bins {
			r := 1.8 + 4*math.Sqrt(float64(b.Positions)/float64(most))
			s.add(`<path d="M%s %sV%s"/>`, x(b.Predicted), y(max(0, b.RolledOut.Mean-2*b.RolledOut.SE)),
				y(b.RolledOut.Mean+2*b.RolledOut.SE))
			s.add(`<circle cx="%s" cy="%s" r="%s" stroke="none"><title>%s: predicted %.4f, `+
				`rolled out %.4f ± %.4f, %d positions</title></circle>`,
				x(b.Predicted), y(b.RolledOut.Mean), num(r), html.EscapeString(c.Player), b.Predicted,
				b.RolledOut.Mean, b.RolledOut.SE, b.Positions)
		}
		s.add(`</g>`)
	}
	s.add(`<text x="%s" y="%s" text-anchor="middle" fill="currentColor">predicted</text>`, num(left+plot/2),
		num(top+plot+30))
	s.add(`<text transform="rotate(-90 10 %s)" x="10" y="%s" text-anchor="middle" `+
		`fill="currentColor">rolled out</text>`, num(top+plot/2), num(top+plot/2))
	s.add(`</svg>`)
	return template.HTML(s.String())
}
