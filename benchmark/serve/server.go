package serve

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"bgtrain/benchmark/report"
	"bgtrain/internal/player"
	"bgtrain/rollout"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed app.css
var appCSS string

//go:embed app.js
var appJS string

// Settings say what a server shows.
type Settings struct {
	Player  *player.Player  // evaluates positions and scores benchmark files
	Name    string          // of the player, as the page shows it
	Rollout rollout.Options // of the board's rollouts; Trials is their number altogether
	// databases, benchmark files, learning curves, nets (for their curves), directories of these
	Files   []string
	Workers int           // goroutines of one rollout or score; 0: one
	Token   string        // what a browser has to show before it sees anything; "": nothing
	Hosts   []string      // names under which requests may come, without port; empty: those of this machine
	Refresh time.Duration // between looks at the files; 0: two seconds
}

// Server is the pages.
type Server struct {
	s     Settings
	pages map[string]*template.Template
	work  chan struct{} // one heavy computation at a time

	mu     sync.Mutex
	scores map[string]scored // by the path of a benchmark file
	infos  map[string]describedDatabase
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
	s.Workers = max(s.Workers, 1)
	v := &Server{s: s, pages: map[string]*template.Template{}, work: make(chan struct{}, 1),
		scores: map[string]scored{}, infos: map[string]describedDatabase{}}
	if _, err := v.sources(); err != nil {
		return nil, err
	}
	for _, name := range []string{"board", "runs", "database", "decisions", "problem"} {
		t, err := template.New("frame.html").ParseFS(pageFiles, "pages/frame.html", "pages/"+name+".html")
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
	mux.HandleFunc("GET /runs", v.page("runs", v.runs))
	mux.HandleFunc("GET /database", v.page("database", v.database))
	mux.HandleFunc("GET /decisions", v.page("decisions", v.decisions))
	mux.HandleFunc("GET /events", v.events)
	mux.HandleFunc("GET /rollout", v.rollout)
	mux.HandleFunc("GET /app.css", text("text/css; charset=utf-8", report.Style+appCSS))
	mux.HandleFunc("GET /app.js", text("text/javascript; charset=utf-8", appJS))
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
}

// problem is a mistake in what the request asks for.
type problem struct{ err error }

// Error returns the mistake as the page shows it.
func (p problem) Error() string { return p.err.Error() }

func problemf(format string, args ...any) error { return problem{fmt.Errorf(format, args...)} }

// page answers with a page whose content body finds.
func (v *Server) page(name string, body func(*http.Request) (title string, content any, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		since := "" // before the content: what changes meanwhile is told
		if name != "board" {
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
		f := frame{Title: title, Here: name, Player: v.s.Name, Since: since, Body: content}
		// The browser went away, or the template is at fault, which tests find.
		_ = v.pages[shown].Execute(w, f)
	}
}

// heavy waits for its turn to compute much; done gives the turn back.
func (v *Server) heavy(ctx context.Context) (done func(), err error) {
	select {
	case v.work <- struct{}{}:
		return func() { <-v.work }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
