package serve

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"bgtrain/benchmark/report"
	"bgtrain/benchmark/score"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

//go:embed pages/*.html
var pageFiles embed.FS

// Settings are what a server shows.
type Settings struct {
	Player  *player.Player  // evaluates positions and scores benchmark files, unless a request chooses another
	Name    string          // of the player, as the page shows it
	NetPath string          // of its net; "": none of the others
	Rollout rollout.Options // of rollouts, unless a request chooses others; Small is of Player
	Matches string          // directory in which matches are kept; "": none

	// OpenNet opens another net for requests to choose, by the path of one named in Files or
	// a name in Nets, of those that ship with the program; nil: there is only Player.
	OpenNet func(ctx context.Context, path string) (Opened, error)
	Nets    []string

	// databases, benchmark files, learning curves, nets (for their curves), runs of grow,
	// directories of these; empty: what ships with the program
	Files   []string
	Workers int           // goroutines of one rollout or score; 0: one
	Token   string        // what a browser has to show before it sees anything; "": nothing
	Hosts   []string      // names under which requests may come, without port; empty: those of this machine
	Refresh time.Duration // between looks at the files; 0: two seconds
	Idle    time.Duration // before a connection without a request is closed; 0: a minute
}

// Server is the pages.
type Server struct {
	s      Settings
	pages  map[string]*template.Template
	limits limits

	scores cache[*score.Score] // of benchmark files
	infos  cache[describedDatabase]
	made   cache[map[string]string] // how nets of curves were made
	last   groupCache               // belongs to the turn to read

	nets    netCache
	matches matches
}

// New returns a server. Every file named must be there, or be a net whose training
// may still make it.
func New(s Settings) (*Server, error) {
	if s.Player == nil {
		return nil, errors.New("serve: no player")
	}
	if s.Refresh == 0 {
		s.Refresh = 2 * time.Second
	}
	if s.Idle == 0 {
		s.Idle = time.Minute
	}
	s.Workers = max(s.Workers, 1)
	v := &Server{s: s, pages: map[string]*template.Template{}, limits: newLimits(),
		nets:    netCache{held: map[string]*loadedNet{}, own: loadedNet{Opened: Opened{s.Player, s.Rollout.Small}}},
		matches: matches{all: map[string]*heldMatch{}, now: time.Now}}
	if _, err := v.sources(); err != nil {
		return nil, err
	}
	for _, name := range []string{"board", "play", "runs", "grown", "database", "decisions", "api", "problem"} {
		t := template.Must(template.New("frame.html").Parse(report.GrownHTML + report.PlaysHTML))
		t, err := t.ParseFS(pageFiles, "pages/frame.html", "pages/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("serve: %w", err)
		}
		v.pages[name] = t
	}
	return v, nil
}

// Handler answers requests.
func (v *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", v.page("board", v.board))
	mux.HandleFunc("GET /play", v.page("play", v.play))
	mux.HandleFunc("GET /runs", v.page("runs", v.runs))
	mux.HandleFunc("GET /grown", v.page("grown", v.grown))
	mux.HandleFunc("GET /database", v.page("database", v.database))
	mux.HandleFunc("GET /decisions", v.page("decisions", v.decisions))
	mux.HandleFunc("GET /events", v.events)
	v.api(mux)
	mux.HandleFunc("POST /api/matches", v.answer(v.beginMatch))
	mux.HandleFunc("GET /api/matches/{id}", v.answer(v.oneMatch))
	mux.HandleFunc("POST /api/matches/{id}/{do}", v.answer(v.matchAction))
	mux.HandleFunc("GET /api/matches/{id}/hint", v.answer(v.hint))
	mux.HandleFunc("GET /api/matches/{id}/match.mat", v.download)
	mux.HandleFunc("GET /api/matches/{id}/analysis", v.analysis)
	v.scripts(mux)
	return v.guard(mux)
}

// text serves a text that is part of the program.
func text(kind, content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, content)
	}
}

// frame is what every page has around its content.
type frame struct {
	Title  string
	Here   string // name of the page
	Player string
	Since  string // state of the files that it shows, of a page that follows them
	Body   any

	Scripts []string // in their order
}

// scriptsOf are the scripts of a page, the same for all that have none of their own.
func scriptsOf(page string) []string {
	switch page {
	case "board":
		return []string{"game", "api", "state", "mover", "values", "rollouts", "board"}
	case "play":
		return []string{"game", "api", "mover", "values", "play"}
	}
	return []string{"live"}
}

// live are the pages that follow no files.
var live = map[string]bool{"board": true, "play": true, "api": true}

// problem is a mistake in what the request asks for.
type problem struct{ error }

func problemf(format string, args ...any) error { return problem{fmt.Errorf(format, args...)} }

// page answers with a page whose content body finds.
func (v *Server) page(name string, body func(*http.Request) (title string, content any, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		done, err := turn(r.Context(), v.limits.pages)
		if err != nil {
			return
		}
		defer func() { done() }()
		since := "" // from before the content: what changes meanwhile counts as a change
		if !live[name] {
			since = v.state()
		}
		title, content, err := body(r)
		status := http.StatusOK
		var mistake problem
		shown := name
		switch {
		case err == nil:
		case errors.As(err, &mistake):
			status, shown, title, content = http.StatusBadRequest, "problem", "That does not work", err.Error()
		case r.Context().Err() != nil:
			return
		default:
			status, shown, title, content = http.StatusInternalServerError, "problem", "Something is wrong", err.Error()
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		f := frame{Title: title, Here: name, Player: v.s.Name, Since: since, Body: content, Scripts: scriptsOf(shown)}
		var page bytes.Buffer
		_ = v.pages[shown].Execute(&page, f) // a template at fault is found by tests
		done()
		done = func() {} // who reads slowly holds nobody up
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		_, _ = page.WriteTo(w)
	}
}

// cache keeps what was computed from files until these change, of maxKept files.
type cache[T any] struct {
	mu   sync.Mutex
	kept map[string]dated[T] // by path
	uses int
}

// dated is what was computed from a file of a time.
type dated[T any] struct {
	value T
	at    time.Time
	used  int // the cache's uses by then
}

// of returns what compute makes of a file, or made of it as it is.
func (c *cache[T]) of(ctx context.Context, v *Server, s *source, compute func() (T, error)) (value T, err error) {
	at, err := s.modified()
	if err != nil {
		return value, err
	}
	if value, ok := c.find(s.path, at); ok {
		return value, nil
	}
	done, err := v.heavy(ctx)
	if err != nil {
		return value, err
	}
	defer done()
	if value, ok := c.find(s.path, at); ok { // meanwhile
		return value, nil
	}
	if value, err = compute(); err != nil {
		return value, err
	}
	c.keep(s.path, dated[T]{value: value, at: at})
	return value, nil
}

// find returns what is kept of a file of a time.
func (c *cache[T]) find(path string, at time.Time) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.kept[path]
	if !ok || !d.at.Equal(at) {
		return value, false
	}
	c.uses++
	d.used = c.uses
	c.kept[path] = d
	return d.value, true
}

// keep keeps what was computed of a file, in place of what was not used for longest.
func (c *cache[T]) keep(path string, d dated[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		c.kept = map[string]dated[T]{}
	}
	c.uses++
	d.used = c.uses
	c.kept[path] = d
	if len(c.kept) <= maxKept {
		return
	}
	oldest := path
	for p, k := range c.kept {
		if k.used < c.kept[oldest].used {
			oldest = p
		}
	}
	delete(c.kept, oldest)
}
