package serve

import (
	"context"
	"fmt"
	"net/http"
	"sort"
	"strconv"

	"bgtrain/benchmark/opponents"
	"bgtrain/benchmark/report"
	"bgtrain/benchmark/score"
	"bgtrain/internal/bg"
)

// decisionsView is the page of a benchmark file.
type decisionsView struct {
	Sources   []source
	Name      string
	Figures   []value
	Plans     []choice
	Least     string // points: what is shown loses at least so much
	Shown     string
	Decisions []report.Decision
	Next      string
}

// decisions shows what the player does on a benchmark file, the worst first.
func (v *Server) decisions(r *http.Request) (string, any, error) {
	q := r.URL.Query()
	list, one, err := v.ofKind(benchmark, q.Get("file"))
	if err != nil || one == nil {
		return "Decisions", &decisionsView{}, err
	}
	page, err := pageOf(q)
	if err != nil {
		return "", nil, err
	}
	least := 0.0
	if text := q.Get("least"); text != "" {
		if least, err = strconv.ParseFloat(text, 64); err != nil || !(least >= 0 && least <= 10) {
			return "", nil, problemf("least=%q: points from 0 to 10 expected", text)
		}
	}
	plan := q.Get("plan")
	if plan != "" {
		if _, err := bg.ParsePlan(plan); err != nil {
			return "", nil, problem{err}
		}
	}
	s, err := v.scores.of(r.Context(), v, one, func() (*score.Score, error) { return v.score(r.Context(), one) })
	if err != nil {
		return "", nil, err
	}
	sum := s.Summary()
	view := &decisionsView{Sources: list, Name: one.Name, Least: q.Get("least"), Figures: []value{
		{"decisions", fmt.Sprint(sum.Decisions)}, {"error rate", fmt.Sprintf("%.2f ± %.2f", sum.ER.Mean, sum.ER.SE)}}}
	for _, g := range score.PlanGroups(s.File) {
		of := s.SummaryOf(g.Include)
		u := copyOf(q, "file", "least", "plan")
		u.Set("plan", g.Name)
		if plan == g.Name {
			u.Del("plan")
		}
		view.Plans = append(view.Plans, choice{Name: g.Name, Here: plan == g.Name, URL: "/decisions?" + u.Encode(),
			Count: fmt.Sprintf("%d, ER %.2f", of.Decisions, of.ER.Mean)})
	}
	chosen := choose(s, plan, least)
	view.Shown = fmt.Sprint(len(chosen))
	end := min(len(chosen), (page+1)*boardsShown)
	for rank := page * boardsShown; rank < end; rank++ {
		d, err := report.ViewDecision([]*score.Score{s}, chosen[rank], rank+1)
		if err != nil {
			return "", nil, err
		}
		view.Decisions = append(view.Decisions, d)
	}
	if end < len(chosen) {
		u := copyOf(q, "file", "least", "plan")
		u.Set("page", fmt.Sprint(page+1))
		view.Next = "/decisions?" + u.Encode()
	}
	return "Decisions " + one.Name, view, nil
}

// choose lists the decisions of a plan ("": of all) that lost at least so much, the
// worst first.
func choose(s *score.Score, plan string, least float64) []int {
	var chosen []int
	for i := range s.Decisions {
		if s.Decisions[i].Loss < least {
			continue
		}
		if plan != "" {
			b, err := s.File.Records[i].Key.Board()
			if err != nil || bg.PlanOf(&b).String() != plan {
				continue
			}
		}
		chosen = append(chosen, i)
	}
	sort.SliceStable(chosen, func(a, b int) bool { return s.Decisions[chosen[a]].Loss > s.Decisions[chosen[b]].Loss })
	return chosen
}

// score lets the player decide a benchmark file.
func (v *Server) score(ctx context.Context, of *source) (*score.Score, error) {
	f, err := of.readBenchmark()
	if err != nil {
		return nil, err
	}
	p := &opponents.NetPlayer{Net: v.s.Player, Label: v.s.Name}
	return score.File(ctx, p, f, score.Options{Workers: v.s.Workers})
}
