package serve

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"bgtrain/data"
	"bgtrain/internal/nets"
	"bgtrain/trainer/curve"
)

// runsView is the page of training runs: some over each other, and how all of them are.
type runsView struct {
	Choose  []link // each adds a run to those compared, or takes it away
	Smooth  []link
	Scale   []link
	Legend  []legendEntry
	Plots   []template.HTML
	Names   []string // of those compared
	Differ  []differing
	Unknown string // runs whose settings are not known
	Runs    []runView
}

type legendEntry struct{ Name, Color string }

// differing is a setting that is not the same in all runs.
type differing struct {
	Name   string
	Values []string // "" where a run has none
}

// scales of the vertical axis, by their names in addresses.
var scales = []struct {
	name, text string
	scale      curve.Scale
}{{"", "as it fits", curve.Auto}, {"log", "logarithmic", curve.Log}, {"linear", "linear", curve.Linear}}

// smoothings are the points of running means that may be chosen.
var smoothings = []int{1, 3, 9, 27}

// runs shows the learning curves, those of runs under way too, newest first.
func (v *Server) runs(r *http.Request) (string, any, error) {
	const title = "Training runs"
	all, _, err := v.ofKind(curveFile, "")
	if err != nil {
		return "", nil, err
	}
	var runs []*source
	views := map[*source]runView{}
	now := time.Now()
	for i := range all {
		runs = append(runs, &all[i])
		views[&all[i]] = viewRun(&all[i], now)
	}
	slices.SortStableFunc(runs, func(x, y *source) int { return views[y].at.Compare(views[x].at) })
	q := r.URL.Query()
	smooth, err := number(q, "smooth", 1, 1000, 1)
	if err != nil {
		return "", nil, err
	}
	scale := slices.IndexFunc(scales, func(s struct {
		name, text string
		scale      curve.Scale
	}) bool {
		return s.name == q.Get("scale")
	})
	if scale < 0 {
		return "", nil, problemf("scale=%q: log or linear expected", q.Get("scale"))
	}
	view := &runsView{}
	var compared []*source
	for _, s := range runs {
		view.Runs = append(view.Runs, views[s])
	}
	if compared, err = chooseRuns(runs, q["run"]); err != nil {
		return "", nil, err
	}
	view.addLinks(runs, compared, views, q, smooth, scales[scale].name)
	var chosen []runView
	for i, s := range compared {
		chosen = append(chosen, views[s])
		view.Legend = append(view.Legend, legendEntry{views[s].Name, curve.Color(i)})
		view.Names = append(view.Names, views[s].Name)
	}
	if err := view.draw(chosen, smooth, scales[scale].scale); err != nil {
		return "", nil, err
	}
	if len(compared) > 1 {
		err = v.differences(r.Context(), view, compared)
	}
	return title, view, err
}

// chooseRuns returns the runs that are asked for, the newest where none is.
func chooseRuns(runs []*source, asked []string) ([]*source, error) {
	if len(asked) == 0 {
		return runs[:min(len(runs), runsShown)], nil
	}
	var chosen []*source
	for _, s := range runs {
		if slices.Contains(asked, s.Name) {
			chosen = append(chosen, s)
		}
	}
	for _, name := range asked {
		if !slices.ContainsFunc(runs, func(s *source) bool { return s.Name == name }) {
			return nil, problemf("nothing called %q is shown here", name)
		}
	}
	return chosen, nil
}

// addLinks adds the choices.
func (v *runsView) addLinks(runs, chosen []*source, views map[*source]runView, q url.Values, smooth int, scale string) {
	var names []string
	for _, s := range chosen {
		names = append(names, s.Name)
	}
	address := func(name string, values ...string) string {
		u := copyOf(q, "run", "smooth", "scale")
		u.Del(name)
		for _, value := range values {
			u.Add(name, value)
		}
		return "/runs?" + u.Encode()
	}
	for _, s := range runs {
		here := slices.Contains(names, s.Name)
		others := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == s.Name })
		if !here {
			others = append(others, s.Name)
		}
		v.Choose = append(v.Choose, link{views[s].Name, address("run", others...), here})
	}
	for _, n := range smoothings {
		text := fmt.Sprintf("mean of %d", n)
		if n == 1 {
			text = "none"
		}
		v.Smooth = append(v.Smooth, link{text, address("smooth", fmt.Sprint(n)), n == smooth})
	}
	for _, s := range scales {
		values := []string{s.name}
		if s.name == "" {
			values = nil
		}
		v.Scale = append(v.Scale, link{s.text, address("scale", values...), s.name == scale})
	}
}

// draw draws the curves of the same kind of all runs over each other.
func (v *runsView) draw(runs []runView, smooth int, scale curve.Scale) error {
	var charts []*curve.Chart
	at := map[string]*curve.Chart{}
	for i := range runs {
		for _, c := range runs[i].curve.Charts {
			for _, s := range c.Series {
				if len(runs) > 1 && (s.Name == "training" || s.Name == "mean") {
					continue // enough to compare without
				}
				title := strings.TrimSuffix(c.Title+", "+s.Name, ", ")
				chart := at[title]
				if chart == nil {
					chart = &curve.Chart{Title: title, X: c.X, Y: c.Y, Scale: scale, Series: make([]curve.Series, len(runs))}
					at[title] = chart
					charts = append(charts, chart)
				}
				chart.Series[i] = smoothed(s, smooth)
			}
		}
	}
	for _, c := range charts {
		var svg strings.Builder
		if err := curve.WriteSVG(&svg, "", 1, *c); err != nil {
			return err
		}
		v.Plots = append(v.Plots, template.HTML(svg.String()))
	}
	return nil
}

// smoothed is a series whose points are means of so many, its name left to the legend. A
// curve of several runs, one after the other, begins anew with each.
func smoothed(s curve.Series, of int) curve.Series {
	out := curve.Series{}
	first := 0 // of the run
	for i := range s.Y {
		if i > 0 && s.X[i] <= s.X[i-1] {
			first = i
			out.X, out.Y = append(out.X, math.NaN()), append(out.Y, math.NaN())
			if s.SE != nil {
				out.SE = append(out.SE, math.NaN())
			}
		}
		from := max(first, i+1-of)
		sum := 0.0
		for _, y := range s.Y[from : i+1] {
			sum += y
		}
		out.X, out.Y = append(out.X, s.X[i]), append(out.Y, sum/float64(i+1-from))
		if s.SE != nil {
			out.SE = append(out.SE, s.SE[i])
		}
	}
	if of > 1 {
		out.SE = nil // of a mean it would be another
	}
	return out
}

// differences adds the settings that differ, as far as the nets of the runs say.
func (v *Server) differences(ctx context.Context, view *runsView, runs []*source) error {
	made := make([]map[string]string, len(runs))
	names := map[string]bool{}
	var unknown []string
	for i, s := range runs {
		var err error
		if made[i], err = v.howMade(ctx, s); err != nil {
			return err
		}
		if made[i] == nil {
			unknown = append(unknown, view.Names[i])
		}
		for name := range made[i] {
			names[name] = true
		}
	}
	view.Unknown = strings.Join(unknown, ", ")
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d := differing{Name: name}
		some := map[string]bool{}
		for i := range made {
			d.Values = append(d.Values, made[i][name])
			if made[i][name] != "" {
				some[made[i][name]] = true
			}
		}
		if len(some) > 1 {
			view.Differ = append(view.Differ, d)
		}
	}
	view.Differ = together(view.Differ)
	return nil
}

// together makes one row of those that say the same of several nets.
func together(rows []differing) (out []differing) {
	at := map[string]int{}
	for _, d := range rows {
		role, name, _ := strings.Cut(d.Name, ": ")
		key := name + "\x00" + strings.Join(d.Values, "\x00")
		if i, ok := at[key]; ok {
			roles, _, _ := strings.Cut(out[i].Name, ": ")
			out[i].Name = roles + ", " + role + ": " + name
			continue
		}
		at[key] = len(out)
		out = append(out, d)
	}
	return out
}

// howMade returns the settings of a run as its net says, nil where there is no net yet.
func (v *Server) howMade(ctx context.Context, s *source) (map[string]string, error) {
	net := &source{path: strings.TrimSuffix(s.path, curveSuffix), shipped: s.shipped}
	set := func() (*nets.Set, error) { return nets.Read(net.path) }
	if s.shipped {
		set = func() (*nets.Set, error) {
			set, _, err := data.Net(strings.TrimSuffix(s.Name, ".jsonl"))
			return set, err
		}
	}
	made, err := v.made.of(ctx, v, net, func() (map[string]string, error) {
		set, err := set()
		if err != nil || set == nil {
			return nil, err
		}
		return settingsOf(set), nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return made, err
}

// mostOfSetting is how many letters of a setting are shown.
const mostOfSetting = 80

// settingsOf returns how the nets of a player are made and were trained, by the net's role
// and the name of the setting.
func settingsOf(set *nets.Set) map[string]string {
	all := map[string]string{}
	put := func(name, text string) {
		if r := []rune(text); len(r) > mostOfSetting {
			text = string(r[:mostOfSetting]) + " …"
		}
		all[name] = text
	}
	d := set.Describe()
	for _, n := range d.Nets {
		if !slices.Contains(nets.Main[:], n.Role) {
			continue // pruning nets
		}
		role := string(n.Role) + ": "
		put(role+"inputs", n.Inputs)
		put(role+"layers", strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Sizes), " ", "-"), "[]"))
		put(role+"activations", strings.Join(n.Activations, " "))
		for _, key := range []string{"data", "parent", "seed", "command"} {
			if text := n.Provenance[key]; text != "" {
				put(role+key, text)
			}
		}
		for _, word := range strings.Fields(n.Provenance["settings"]) {
			if name, text, ok := strings.Cut(word, "="); ok {
				put(role+name, text)
			}
		}
	}
	return all
}
