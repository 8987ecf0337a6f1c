package serve

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"

	"bgtrain/benchmark/report"
	"bgtrain/dataset"
	"bgtrain/internal/bg"
)

// boardsShown is how many positions a page has.
const boardsShown = 12

// describedDatabase is what is in a database.
type describedDatabase struct {
	info  *dataset.Info
	plans [bg.NumPlans]int
}

// databaseView is the page of a database.
type databaseView struct {
	Sources    []source
	Name       string
	Rows       int64
	Command    string
	Missing    string
	Classes    []choice
	Plans      []choice
	Origins    []choice
	Positions  []positionView
	Page, Next string
}

// choice is a value that the positions can be limited to.
type choice struct {
	Name, Count, URL string
	Here             bool
}

// positionView is a position of a database, drawn.
type positionView struct {
	ID, Class, Plan, Equity, SE, Method, Source string
	Board                                       template.HTML
}

// database shows what is in a database, and positions of the class, plan and source asked for.
func (v *Server) database(r *http.Request) (string, any, error) {
	q := r.URL.Query()
	list, one, err := v.ofKind(database, q.Get("db"))
	if err != nil || one == nil {
		return "Database", &databaseView{}, err
	}
	page, err := pageOf(q)
	if err != nil {
		return "", nil, err
	}
	want, err := wantedOf(q)
	if err != nil {
		return "", nil, err
	}
	db, err := one.openDatabase()
	if err != nil {
		return "", nil, err
	}
	d, err := v.infos.of(r.Context(), v, one, func() (describedDatabase, error) { return describe(r.Context(), db) })
	if err != nil {
		return "", nil, err
	}
	view := &databaseView{Sources: list, Name: one.Name, Rows: d.info.Rows, Command: d.info.Command}
	if n := len(d.info.Missing); n > 0 {
		view.Missing = fmt.Sprintf("%d of %d parts are missing", n, d.info.Total)
	}
	view.offer(q, &d)
	more, err := view.fill(r.Context(), db, want, page)
	if err != nil {
		return "", nil, err
	}
	view.Page = fmt.Sprint(page + 1)
	if more {
		u := copyOf(q, "db", "class", "plan", "source")
		u.Set("page", fmt.Sprint(page+1))
		view.Next = "/database?" + u.Encode()
	}
	return "Database " + one.Name, view, nil
}

// offer lists the values that the positions can be limited to.
func (view *databaseView) offer(q url.Values, d *describedDatabase) {
	choose := func(key, value, shown string, n int64) choice {
		c := choice{Name: shown, Count: fmt.Sprint(n), Here: q.Get(key) == value}
		u := copyOf(q, "db", "class", "plan", "source")
		u.Set(key, value)
		if c.Here {
			u.Del(key)
		}
		c.URL = "/database?" + u.Encode()
		return c
	}
	for _, c := range d.info.Classes {
		view.Classes = append(view.Classes, choose("class", c.Class, c.Class, c.Rows))
	}
	for p, n := range d.plans {
		if n > 0 {
			view.Plans = append(view.Plans, choose("plan", bg.Plan(p).String(), bg.Plan(p).String(), int64(n)))
		}
	}
	for _, s := range d.info.Sources {
		shown := s.Value
		if shown == "" {
			shown = "not said"
		}
		view.Origins = append(view.Origins, choose("source", s.Value, shown, s.Rows))
	}
}

// describe reads a database.
func describe(ctx context.Context, db *dataset.DB) (d describedDatabase, err error) {
	full, err := report.DescribeDatabase(ctx, db)
	if err != nil {
		return d, err
	}
	d.info = full.Info
	for p := range full.Plans {
		d.plans[p] = full.Plans[p].Positions
	}
	return d, nil
}

// wanted is which positions are asked for.
type wanted struct {
	classes []bg.Class // nil: all
	plan    string
	source  *string
}

func wantedOf(q url.Values) (w wanted, err error) {
	w.plan = q.Get("plan")
	if class := q.Get("class"); class != "" {
		c, err := dataset.ParseClass(class)
		if err != nil {
			return w, problem{err}
		}
		w.classes = []bg.Class{c}
	}
	if w.plan != "" {
		if _, err := bg.ParsePlan(w.plan); err != nil {
			return w, problem{err}
		}
	}
	if q.Has("source") {
		s := q.Get("source")
		w.source = &s
	}
	return w, nil
}

// fill finds the positions of a page, and whether there are more.
func (view *databaseView) fill(ctx context.Context, db *dataset.DB, want wanted, page int) (more bool, err error) {
	filter := dataset.Filter{Partial: true, Classes: want.classes}
	skip := page * boardsShown
	for row, err := range db.Rows(ctx, filter) {
		if err != nil {
			return false, err
		}
		if want.source != nil && row.Source != *want.source {
			continue
		}
		b, err := row.Key.Board()
		if err != nil {
			return false, fmt.Errorf("%s: position %s: %w", db.Path(), row.Key, err)
		}
		if want.plan != "" && bg.PlanOf(&b).String() != want.plan {
			continue
		}
		switch {
		case skip > 0:
			skip--
		case len(view.Positions) == boardsShown:
			return true, nil
		default:
			view.Positions = append(view.Positions, viewPosition(&row, &b))
		}
	}
	return false, nil
}

func viewPosition(row *dataset.Row, b *bg.Board) positionView {
	p := positionView{ID: row.Key.PositionID(), Class: row.Class.String(), Plan: bg.PlanOf(b).String(),
		Method: row.Method, Source: row.Source, Board: template.HTML(report.Board(b, report.Drawing{}))}
	if row.HasOutputs {
		p.Equity = fmt.Sprintf("%+.3f", row.Outputs.Equity())
	}
	if row.HasSE {
		p.SE = fmt.Sprintf("± %.4f", row.EquitySE)
	}
	return p
}

// pageOf is the number of the page asked for, from 0.
func pageOf(q url.Values) (int, error) {
	if !q.Has("page") {
		return 0, nil
	}
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil || n < 0 || n > 1e6 {
		return 0, problemf("page=%q: a number from 0 expected", q.Get("page"))
	}
	return n, nil
}

// copyOf returns the parameters named.
func copyOf(q url.Values, names ...string) url.Values {
	u := url.Values{}
	for _, n := range names {
		if q.Has(n) {
			u.Set(n, q.Get(n))
		}
	}
	return u
}
