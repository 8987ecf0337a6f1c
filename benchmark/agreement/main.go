// Agreement tells how well error rates on benchmark files foretell points per game.
// It reads what score --json and match --json printed for a number of nets, and
// prints for each class the correlation of ER and points per game over the nets, and
// the line through them, fitted by least squares.
//
//	go run ./benchmark/agreement -o agreement.svg DIR
//
// In DIR, as data/ladder.sh makes it, NAME.score.json belongs to
// NAME-against-pubeval.match.json.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"bgtrain/internal/atomicfile"
	"bgtrain/trainer/curve"

	"gonum.org/v1/gonum/stat"
)

// net is what is known of one net.
type net struct {
	name       string
	er         map[string]float64 // by class
	points, se float64            // per game
}

func main() {
	opponent := flag.String("against", "pubeval", "opponent of the matches")
	picture := flag.String("o", "", "picture to write (SVG)")
	flag.Parse()
	if err := run(os.Stdout, flag.Args(), *opponent, *picture); err != nil {
		fmt.Fprintf(os.Stderr, "agreement: %v\n", err)
		os.Exit(1)
	}
}

func run(out io.Writer, dirs []string, opponent, picture string) error {
	var nets []net
	for _, dir := range dirs {
		more, err := read(dir, opponent)
		if err != nil {
			return err
		}
		nets = append(nets, more...)
	}
	if len(nets) < 3 {
		return fmt.Errorf("%d nets with NAME.score.json and NAME-against-%s.match.json; 3 or more expected",
			len(nets), opponent)
	}
	fits := agreements(nets)
	if err := print(out, nets, fits); err != nil {
		return err
	}
	if picture == "" {
		return nil
	}
	return atomicfile.Write(picture, func(w io.Writer) error { return draw(w, nets, fits, opponent) })
}

// read gathers the nets of a directory that have both files, in order of name.
func read(dir, opponent string) ([]net, error) {
	scores, err := filepath.Glob(filepath.Join(dir, "*.score.json"))
	if err != nil {
		return nil, err
	}
	var nets []net
	for _, path := range scores {
		n := net{name: strings.TrimSuffix(filepath.Base(path), ".score.json"), er: map[string]float64{}}
		var score struct {
			Files []struct {
				Class string
				ER    float64
			}
		}
		if err := readJSON(path, &score); err != nil {
			return nil, err
		}
		for _, f := range score.Files {
			n.er[f.Class] = f.ER
		}
		var match struct {
			Points struct{ Mean, SE float64 } `json:"points_per_game"`
		}
		err := readJSON(filepath.Join(dir, n.name+"-against-"+opponent+".match.json"), &match)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		n.points, n.se = match.Points.Mean, match.Points.SE
		nets = append(nets, n)
	}
	return nets, nil
}

func readJSON(path string, into any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// fit is the agreement of one measure with points per game.
type fit struct {
	measure            string
	x, y               []float64 // ER and points of each net
	r                  float64   // Pearson's correlation
	rank               float64   // Spearman's
	intercept, slope   float64
	slopeSE, deviation float64 // standard error of the slope; of a net from the line
}

// mean is the measure that weighs the three classes alike.
const mean = "mean of the classes"

// agreements fits a line for each class and for the mean of all.
func agreements(nets []net) []fit {
	var fits []fit
	for _, measure := range []string{"contact", "crashed", "race", mean} {
		f := fit{measure: measure}
		for _, n := range nets {
			if er, ok := n.of(measure); ok {
				f.x, f.y = append(f.x, er), append(f.y, n.points)
			}
		}
		if len(f.x) < 3 {
			continue
		}
		f.r = stat.Correlation(f.x, f.y, nil)
		f.rank = stat.Correlation(ranks(f.x), ranks(f.y), nil)
		f.intercept, f.slope = stat.LinearRegression(f.x, f.y, nil, false)
		squares := 0.0
		for i, x := range f.x {
			d := f.y[i] - f.intercept - f.slope*x
			squares += d * d
		}
		f.deviation = math.Sqrt(squares / float64(len(f.x)-2))
		f.slopeSE = f.deviation / math.Sqrt(stat.Variance(f.x, nil)*float64(len(f.x)-1))
		fits = append(fits, f)
	}
	return fits
}

// of returns a net's error rate by a measure.
func (n *net) of(measure string) (float64, bool) {
	if measure != mean {
		er, ok := n.er[measure]
		return er, ok
	}
	sum := 0.0
	for _, er := range n.er {
		sum += er
	}
	return sum / float64(len(n.er)), len(n.er) > 0
}

// ranks returns the place of each value in their order; equal ones share the mean
// of theirs.
func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	out := make([]float64, len(values))
	for i, v := range values {
		first, _ := slices.BinarySearch(sorted, v)
		last := first
		for last+1 < len(sorted) && sorted[last+1] == v {
			last++
		}
		out[i] = float64(first+last) / 2
	}
	return out
}

func print(out io.Writer, nets []net, fits []fit) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "net\tcontact\tcrashed\trace\tpoints per game\t±\t\n")
	for _, n := range nets {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%+.4f\t%.4f\t\n",
			n.name, n.er["contact"], n.er["crashed"], n.er["race"], n.points, n.se)
	}
	fmt.Fprintf(w, "\t\t\t\t\t\t\nER of\tnets\tcorrelation\tof ranks\tpoints per millipoint\t±\tnets from the line\t\n")
	for _, f := range fits {
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.4f\t%.4f\t%.4f\t\n",
			f.measure, len(f.x), f.r, f.rank, f.slope, f.slopeSE, f.deviation)
	}
	return w.Flush()
}

// draw writes a chart a measure: the nets as dots, and the line.
func draw(w io.Writer, nets []net, fits []fit, opponent string) error {
	var charts []curve.Chart
	for _, f := range fits {
		dots := curve.Series{Name: "nets"}
		for i := range f.x {
			// What is not finite separates dots.
			dots.X, dots.Y = append(dots.X, f.x[i], math.NaN()), append(dots.Y, f.y[i], math.NaN())
		}
		lo, hi := slices.Min(f.x), slices.Max(f.x)
		line := curve.Series{Name: fmt.Sprintf("r = %.2f", f.r), X: []float64{lo, hi},
			Y: []float64{f.intercept + f.slope*lo, f.intercept + f.slope*hi}}
		charts = append(charts, curve.Chart{Title: f.measure, X: "ER, millipoints a decision", Y: "points per game",
			Series: []curve.Series{dots, line}})
	}
	title := fmt.Sprintf("Error rates and points per game against %s, %d nets", opponent, len(nets))
	return curve.WriteSVG(w, title, 2, charts...)
}
