package curve

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Chart is one diagram: series over a common horizontal axis.
type Chart struct {
	Title  string
	X, Y   string // names of the axes, with units
	Series []Series

	// Low and High bound the vertical axis of several charts alike; both 0: it
	// covers the values.
	Low, High float64

	Scale Scale // of the vertical axis
}

// Scale is how an axis is divided.
type Scale uint8

// The scales.
const (
	Auto Scale = iota // logarithmic where the values spread over more than a decade and are positive
	Log               // where they are positive
	Linear
)

// Series is one line of a chart. Points that are not finite leave a gap.
type Series struct {
	Name string
	X, Y []float64 // of equal length
	SE   []float64 // standard errors of Y, drawn as bars of two to either side; nil: none
}

// Sizes in SVG units, which browsers show as pixels.
const (
	chartWidth, chartHeight = 420.0, 280.0
	left, right             = 74.0, 16.0
	top, bottom             = 34.0, 46.0
	head                    = 40.0 // title of the picture
)

// colors of the series, told apart by color-blind people too (Okabe and Ito).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// Color is that of the series of an index.
func Color(i int) string { return colors[i%len(colors)] }

// Bar returns where the bar of point i begins and ends: at the point, where there is no standard error.
func (s *Series) Bar(i int) (low, high float64) {
	if s.SE == nil || !finite(s.SE[i]) {
		return s.Y[i], s.Y[i]
	}
	return s.Y[i] - 2*s.SE[i], s.Y[i] + 2*s.SE[i]
}

// WriteSVG draws charts, so many in a row, as one picture. A vertical axis is
// logarithmic where the values spread over more than a decade and are positive.
func WriteSVG(w io.Writer, title string, perRow int, charts ...Chart) error {
	for _, c := range charts {
		for _, s := range c.Series {
			if len(s.X) != len(s.Y) {
				return fmt.Errorf("chart %q, series %q: %d x, %d y", c.Title, s.Name, len(s.X), len(s.Y))
			}
		}
	}
	perRow = max(1, min(perRow, len(charts)))
	rows := (len(charts) + perRow - 1) / perRow
	p := &picture{}
	width, height := chartWidth*float64(perRow), head+chartHeight*float64(rows)
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" width="%v" height="%v" `+
		`font-family="system-ui, sans-serif" font-size="12">`,
		width, height, width, height)
	p.add(`<rect width="100%%" height="100%%" fill="white"/>`)
	p.text(width/2, 26, "middle", ` font-size="17"`, title)
	for i := range charts {
		p.chart(&charts[i], chartWidth*float64(i%perRow), head+chartHeight*float64(i/perRow))
	}
	p.add("</svg>")
	_, err := w.Write(p.buf.Bytes())
	return err
}

type picture struct{ buf bytes.Buffer }

func (p *picture) add(format string, args ...any) {
	fmt.Fprintf(&p.buf, format+"\n", args...)
}

func (p *picture) text(x, y float64, anchor, attributes, s string) {
	var safe bytes.Buffer
	_ = xml.EscapeText(&safe, []byte(s)) // a buffer takes everything
	p.add(`<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`, x, y, anchor, attributes, safe.String())
}

// chart draws one chart with its upper left corner at (x0, y0).
func (p *picture) chart(c *Chart, x0, y0 float64) {
	var xs, ys []float64
	for _, s := range c.Series {
		for i := range s.X {
			if finite(s.X[i]) && finite(s.Y[i]) {
				low, high := s.Bar(i)
				xs, ys = append(xs, s.X[i]), append(ys, s.Y[i], low, high)
			}
		}
	}
	h := newAxis(xs, false, x0+left, x0+chartWidth-right)
	if c.Low != c.High {
		ys = append(ys, c.Low, c.High)
	}
	v := verticalAxis(ys, c.Scale, y0+chartHeight-bottom, y0+top)
	p.text(x0+left, y0+20, "start", ` font-weight="bold"`, c.Title)
	p.text((h.from+h.to)/2, y0+chartHeight-10, "middle", "", c.X)
	p.text(x0+13, (v.from+v.to)/2, "middle", fmt.Sprintf(` transform="rotate(-90 %.1f %.1f)"`, x0+13,
		(v.from+v.to)/2), c.Y)
	for _, t := range v.ticks() {
		p.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, h.from, v.at(t), h.to, v.at(t))
		p.text(h.from-6, v.at(t)+4, "end", "", label(t))
	}
	for _, t := range h.ticks() {
		p.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#ddd"/>`, h.at(t), v.from, h.at(t), v.to)
		p.text(h.at(t), v.from+16, "middle", "", label(t))
	}
	p.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#888"/>`, h.from, v.to, h.to-h.from,
		v.from-v.to)
	at := h.to - 8
	for i := len(c.Series) - 1; i >= 0; i-- {
		s := &c.Series[i]
		p.line(s, Color(i), &h, &v)
		p.text(at, y0+20, "end", fmt.Sprintf(` fill="%s"`, Color(i)), s.Name)
		at -= 7.5*float64(len([]rune(s.Name))) + 12
	}
}

// line draws one series; a single point as a dot.
func (p *picture) line(s *Series, color string, h, v *axis) {
	var part []string
	flush := func() {
		switch {
		case len(part) == 1:
			x, y, _ := strings.Cut(part[0], ",")
			p.add(`<circle cx="%s" cy="%s" r="2" fill="%s"/>`, x, y, color)
		case len(part) > 1:
			p.buf.WriteString(`<polyline fill="none" stroke-width="1.8" stroke="` + color + `" points="`)
			for _, xy := range part {
				p.buf.WriteString(xy + " ")
			}
			p.add(`"/>`)
		}
		part = part[:0]
	}
	for i := range s.X {
		if !finite(s.X[i]) || !finite(s.Y[i]) || v.log && s.Y[i] <= 0 {
			flush()
			continue
		}
		part = append(part, fmt.Sprintf("%.1f,%.1f", h.at(s.X[i]), v.at(s.Y[i])))
	}
	flush()
	p.points(s, color, h, v)
}

// points are what a pointer may rest on to read a value, and bars of standard
// errors.
func (p *picture) points(s *Series, color string, h, v *axis) {
	for i := range s.X {
		if !finite(s.X[i]) || !finite(s.Y[i]) || v.log && s.Y[i] <= 0 {
			continue
		}
		se := ""
		if s.SE != nil {
			low, high := s.Bar(i)
			p.add(`<path d="M%.1f %.1fV%.1f" stroke="%s" stroke-width="1" opacity="0.6"/>`, h.at(s.X[i]), v.at(low),
				v.at(high), color)
			se = fmt.Sprintf(" ± %.3g", s.SE[i])
		}
		p.add(`<circle cx="%.1f" cy="%.1f" r="5" fill="none" pointer-events="all"><title>%s: %s%s</title></circle>`,
			h.at(s.X[i]), v.at(s.Y[i]), label(s.X[i]), label(s.Y[i]), se)
	}
}

// finite reports whether a value can be drawn: also differences of two such are numbers.
func finite(x float64) bool { return math.Abs(x) < 1e150 }

func label(t float64) string {
	return strconv.FormatFloat(t+0, 'g', 4, 64) // +0 for -0
}
