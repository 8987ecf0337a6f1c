package farm

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

var loadPlot = flag.String("load-plot", "", "file for a plot (SVG) of BenchmarkThroughput")

// point is a measured throughput.
type point struct{ workers, rate float64 }

// writePlot draws chunks a second by workers, both on logarithmic scales, beside
// what as many workers could do at most with chunks of 0.1 s.
func writePlot(path string, points []point) error {
	const width, height, left, bottom = 640, 400, 70, 50
	x := func(v float64) float64 { return left + math.Log10(v)/3*(width-left-20) }
	y := func(v float64) float64 { return height - bottom - math.Log10(v)/4*(height-bottom-20) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for _, v := range []float64{1, 10, 100, 1000} {
		fmt.Fprintf(&b, `<path d="M%.0f %.0fV%.0f" stroke="#ddd"/><text x="%.0f" y="%d" text-anchor="middle">%g</text>`+"\n",
			x(v), y(1), y(1e4), x(v), height-bottom+18, v)
	}
	for _, v := range []float64{1, 10, 100, 1000, 10000} {
		fmt.Fprintf(&b, `<path d="M%.0f %.0fH%.0f" stroke="#ddd"/><text x="%d" y="%.0f" text-anchor="end">%g</text>`+"\n",
			x(1), y(v), x(1000), left-8, y(v)+4, v)
	}
	line := func(points []point, color, dash string) {
		var p []string
		for _, q := range points {
			p = append(p, fmt.Sprintf("%.1f,%.1f", x(q.workers), y(q.rate)))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(p, " "), color, dash)
	}
	line([]point{{1, 10}, {1000, 10000}}, "#999", "5 4")
	line(points, "#06c", "")
	for _, q := range points {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="#06c"/>`+"\n", x(q.workers), y(q.rate))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">workers; chunks take 0.1 s (dashed: without an engine)</text>`+"\n", width/2, height-10)
	fmt.Fprintf(&b, `<text transform="translate(18 %d) rotate(-90)" text-anchor="middle">chunks a second</text>`+"\n</svg>\n", height/2)
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func TestPlot(t *testing.T) {
	path := t.TempDir() + "/plot.svg"
	if err := writePlot(path, []point{{1, 9}, {100, 700}}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || strings.Count(string(raw), "<circle") != 2 || strings.Contains(string(raw), "NaN") {
		t.Errorf("%s, %v", raw, err)
	}
}
