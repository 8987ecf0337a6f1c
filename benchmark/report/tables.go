package report

import (
	"fmt"
	"html/template"
	"path/filepath"
	"sort"
	"strings"

	"bgtrain/benchmark/score"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/nets"
	"bgtrain/internal/stats"
)

// netView is a net file of the page.
type netView struct {
	Name, Fingerprint string
	Nets              []oneNetView
	Provenance        []pair
}

type oneNetView struct {
	Role, Inputs, Layers, Activations, Parameters string
	Provenance                                    []pair
}

type pair struct{ Name, Value string }

func viewNet(name string, f *nets.Set) netView {
	d := f.Describe()
	v := netView{Name: name, Fingerprint: d.Fingerprint, Provenance: pairs(d.Provenance)}
	for _, n := range d.Nets {
		v.Nets = append(v.Nets, oneNetView{
			Role: string(n.Role), Inputs: fmt.Sprintf("%s, version %d", n.Inputs, n.InputsVersion),
			Layers: strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Sizes), " ", " – "), "[]"),
			Activations: strings.Join(n.Activations,
				", "), Parameters: thousands(n.Parameters), Provenance: pairs(n.Provenance),
		})
	}
	return v
}

// pairs sorts a map by key.
func pairs(m map[string]string) []pair {
	var out []pair
	for k, v := range m {
		out = append(out, pair{k, v})
	}
	sort.Slice(out, func(a, b int) bool { return out[a].Name < out[b].Name })
	return out
}

// fileView is a benchmark file with all players' results.
type fileView struct {
	Name, Class, Decisions string
	Bars                   template.HTML
	Rows                   []scoreRow
	Players                []string
	Parts                  []partsView
}

type scoreRow struct {
	Player, ER, SE         string
	Difference             string // this player's ER less the first one's; empty for the first
	DifferenceSE           string
	Verdict                string // this player is better than the first, worse, or even within two standard errors
	Wrong, Out, OutN       string
	Total, Same, PlayClass string
}

// partsView is a breakdown of a file.
type partsView struct {
	Title string
	Rows  []partRow
}

type partRow struct {
	Name, Decisions string
	ERs             []partER
}

type partER struct{ ER, SE string }

func (v *pageView) addFiles(in *Input) error {
	for i := range in.Files {
		f := &in.Files[i]
		if len(f.File.Records) == 0 {
			continue
		}
		fv, err := viewFile(in, f)
		if err != nil {
			return err
		}
		v.Files = append(v.Files, fv)
		s := f.Scores[0].Summary()
		v.Tiles = append(v.Tiles, tile{"ER, " + fv.Class, fmt.Sprintf("%.2f", s.ER.Mean),
			fmt.Sprintf("± %.2f, %s decisions", s.ER.SE, fv.Decisions)})
	}
	return nil
}

func viewFile(in *Input, f *score.FileJudgment) (fileView, error) {
	v := fileView{Name: filepath.Base(f.File.Name), Class: f.File.Class().String(),
		Decisions: thousands(len(f.File.Records))}
	var es []estimate
	for i, s := range f.Scores {
		sum := s.Summary()
		name := in.label(s.Player)
		r := scoreRow{Player: name, ER: fmt.Sprintf("%.2f", sum.ER.Mean), SE: fmt.Sprintf("%.2f", sum.ER.SE),
			Wrong: percent(int64(sum.Wrong),
				int64(sum.Decisions)), Out: thousands(sum.Out), Total: fmt.Sprintf("%.2f", sum.Total)}
		if i > 0 {
			c, err := score.Compare(f.Scores[0], s)
			if err != nil {
				return fileView{}, err
			}
			d := c.Difference
			r.Difference, r.DifferenceSE = signed(0-d.Mean, 2), fmt.Sprintf("%.2f", d.SE)
			r.Same = percent(int64(c.Same), int64(sum.Decisions))
			switch {
			case -d.Mean < -2*d.SE:
				r.Verdict = "better"
			case -d.Mean > 2*d.SE:
				r.Verdict = "worse"
			default:
				r.Verdict = "even"
			}
		}
		v.Rows = append(v.Rows, r)
		v.Players = append(v.Players, name)
		es = append(es, estimate{name, sum.ER})
	}
	v.Bars = drawEstimates("Error rates on "+v.Name, es)
	for _, b := range []struct {
		title  string
		groups []score.Group
	}{
		{"By game plan of the player on roll", score.PlanGroups(f.File)},
		{"By class after the best play", score.ResultGroups(f.File)},
	} {
		p := partsView{Title: b.title}
		for _, g := range b.groups {
			row := partRow{Name: g.Name}
			for i, s := range f.Scores {
				sum := s.SummaryOf(g.Include)
				if i == 0 {
					row.Decisions = thousands(sum.Decisions)
				}
				row.ERs = append(row.ERs, partER{fmt.Sprintf("%.2f", sum.ER.Mean), fmt.Sprintf("%.2f", sum.ER.SE)})
			}
			p.Rows = append(p.Rows, row)
		}
		v.Parts = append(v.Parts, p)
	}
	return v, nil
}

// cubeView is a player's cube decisions.
type cubeView struct {
	Player, ER, SE, Double, Answer                       string
	Positions, WrongDoubles, Missed, WrongTakes, WrongPs int
}

func viewCube(name string, c *score.CubeScore) cubeView {
	f := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	return cubeView{name, f(c.ER.Mean), f(c.ER.SE), f(c.Double.Mean), f(c.Answer.Mean),
		c.Positions, c.WrongDoubles, c.MissedDoubles, c.WrongTakes, c.WrongPasses}
}

// calibrationView is the calibration of all players against one set of outputs.
type calibrationView struct {
	From, Positions, Noise string
	Players                []legend
	Plots                  []template.HTML
	Rows                   []calibrationRow
}

type legend struct {
	Name  string
	Color template.CSS
}

type calibrationRow struct {
	Player, What, Positions, Bias, RMS, Mean string
}

func viewCalibrations(in *Input) []calibrationView {
	var froms []string
	groups := map[string][]score.NetCalibration{}
	for _, c := range in.Calibrations {
		if c.Positions == 0 {
			continue
		}
		if groups[c.From] == nil {
			froms = append(froms, c.From)
		}
		groups[c.From] = append(groups[c.From], c)
	}
	colorOf := func(player string) string { return color(in.playerIndex(player)) }
	var out []calibrationView
	for _, from := range froms {
		cs := groups[from]
		v := calibrationView{From: filepath.Base(from), Positions: thousands(cs[0].Positions)}
		if n := cs[0].Noise; n > 0 {
			v.Noise = fmt.Sprintf("%.4f", n)
		}
		for _, c := range cs {
			v.Players = append(v.Players, legend{in.label(c.Player), template.CSS(colorOf(c.Player))})
			row := func(what string, n int, e score.ErrorStat) {
				v.Rows = append(v.Rows, calibrationRow{in.label(c.Player), what, thousands(n), signed(e.Bias, 4),
					fmt.Sprintf("%.4f", e.RMS), fmt.Sprintf("%.4f", e.MeanAbsolute)})
			}
			row("equity", c.Positions, c.Equity)
			for class := bg.Contact; class > bg.Over; class-- {
				if e, ok := c.Classes[class.String()]; ok {
					row("equity in "+class.String(), e.Positions, e.Equity)
				}
			}
			for _, t := range c.Themes {
				row("equity in "+t.String(), t.Positions, t.Equity)
			}
			for k := range c.Outputs {
				row(bg.OutputNames[k], c.Positions, c.Outputs[k].Error)
			}
		}
		for k := range bg.OutputNames {
			v.Plots = append(v.Plots, drawCalibration(bg.OutputNames[k], k, cs, colorOf))
		}
		out = append(out, v)
	}
	return out
}

// databaseView is what is in the training database.
type databaseView struct {
	Name, Rows, Size, Net, Command, Seed string
	Missing                              string
	Classes                              []classRow
	ClassNames                           []string
	Plans                                []planRow
	Methods, Sources                     []countRow
}

type classRow struct {
	Class, Rows, Share, WithOutputs, RolledOut, SE, Trials, Equity, Wins, Gammons string
}

type planRow struct {
	Plan, Positions, Share string
	Bar                    int // per cent of the most frequent plan
	Classes                []string
}

type countRow struct{ Value, Rows, Share string }

func viewDatabase(d *Database) *databaseView {
	in := d.Info
	v := &databaseView{Name: filepath.Base(in.Path), Rows: thousands(in.Rows),
		Size: stats.Bytes(in.Bytes),
		Net:  in.Net, Command: in.Command, Seed: in.Seed}
	if len(in.Missing) > 0 {
		v.Missing = fmt.Sprint(in.Missing)
	}
	orDash := func(n int64, format string, x float64) string {
		if n == 0 {
			return "–"
		}
		return strings.ReplaceAll(fmt.Sprintf(format, x), "-", "−")
	}
	for _, c := range in.Classes {
		v.Classes = append(v.Classes, classRow{c.Class, thousands(c.Rows), percent(c.Rows, in.Rows),
			percent(c.WithOutputs, c.Rows), percent(c.RolledOut, c.Rows),
			orDash(c.RolledOut, "%.4f", c.MeanSE), orDash(int64(c.MeanTrials), "%.0f", c.MeanTrials),
			orDash(c.WithOutputs, "%+.3f", c.MeanEquity), orDash(c.WithOutputs, "%.3f",
				c.WinRate), orDash(c.WithOutputs, "%.3f", c.GammonRate)})
	}
	most := 1
	for _, p := range d.Plans {
		most = max(most, p.Positions)
	}
	for class := bg.Contact; class > bg.Over; class-- {
		v.ClassNames = append(v.ClassNames, class.String())
	}
	for plan, p := range d.Plans {
		row := planRow{Plan: bg.Plan(plan).String(), Positions: thousands(p.Positions),
			Share: percent(int64(p.Positions), in.Rows),
			Bar:   100 * p.Positions / most}
		for class := bg.Contact; class > bg.Over; class-- {
			row.Classes = append(row.Classes, thousands(p.Classes[class]))
		}
		v.Plans = append(v.Plans, row)
	}
	v.Methods, v.Sources = countRows(in.Methods, in.Rows), countRows(in.Sources, in.Rows)
	return v
}

// countRows takes the most frequent values; the rest become one line.
func countRows(values []dataset.ValueCount, total int64) []countRow {
	const most = 12
	var out []countRow
	var rest int64
	for i, c := range values {
		if i >= most {
			rest += c.Rows
			continue
		}
		name := c.Value
		if name == "" {
			name = "(not said)"
		}
		out = append(out, countRow{name, thousands(c.Rows), percent(c.Rows, total)})
	}
	if rest > 0 {
		out = append(out, countRow{fmt.Sprintf("%d more", len(values)-most), thousands(rest), percent(rest, total)})
	}
	return out
}
