package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"bgtrain/benchmark/report"
	"bgtrain/data"
	"bgtrain/trainer/grow"
)

// runsShown is how many runs are shown over each other unless a request chooses.
const runsShown = 6

// grownView is the page of the runs of grow.
type grownView struct {
	Recipes []recipe // where there are no runs

	Runs   []link // each adds a run to those shown, or takes it away
	Clocks []link
	Shown  string
	Grown  *report.Grown
}

// recipe is one that grow has by its name.
type recipe struct{ Name, Text string }

// grown shows runs of grow, those under way too.
func (v *Server) grown(r *http.Request) (string, any, error) {
	const title = "Grown players"
	all, _, err := v.ofKind(grownRun, "")
	if err != nil || len(all) == 0 {
		view := &grownView{}
		for _, name := range data.RecipeNames() {
			view.Recipes = append(view.Recipes, recipe{name, data.RecipeTitle(name)})
		}
		return title, view, err
	}
	q := r.URL.Query()
	chosen, err := chosenRuns(all, q["run"])
	if err != nil {
		return "", nil, err
	}
	clock := grow.Processors
	switch text := q.Get("time"); text {
	case "", string(grow.Processors):
	case string(grow.Wall):
		clock = grow.Wall
	default:
		return "", nil, problemf("time=%q: %s or %s expected", text, string(grow.Processors), string(grow.Wall))
	}
	address := func(runs []string, c grow.Clock) string {
		return "/grown?" + url.Values{"run": runs, "time": {string(c)}}.Encode()
	}
	view := &grownView{Shown: strings.Join(chosen, ", ")}
	var runs []report.GrownRun
	for _, s := range all {
		here := slices.Contains(chosen, s.Name)
		others := slices.DeleteFunc(slices.Clone(chosen), func(name string) bool { return name == s.Name })
		if !here {
			others = append(others, s.Name)
		}
		view.Runs = append(view.Runs, link{s.Name, address(others, clock), here})
		if here {
			run := report.GrownRun{Name: s.Name}
			run.Seen, run.Problem = grow.Look(s.path)
			runs = append(runs, run)
		}
	}
	for _, c := range []grow.Clock{grow.Processors, grow.Wall} {
		view.Clocks = append(view.Clocks, link{c.String(), address(chosen, c), c == clock})
	}
	view.Grown, err = report.ViewGrown(runs, time.Now(), clock)
	return title, view, err
}

// chosenRuns returns the names of the runs that a request asks for, the first ones
// where it does not say.
func chosenRuns(all []source, asked []string) (names []string, err error) {
	for _, name := range asked {
		if !slices.ContainsFunc(all, func(s source) bool { return s.Name == name }) {
			return nil, problemf("nothing called %q is shown here", name)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return names, nil
	}
	for _, s := range all[:min(len(all), runsShown)] {
		names = append(names, s.Name)
	}
	return names, nil
}
