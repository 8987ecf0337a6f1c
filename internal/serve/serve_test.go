package serve

import (
	"bufio"
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/player"
	"bgtrain/rollout"
	"bgtrain/trainer/curve"
)

// testServer serves a small random player and files of a temporary directory.
func testServer(t *testing.T, change func(*Settings)) *httptest.Server {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir)
	o := rollout.DefaultOptions()
	o.Trials, o.Truncate = 72, 3
	s := Settings{Player: testPlayer(t), Name: "small", Rollout: o, Files: []string{dir}, Workers: 2,
		Refresh: 10 * time.Millisecond}
	if change != nil {
		change(&s)
	}
	v, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(v.Handler())
	t.Cleanup(server.Close)
	return server
}

func testPlayer(t *testing.T) *player.Player {
	t.Helper()
	return bgtest.Player(t, 1)
}

// writeFiles writes a database, a benchmark file, two curves and two runs of grow.
func writeFiles(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("../../trainer/grow/testdata/runs")); err != nil {
		t.Fatal(err)
	}
	w, err := dataset.Create(filepath.Join(dir, "positions.parquet"),
		dataset.Options{Meta: dataset.Meta{Command: "bgtrain <test>"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	seen := map[bg.Key]bool{}
	for _, b := range bgtest.Positions(200) {
		if seen[b.Key()] {
			continue
		}
		seen[b.Key()] = true
		row := dataset.Row{Key: b.Key(), Class: dataset.ClassOf(&b), HasOutputs: true, Outputs: bg.Outputs{0.5, 0.1},
			Method: "test", Source: "<i>&"}
		if err := w.Write(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mine.bm": "m NGGOAGAEAGDGOPAGJAAA 5 3 DGOPEGCAAANGGOAGAAED 0.642309 DGOPAGAGAANGGOAGAEAG 0.075863\n",
		"net.safetensors.curve.jsonl": `{"net":"contact","epoch":0,"of_epochs":10,"rms_equity_error":0.5,"seconds":0}
{"net":"contact","epoch":2,"of_epochs":10,"rms_equity_error":0.4,"seconds":30}
`,
		"td.safetensors.curve.jsonl": `{"games":1000,"of_games":5000,"rms_equity_error":0.5,"seconds":1}
{"games":2000,"of_games":5000,"rms_equity_error":0.4,"seconds":3}
`,
		"secret.txt": "not to be read",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// get returns the status and the body of an answer.
func get(t *testing.T, server *httptest.Server, path string) (int, string) {
	t.Helper()
	r, err := server.Client().Get(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var body strings.Builder
	if _, err := bufio.NewReader(r.Body).WriteTo(&body); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, body.String()
}

// pageCase is what a page is and has.
type pageCase struct {
	path   string
	status int
	want   []string
	not    string // "" for nothing
}

func checkPages(t *testing.T, server *httptest.Server, cases []pageCase) {
	t.Helper()
	for _, c := range cases {
		status, body := get(t, server, c.path)
		if status != c.status {
			t.Errorf("%s: status %d, want %d\n%s", c.path, status, c.status, body)
		}
		for _, w := range c.want {
			if !strings.Contains(body, w) {
				t.Errorf("%s lacks %q", c.path, w)
			}
		}
		if c.not != "" && strings.Contains(body, c.not) {
			t.Errorf("%s has %q", c.path, c.not)
		}
	}
}

func TestPages(t *testing.T) {
	server := testServer(t, nil)
	checkPages(t, server, []pageCase{
		{"/", 200, []string{"Board", "small", "aria-current", "/scripts/board.js"}, "EventSource"},
		{"/play", 200, []string{"A new match", "/scripts/play.js"}, ""},
		{"/api/", 200, []string{"/api/eval", "openapi.json"}, ""},
		{"/scripts/board.js", 200, []string{"/api/eval"}, ""},
		{"/scripts/game.js", 200, []string{"bgtrain.draw"}, ""},
		{"/scripts/nothing.js", 404, nil, ""},
		{"/runs", 200, []string{"net", "2 of 10", "15.0", "2m0s", "games a second", "500", "running", "<svg"}, ""},
		{"/runs?run=net.safetensors.curve.jsonl&run=td.safetensors.curve.jsonl&smooth=3&scale=log", 200,
			[]string{"What differs", "mean of 3", "not yet of", "<svg"}, ""},
		{"/runs?smooth=0", 400, []string{"1 to 1000"}, ""},
		{"/runs?scale=odd", 400, []string{"log or linear"}, ""},
		{"/runs?run=/etc/passwd", 400, []string{"nothing called"}, "root:"},
		{"/database", 200, []string{"positions.parquet", "&lt;test&gt;", "contact", "&lt;i&gt;&amp;", "Next page",
			"<svg"}, "<i>&"},
		{"/database?db=positions.parquet&class=race", 200, []string{"<p class=\"foot\">race"},
			"<p class=\"foot\">contact"},
		{"/database?class=contact&source=none", 200, []string{"No position of this kind"}, ""},
		{"/database?class=nothing", 400, []string{"none of bearoff"}, ""},
		{"/database?plan=nothing", 400, []string{"nothing"}, ""},
		{"/database?page=-1", 400, []string{"a number from 0"}, ""},
		{"/database?db=secret.txt", 400, []string{"nothing called"}, "not to be read"},
		{"/database?db=../../../../etc/passwd", 400, []string{"nothing called"}, "root:"},
		{"/decisions", 200, []string{"mine.bm", "error rate", "5-3"}, ""},
		{"/decisions?least=1", 200, []string{"No decision of this kind"}, ""},
		{"/decisions?least=x", 400, []string{"points from 0 to 10"}, ""},
		{"/decisions?file=/etc/passwd", 400, []string{"nothing called"}, "root:"},
		{"/app.css", 200, []string{"--paper"}, ""},
		{"/scripts/live.js", 200, []string{"EventSource"}, ""},
		{"/secret.txt", 404, nil, "not to be read"},
		{"/pages/board.html", 404, nil, "define"},
	})
}

// A page of nothing describes what to name.
func TestNothingNamed(t *testing.T) {
	server := testServer(t, func(s *Settings) { s.Files = []string{t.TempDir()} })
	for path, want := range map[string]string{"/runs": "No learning curve", "/database": "No database",
		"/decisions": "No benchmark",
		"/grown":     "bgtrain grow evening -o evening"} {
		if status, body := get(t, server, path); status != 200 || !strings.Contains(body, want) ||
			!strings.Contains(body, "bgtrain serve") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

// Without files, those that ship with the program are shown.
func TestShippedSources(t *testing.T) {
	server, err := New(Settings{Player: testPlayer(t)})
	if err != nil {
		t.Fatal(err)
	}
	_, bm, err := server.ofKind(benchmark, "contact.bm")
	if err != nil {
		t.Fatal(err)
	}
	if f, err := bm.readBenchmark(); err != nil || f.Class() != bg.Contact || len(f.Records) == 0 {
		t.Errorf("%v", err)
	}
	_, db, err := server.ofKind(database, "")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := db.openDatabase(); err != nil || d.Path() != db.Name {
		t.Errorf("%v", err)
	}
}

func TestFilesThatCannotBeShown(t *testing.T) {
	dir := t.TempDir()
	odd := filepath.Join(dir, "odd.txt")
	if err := os.WriteFile(odd, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{odd, filepath.Join(dir, "missing.parquet")} {
		if _, err := New(Settings{Player: testPlayer(t), Files: []string{path}}); err == nil ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	// A net that training has not written yet is shown as such.
	if _, err := New(Settings{Player: testPlayer(t), Files: []string{filepath.Join(dir,
		"new.safetensors")}}); err != nil {
		t.Error(err)
	}
}

// Another site's page must not ask in the browser's name, and a token is shown once.
func TestGuard(t *testing.T) {
	server := testServer(t, func(s *Settings) { s.Token = "abc"; s.Hosts = []string{"box.example"} })
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		host, path, cookie string
		status             int
	}{
		{"", "/", "", 401},
		{"", "/", "abd", 401},
		{"", "/", "abc", 200},
		{"", "/runs?token=abc", "", 303},
		{"", "/runs?token=", "", 401},
		{"box.example:80", "/", "abc", 200},
		{"localhost:1", "/", "abc", 200},
		{"[::1]:1", "/", "abc", 200},
		{"evil.example", "/", "abc", 403},
		{"127.0.0.1.evil.example", "/", "abc", 403},
		{"10.0.0.1", "/", "abc", 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: tokenName, Value: c.cookie})
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%+v: status %d", c, answer.StatusCode)
		}
		if !strings.Contains(answer.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%+v: no policy", c)
		}
		if c.status == 303 && (answer.Header.Get("Location") != "/runs" ||
			!strings.Contains(answer.Header.Get("Set-Cookie"), "HttpOnly")) {
			t.Errorf("%+v: %v", c, answer.Header)
		}
	}
}

// readEvents returns the names of the events of a stream, and their data, until one of
// the name until has come.
func readEvents(t *testing.T, server *httptest.Server, path, until string, begun func()) (names, data []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for sc := bufio.NewScanner(answer.Body); sc.Scan(); {
		if name, ok := strings.CutPrefix(sc.Text(), "event: "); ok {
			names = append(names, name)
			if len(names) == 1 && begun != nil {
				begun()
			}
		}
		if d, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
			data = append(data, d)
			if names[len(names)-1] == until {
				return names, data
			}
		}
	}
	t.Fatalf("%s: no event %s among %v", path, until, names)
	return nil, nil
}

func TestRolloutUpdates(t *testing.T) {
	server := testServer(t, nil)
	names, data := readEvents(t, server, "/api/rollout?id=4HPwATDgc/ABMA", "done", nil)
	if strings.Join(names, " ") != "rollout rollout rollout done" || !strings.Contains(data[0], `"trials":36,"of":72`) ||
		data[1] != data[2] && !strings.Contains(data[2], `"trials":72,"of":72`) {
		t.Errorf("%v %v", names, data)
	}
}

func TestFilesThatChangeAreTold(t *testing.T) {
	var dir string
	server := testServer(t, func(s *Settings) { dir = s.Files[0] })
	names, _ := readEvents(t, server, "/events?since="+shown(t, server), "changed", func() {
		if err := os.WriteFile(filepath.Join(dir, "new.curve.jsonl"), []byte("{}\n"), 0o600); err != nil {
			t.Error(err)
		}
	})
	if strings.Join(names, " ") != "hello changed" {
		t.Error(names)
	}
	if _, body := get(t, server, "/runs"); !strings.Contains(body, "neither games") {
		t.Error("the damaged curve is not reported")
	}
}

// shown returns the state of the files that the page of runs shows.
func shown(t *testing.T, server *httptest.Server) string {
	t.Helper()
	_, body := get(t, server, "/runs")
	_, rest, _ := strings.Cut(body, `data-since="`)
	since, _, ok := strings.Cut(rest, `"`)
	if !ok || since == "" {
		t.Fatal("the page does not say which state of the files it shows")
	}
	return since
}

// A file may change after the page was made and before its events are asked for.
func TestAnEarlyChangeIsTold(t *testing.T) {
	var dir string
	server := testServer(t, func(s *Settings) { dir = s.Files[0] })
	since := shown(t, server)
	if err := os.WriteFile(filepath.Join(dir, "new.curve.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	names, _ := readEvents(t, server, "/events?since="+since, "changed", nil)
	if strings.Join(names, " ") != "hello changed" || shown(t, server) == since {
		t.Error(names)
	}
}

// The curves that ship are compared where no file is named: newest first, with what differs
// in how the nets were made.
func TestShippedRuns(t *testing.T) {
	server := testServer(t, func(s *Settings) { s.Files = nil })
	_, body := get(t, server, "/runs?run=fast.jsonl&run=default.jsonl")
	for _, want := range []string{"What differs in the settings", "384-768-384-384-64-5", "contact, crashed: Rate",
		"ships with the program", "contact: equity error, rms"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(body, "Known from the finished net") {
		t.Error("the settings are not known")
	}
}

// A mean is one of the points so far, and of one run; a curve of several has gaps.
func TestSmoothed(t *testing.T) {
	s := smoothed(curve.Series{X: []float64{0, 1, 2, 0, 1}, Y: []float64{1, 3, 8, 2, 4}, SE: make([]float64, 5)}, 2)
	want := []float64{1, 2, 5.5, math.NaN(), 2, 3}
	if len(s.Y) != len(want) || s.SE != nil {
		t.Fatalf("%+v", s)
	}
	for i, y := range want {
		if s.Y[i] != y && !(math.IsNaN(y) && math.IsNaN(s.Y[i])) {
			t.Errorf("%v, %v expected", s.Y, want)
		}
	}
	if all := smoothed(curve.Series{X: []float64{0, 1}, Y: []float64{1, 3}, SE: []float64{2, 4}}, 1); all.Y[1] != 3 || all.SE[1] != 4 {
		t.Errorf("%+v", all)
	}
}

// Files are listed newest first.
func TestNewestRunFirst(t *testing.T) {
	server := testServer(t, func(s *Settings) {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(s.Files[0], "net.safetensors.curve.jsonl"), old, old); err != nil {
			t.Fatal(err)
		}
	})
	_, body := get(t, server, "/runs")
	if a, b := strings.Index(body, "<h3>td.safetensors"), strings.Index(body, "<h3>net.safetensors"); a < 0 || b < a {
		t.Errorf("at %d and %d", a, b)
	}
}
