package curve

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

type point struct {
	Epoch int     `json:"epoch"`
	Loss  float64 `json:"loss"`
}

func TestLinesRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "curve.jsonl")
	want := []point{{1, 0.5}, {2, 0.1234567890123}}
	for range 2 { // the second replaces the first
		if err := WriteLines(path, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadLines[point](path)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if err := os.WriteFile(path, []byte("{\"epoch\":1}\n{\"epo"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLines[point](path); err == nil || !strings.Contains(err.Error(), "curve.jsonl:2") {
		t.Errorf("half a line: error %v", err)
	}
}

// TestSVG checks that the picture is well-formed XML and shows every series.
func TestSVG(t *testing.T) {
	var b strings.Builder
	nan := math.NaN()
	err := WriteSVG(&b, "a < b & c", 2,
		Chart{Title: "loss", X: "epoch", Y: "loss", Series: []Series{
			{Name: "training", X: []float64{1, 2, 3}, Y: []float64{0.5, 0.05, 0.01}},
			{Name: "validation", X: []float64{0, 1, 2, 3}, Y: []float64{1, nan, 0.06, 0.03}},
		}},
		Chart{Title: "flat", Series: []Series{{Name: "one", X: []float64{1, 2}, Y: []float64{3, 3}}}},
		Chart{Title: "empty"},
		Chart{Title: "point", Series: []Series{{Name: "", X: []float64{0}, Y: []float64{0}}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	dec := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
	if count["polyline"] != 3 || count["circle"] != 11 {
		t.Errorf("%d lines, %d dots; want 3, 11 (2 drawn, 9 to point at)", count["polyline"], count["circle"])
	}
	if !strings.Contains(b.String(), "a &lt; b &amp; c") {
		t.Error("title not escaped")
	}
	if err := WriteSVG(io.Discard, "", 1, Chart{Series: []Series{{Name: "", X: []float64{1}, Y: nil}}}); err == nil {
		t.Error("lengths differ, no error")
	}
}

// A single point is a dot hardly wider than a line, in the middle of its axes.
func TestSinglePointIsASmallDot(t *testing.T) {
	for _, se := range [][]float64{nil, {0.5}} {
		var b strings.Builder
		s := Series{X: []float64{3}, Y: []float64{4}, SE: se}
		if err := WriteSVG(&b, "", 1, Chart{Series: []Series{s}}); err != nil {
			t.Fatal(err)
		}
		dots := regexp.MustCompile(`<circle cx="([0-9.]+)" cy="([0-9.]+)" r="([0-9.]+)" fill="#`).FindAllStringSubmatch(
			b.String(), -1)
		if len(dots) != 1 || dots[0][3] != "2" {
			t.Fatalf("dots %q", dots)
		}
		x, _ := strconv.ParseFloat(dots[0][1], 64)
		y, _ := strconv.ParseFloat(dots[0][2], 64)
		middleX, middleY := (left+chartWidth-right)/2, head+(top+chartHeight-bottom)/2
		if math.Abs(x-middleX) > 1 || math.Abs(y-middleY) > 1 {
			t.Errorf("at %v, %v; the middle is %v, %v", x, y, middleX, middleY)
		}
	}
}

// Bars of standard errors end inside of the axes.
func TestBarsInsideTheAxes(t *testing.T) {
	for _, y := range [][]float64{{5, 6}, {5}, {1, 100}} {
		s := Series{Y: y}
		for i := range y {
			s.X, s.SE = append(s.X, float64(i)), append(s.SE, 3+y[i]/4)
		}
		var b strings.Builder
		if err := WriteSVG(&b, "", 1, Chart{Series: []Series{s}}); err != nil {
			t.Fatal(err)
		}
		bars := regexp.MustCompile(`<path d="M[0-9.]+ ([0-9.-]+)V([0-9.-]+)"`).FindAllStringSubmatch(b.String(), -1)
		for _, bar := range bars {
			for _, end := range bar[1:] {
				if at, err := strconv.ParseFloat(end, 64); err != nil || at < head+top || at > head+chartHeight-bottom {
					t.Errorf("%v: a bar ends at %s (%v)", y, end, err)
				}
			}
		}
		if len(bars) != len(y) {
			t.Errorf("%v: %d bars", y, len(bars))
		}
	}
}

// The name of an axis stands beside its values, also beside long ones.
func TestAxisNameBesideItsValues(t *testing.T) {
	var b strings.Builder
	c := Chart{Y: "loss", Series: []Series{{X: []float64{0, 1}, Y: []float64{0.0001, 0.0002}}}}
	if err := WriteSVG(&b, "", 1, c); err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`<text x="([0-9.]+)"[^>]*rotate[^>]*>loss<`).FindStringSubmatch(b.String())
	values := regexp.MustCompile(`<text x="([0-9.]+)" y="[0-9.]+" text-anchor="end">([0-9.]+)<`).FindAllStringSubmatch(b.String(), -1)
	if name == nil || len(values) < 3 {
		t.Fatal(b.String())
	}
	const digit = 7.0 // of a wide font, at 12 pixels
	at, _ := strconv.ParseFloat(name[1], 64)
	for _, v := range values {
		if end, _ := strconv.ParseFloat(v[1], 64); end-digit*float64(len(v[2])) < at+4 {
			t.Errorf("%s, which ends at %s, covers the name at %s", v[2], v[1], name[1])
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		log    bool
		want   []float64
	}{
		{[]float64{0, 10}, false, []float64{0, 2, 4, 6, 8, 10}},
		{[]float64{0, 40}, false, []float64{0, 10, 20, 30, 40}},
		{[]float64{1, 100}, true, []float64{1, 2, 5, 10, 20, 50, 100}},
		{[]float64{1e-5, 1}, true, []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1}},
		{nil, false, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
	} {
		a := newAxis(c.values, c.log, 0, 100)
		got := a.ticks()
		if !slices.EqualFunc(got, c.want, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }) {
			t.Errorf("%v: ticks %v, want %v", c.values, got, c.want)
		}
		for _, x := range got {
			if at := a.at(x); at < -1e-9 || at > 100+1e-9 {
				t.Errorf("%v: tick %v at %v", c.values, x, at)
			}
		}
	}
}
