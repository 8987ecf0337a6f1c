package serve

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

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
	at, err := one.modified()
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
	more, err := v.fill(r.Context(), view, db, at, want, page)
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
	class  *bg.Class // nil: all
	plan   string
	source *string
}

// all reports whether any position is wanted.
func (w *wanted) all() bool { return w.class == nil && w.plan == "" && w.source == nil }

// has reports whether a row is wanted.
func (w *wanted) has(row *dataset.Row, b *bg.Board) bool {
	return (w.class == nil || row.Class == *w.class) && (w.source == nil || row.Source == *w.source) &&
		(w.plan == "" || bg.PlanOf(b).String() == w.plan)
}

func wantedOf(q url.Values) (w wanted, err error) {
	w.plan = q.Get("plan")
	if class := q.Get("class"); class != "" {
		c, err := dataset.ParseClass(class)
		if err != nil {
			return w, problem{err}
		}
		w.class = &c
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

// errFull ends the search for the positions of a page.
var errFull = errors.New("the page is full")

// fill finds the positions of a page of a database as it was at a time, and whether there
// are more.
func (v *Server) fill(ctx context.Context, view *databaseView, db *dataset.DB, at time.Time, want wanted,
	page int) (more bool, err error) {
	skip := page * boardsShown
	for i := range db.RowGroups() {
		if n := db.RowGroupRows(i); want.all() && skip >= n {
			skip -= n
			continue
		}
		err := v.group(ctx, db, at, i, func(rows *dataset.Batch) error {
			for k := range rows.Len() {
				row := rows.Row(k)
				b, err := row.Key.Board()
				switch {
				case err != nil:
					return fmt.Errorf("%s: position %s: %w", db.Path(), row.Key, err)
				case !want.has(&row, &b):
				case skip > 0:
					skip--
				case len(view.Positions) == boardsShown:
					return errFull
				default:
					view.Positions = append(view.Positions, viewPosition(&row, &b))
				}
			}
			return nil
		})
		if errors.Is(err, errFull) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

func viewPosition(row *dataset.Row, b *bg.Board) positionView {
	p := positionView{ID: row.Key.PositionID(), Class: row.Class.String(), Plan: bg.PlanOf(b).String(),
		Method: row.Method, Source: row.Source, Board: template.HTML(report.Board(b, report.Drawing{}))}
	if row.HasOutputs {
		p.Equity = strings.Replace(fmt.Sprintf("%+.3f", row.Outputs.Equity()), "-", "−", 1)
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
