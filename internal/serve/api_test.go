package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
)

const matchXGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10"

// ask asks for JSON by a method and returns the status with what came.
func ask(t *testing.T, server *httptest.Server, method, path string, to any) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if to != nil {
		if err := json.Unmarshal(body, to); err != nil {
			t.Fatalf("%s: %v: %s", path, err, body)
		}
	}
	return answer.StatusCode, string(body)
}

// answered has the fields of all answers that tests look at.
type answered struct {
	Position, Class, Net, State, Dice, Error string
	Outputs                                  []float32
	Equity                                   float32
	Plays                                    []struct {
		Play, Position string
		Ply            int
		Cubeful        *float64
	}
	Cube *struct {
		Action, Model string
		MWC           float64
	}
	Trials, Of int
	Rollout    []map[string]any
}

// The interface gives what the player says, as JSON, and mistakes as such.
func TestAPI(t *testing.T) {
	server := testServer(t, nil)
	get := func(path string, status int) (a answered) {
		t.Helper()
		if got, text := ask(t, server, "GET", path, &a); got != status {
			t.Errorf("%s: status %d: %s", path, got, text)
		}
		return a
	}
	start := bg.Start
	want := testPlayer(t).NewEvaluator().Evaluate(&start, 1)
	if a := get("/api/eval?ply=1", 200); a.Position != "4HPwATDgc/ABMA" || a.Class != "contact" || a.Net != "small" ||
		a.Equity != want.Equity() || !slices.Equal(a.Outputs, want[:]) || a.Cube != nil || a.Plays != nil {
		t.Errorf("%+v", a)
	}
	if a := get("/api/plays?dice=31&plays=2", 200); len(a.Plays) != 2 || a.Dice != "31" || a.Plays[0].Cubeful != nil {
		t.Errorf("%+v", a)
	}
	if a := get("/api/plays?dice=31&cube=dead&plays=1", 200); a.Plays[0].Cubeful == nil || a.Cube != nil ||
		!strings.Contains(a.State, "money") {
		t.Errorf("%+v", a)
	}
	if a := get("/api/cube", 200); a.Cube == nil || a.Cube.Model != "gnubg" || a.Cube.MWC != 0 {
		t.Errorf("%+v", a)
	}
	if a := get("/api/cube?id="+url.QueryEscape(matchXGID), 200); a.Cube.MWC == 0 || !strings.Contains(a.State, "4 away against 3") {
		t.Errorf("%+v", a)
	}
	if a := get("/api/rollout?trials=36&truncate=3", 200); a.Trials != 36 || len(a.Rollout) != 1 ||
		a.Rollout[0]["equity_se"] == 0.0 {
		t.Errorf("%+v", a)
	}
	a := get("/api/rollout?trials=72&truncate=3&dice=31&play=8/5+6/5&play=24/20", 200)
	if len(a.Rollout) != 2 || a.Rollout[1]["difference_se"] == 0.0 {
		t.Errorf("%+v", a)
	}
	plays := []string{a.Rollout[0]["play"].(string), a.Rollout[1]["play"].(string)}
	if slices.Sort(plays); !slices.Equal(plays, []string{"24/20", "8/5 6/5"}) {
		t.Errorf("%v", plays)
	}
	if a := get("/api/rollout?trials=36&truncate=3&id="+url.QueryEscape(matchXGID), 200); a.Rollout[0]["mwc"] == nil {
		t.Errorf("%+v", a)
	}
	for path, want := range map[string]string{
		"/api/eval?id=nonsense": "nonsense", "/api/eval?ply=4": "0 to 3 expected", "/api/eval?ply=x": "0 to 3 expected",
		"/api/eval?dice=77": "77", "/api/eval?net=/etc/passwd": "no net called", "/api/eval?cube=sleepy": "sleepy",
		"/api/eval?plays=0": "1 to 100", "/api/plays": "dice=31 is missing", "/api/eval?id=AAAAAAAAAAAAAA": "over",
		"/api/rollout?trials=1000000": "expected", "/api/rollout?truncate=-1": "0 to 1000",
		"/api/rollout?dice=31&play=24/1": "illegal", "/api/rollout?dice=31&play=x": "x",
		"/api/rollout?dice=31" + strings.Repeat("&play=24/20", 11):           "10 at most",
		"/api/rollout?id=AAAAAAAAAAAAAA":                                     "over",
		"/api/cube?id=XGID%3D-b----E-C---eE---c-e----B-:0:0:1:00:9:9:0:7:10": "score",
	} {
		if a := get(path, 400); !strings.Contains(a.Error, want) {
			t.Errorf("%s: %q, %q expected", path, a.Error, want)
		}
	}
}

// An ID is read as it was meant.
func TestPositionOfID(t *testing.T) {
	server := testServer(t, nil)
	var p idView
	ask(t, server, "GET", "/api/position?id="+url.QueryEscape("XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:6:0:7:10"), &p)
	if p.Away != [2]int{5, 1} || p.Cube != 2 || p.Owner != "opponent" || p.Dice != [2]int{3, 1} || !p.Given ||
		p.Pips != [2]int{167, 167} || p.XGID != "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:0:4:0:5:10" {
		t.Errorf("%+v", p)
	}
	if ask(t, server, "GET", "/api/position?id=AAAAAAAAAAAAAA", &p); p.Class != "over" {
		t.Errorf("%+v", p)
	}
}

// Nets are chosen by name, opened when they are asked for, and few of them held.
func TestNetsAreChosen(t *testing.T) {
	opened := map[string]int{}
	server := testServer(t, func(s *Settings) {
		s.Nets = []string{"a", "b", "c", "broken"}
		s.OpenNet = func(_ context.Context, path string) (Opened, error) {
			opened[path]++
			if path == "broken" {
				return Opened{}, errors.New("it is broken")
			}
			return Opened{Player: bgtest.Player(t, uint64(path[0]))}, nil
		}
	})
	equity := func(net string) float32 {
		var a answered
		ask(t, server, "GET", "/api/eval?net="+net, &a)
		start := bg.Start
		seed := uint64(1)
		if net != "" {
			seed = uint64(net[0])
		}
		out := bgtest.Player(t, seed).NewEvaluator().Evaluate(&start, 0)
		if a.Equity != out.Equity() {
			t.Errorf("%q: %v, %v expected", net, a.Equity, out.Equity())
		}
		return a.Equity
	}
	for range 2 {
		for _, net := range []string{"", "a", "b", "a"} {
			equity(net)
		}
	}
	if opened["a"] != 1 || opened["b"] != 1 {
		t.Errorf("%v", opened)
	}
	equity("c")
	equity("b")
	if opened["b"] != 2 || opened["a"] != 1 { // the oldest had to go
		t.Errorf("%v", opened)
	}
	if status, text := ask(t, server, "GET", "/api/eval?net=broken", nil); status != 500 || !strings.Contains(text, "it is broken") {
		t.Errorf("%d %s", status, text)
	}
	var list struct{ Nets []string }
	if ask(t, server, "GET", "/api/nets", &list); !slices.Equal(list.Nets, []string{"small", "a", "b", "c", "broken"}) {
		t.Errorf("%v", list)
	}
}

// The token lets programs in by a header too.
func TestBearer(t *testing.T) {
	server := testServer(t, func(s *Settings) { s.Token = "abc" })
	for header, want := range map[string]int{"": 401, "Bearer abd": 401, "Bearer ": 401, "Bearer abc": 200} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/api/eval", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", header)
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("%q: %d", header, answer.StatusCode)
		}
	}
}

// The document names every call of the interface, with the parameters that it reads.
func TestOpenAPI(t *testing.T) {
	server := testServer(t, nil)
	var d struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if ask(t, server, "GET", "/api/openapi.json", &d); d.OpenAPI != "3.1.0" || len(d.Paths) != 12 {
		t.Errorf("%s, %d paths", d.OpenAPI, len(d.Paths))
	}
	for path, calls := range d.Paths {
		for method := range calls {
			r := strings.NewReplacer("{id}", "none", "{do}", "roll").Replace(path)
			if status, text := ask(t, server, strings.ToUpper(method), r, nil); status == 405 ||
				status == 404 && !strings.Contains(text, "no such match") {
				t.Errorf("%s %s: %d %s", method, path, status, text)
			}
		}
	}
	for _, c := range readAPI.Calls {
		if c.Try == "" {
			continue
		}
		if status, text := ask(t, server, c.Method, c.Try, nil); status != 200 {
			t.Errorf("%s: %d %s", c.Try, status, text)
		}
	}
}

// FuzzAPI asks anything: the answer is JSON, and a mistake is not the server's.
func FuzzAPI(f *testing.F) {
	set := bgtest.Player(f, 1)
	v, err := New(Settings{Player: set, Name: "small"})
	if err != nil {
		f.Fatal(err)
	}
	h := v.Handler()
	for _, q := range []string{"id=4HPwATDgc/ABMA&dice=31", "id=" + url.QueryEscape(matchXGID) + "&cube=jump=0.08", "dice=6&plays=7",
		"cube=janowski=0.1:2", "id=XGID=::::&ply=1", "id=4HPwATDgc/ABMA:cAkAAAAAAAAE&cube=jump=local"} {
		f.Add(0, q)
		f.Add(1, q)
		f.Add(2, q)
		f.Add(3, q)
	}
	f.Fuzz(func(t *testing.T, call int, query string) {
		q, err := url.ParseQuery(query)
		if err != nil || call < 0 {
			return
		}
		q.Set("ply", "0") // deeper ones take their time
		path := []string{"/api/eval", "/api/plays", "/api/cube", "/api/position"}[call%4]
		r := httptest.NewRequest("GET", "http://localhost"+path+"?"+q.Encode(), nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if !json.Valid(w.Body.Bytes()) || w.Code != 200 && w.Code != 400 {
			t.Errorf("%s?%s: %d %s", path, q.Encode(), w.Code, w.Body)
		}
	})
}
