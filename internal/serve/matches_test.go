package serve

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/play"
)

// goOn does what is due by the first hint, or passes and resigns nothing.
func goOn(t *testing.T, server *httptest.Server, v *matchView) *matchView {
	t.Helper()
	path := "/api/matches/" + v.ID
	do := string(v.Due)
	switch v.Due {
	case play.ToAnswer:
		do = "take"
	case play.ToPlay:
		var h hintView
		if status, text := ask(t, server, "GET", path+"/hint", &h); status != 200 || len(h.Plays) == 0 {
			t.Fatalf("%d %s", status, text)
		}
		text := h.Plays[0].Play
		if text == "cannot move" {
			text = ""
		}
		do = "play?play=" + url.QueryEscape(text)
	}
	next := &matchView{}
	if status, text := ask(t, server, "POST", path+"/"+do, next); status != 200 {
		t.Fatalf("%s: %d %s", do, status, text)
	}
	return next
}

// A match is played to its end over HTTP, kept as .mat that can be read, and analyzed.
func TestMatchOverHTTP(t *testing.T) {
	dir := t.TempDir()
	server := testServer(t, func(s *Settings) { s.Matches = dir })
	v := &matchView{}
	if status, text := ask(t, server, "POST", "/api/matches?length=1&ply=0&name=Zo%C3%AB", v); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	for n := 0; v.Due != play.MatchOver; n++ {
		if n > 2000 {
			t.Fatal("the match does not end")
		}
		v = goOn(t, server, v)
	}
	path := "/api/matches/" + v.ID
	if !strings.Contains(v.Result, "wins 1 point, and the match 1 to 0") && !strings.Contains(v.Result, "and the match") {
		t.Error(v.Result)
	}
	_, mat := ask(t, server, "GET", path+"/match.mat", nil)
	kept, err := os.ReadFile(filepath.Join(dir, v.File))
	if err != nil || string(kept) != mat || !strings.Contains(mat, "Zoë : 0") || !strings.Contains(mat, "and the match") {
		t.Errorf("%v\n%s", err, mat)
	}
	if ms, err := matchfile.ReadAll(filepath.Join(dir, v.File)); err != nil || len(ms[0].Games) != 1 {
		t.Errorf("%v", err)
	}
	if status, page := ask(t, server, "GET", path+"/analysis", nil); status != 200 || !strings.Contains(page, "Zoë") ||
		!strings.Contains(page, "Every move") {
		t.Errorf("%d", status)
	}
	for _, do := range []string{"roll", "play", "next", "undo", "resign", "double", "take"} {
		if status, text := ask(t, server, "POST", path+"/"+do, nil); status != 409 {
			t.Errorf("%s after the match: %d %.100s", do, status, text)
		}
	}
}

// What is not due, what is illegal and what is not there is refused, and changes nothing.
func TestMatchRefuses(t *testing.T) {
	server := testServer(t, nil)
	for query, want := range map[string]string{"length=65": "0 to 64", "length=x": "0 to 64", "ply=3": "0 to 2",
		"net=nothing": "no net called", "tutor=maybe": "on or off", "name=" + strings.Repeat("x", 41): "40 letters",
		"name=%1b%5b31m": "40 letters", "name=%ff": "40 letters"} {
		if status, text := ask(t, server, "POST", "/api/matches?"+query, nil); status != 400 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
	v := &matchView{}
	ask(t, server, "POST", "/api/matches?length=3&ply=0", v)
	for v.Due != play.ToPlay {
		v = goOn(t, server, v)
	}
	path := "/api/matches/" + v.ID
	for do, status := range map[string]int{"take": 409, "pass": 409, "roll": 409, "double": 409, "next": 409,
		"play?play=1/24": 400, "play?play=x": 400, "dance": 400, "resign?points=4": 400} {
		if got, text := ask(t, server, "POST", path+"/"+do, nil); got != status {
			t.Errorf("%s: %d %s", do, got, text)
		}
	}
	after := &matchView{}
	if ask(t, server, "GET", path, after); fmt.Sprintf("%+v", after) != fmt.Sprintf("%+v", v) {
		t.Errorf("%+v, before %+v", after, v)
	}
	for _, p := range []string{"/api/matches/none", path + "x", "/api/matches/none/hint", "/api/matches/none/match.mat",
		"/api/matches/none/analysis"} {
		if status, text := ask(t, server, "GET", p, nil); status != 404 {
			t.Errorf("%s: %d %s", p, status, text)
		}
	}
	if status, _ := ask(t, server, "GET", path+"/undo", nil); status != 405 && status != 404 {
		t.Errorf("an action by GET: %d", status)
	}
}

// The tutor holds up what loses much until it is confirmed.
func TestTutorOverHTTP(t *testing.T) {
	server := testServer(t, nil)
	for range 40 {
		v := &matchView{}
		ask(t, server, "POST", "/api/matches?length=5&ply=0&tutor=on", v)
		if v.Due != play.ToPlay || v.Dice[0] == v.Dice[1] {
			continue
		}
		// One of two plays that can always be made at the beginning loses something.
		for _, first := range []string{"24/%d 24/%d", "13/%d 13/%d", "6/%d 8/%d"} {
			text := fmt.Sprintf(first, 0, 0)
			var a, b int
			if _, err := fmt.Sscanf(first, "%d/%%d %d/%%d", &a, &b); err == nil {
				text = fmt.Sprintf(first, a-v.Dice[0], b-v.Dice[1])
			}
			path := "/api/matches/" + v.ID + "/play?play=" + url.QueryEscape(text)
			held := &matchView{}
			status, _ := ask(t, server, "POST", path, held)
			if status != 200 || held.Warning == nil {
				break // no such play, or no loss
			}
			if held.Warning.Loss <= play.Defaults.Threshold || held.Due != play.ToPlay || len(held.Log) != len(v.Log) {
				t.Errorf("%+v", held)
			}
			done := &matchView{}
			if ask(t, server, "POST", path+"&sure=yes", done); done.Warning != nil || len(done.Log) <= len(v.Log) {
				t.Errorf("%+v", done)
			}
			back := &matchView{}
			if ask(t, server, "POST", "/api/matches/"+v.ID+"/undo", back); back.Due != play.ToPlay || back.Dice != v.Dice {
				t.Errorf("%+v", back)
			}
			return
		}
	}
	t.Error("the tutor never warned")
}

// Matches are bounded in number and age: what was not used for long makes place, and what is
// being played does not.
func TestMatchesAreBounded(t *testing.T) {
	now := time.Unix(1e9, 0)
	m := &matches{all: map[string]*heldMatch{}, now: func() time.Time { return now }}
	for i := range maxMatches {
		now = now.Add(time.Second)
		if err := m.add(&heldMatch{id: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.add(&heldMatch{id: "more"}); err == nil {
		t.Error("one more than there is place for")
	}
	now = now.Add(matchBusy)
	if _, err := m.find("0"); err != nil {
		t.Error(err)
	}
	if err := m.add(&heldMatch{id: "more"}); err != nil {
		t.Error(err)
	}
	_, first := m.find("0")
	_, second := m.find("1")
	if len(m.all) != maxMatches || first != nil || second == nil {
		t.Errorf("%d held, the used one %v, the idle one %v", len(m.all), first, second)
	}
	now = now.Add(matchIdle + time.Second)
	if _, err := m.find("0"); err == nil {
		t.Error("a match of yesterday is there")
	}
	if err := m.add(&heldMatch{id: "last"}); err != nil || len(m.all) != 1 {
		t.Errorf("%d held, %v", len(m.all), err)
	}
}

// No other site's page drives a match, whatever it says of itself.
func TestForeignMatches(t *testing.T) {
	server := testServer(t, nil)
	for _, header := range []map[string]string{{"Origin": "http://evil.example"}, {"Origin": "null"},
		{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
		{"Sec-Fetch-Site": "same-site"}} {
		for method, path := range map[string]string{"POST": "/api/matches", "GET": "/api/eval"} {
			r := httptest.NewRequest(method, server.URL+path, nil)
			r.RequestURI = ""
			for name, value := range header {
				r.Header.Set(name, value)
			}
			answer, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Body.Close(); answer.StatusCode != 403 {
				t.Errorf("%s %s by %v: %d", method, path, header, answer.StatusCode)
			}
		}
	}
}

// FuzzMatch does anything to a match: a mistake is not the server's, and the match can be
// written and read.
func FuzzMatch(f *testing.F) {
	p := bgtest.Player(f, 1)
	v, err := New(Settings{Player: p, Name: "small"})
	if err != nil {
		f.Fatal(err)
	}
	h := v.Handler()
	for _, text := range []string{"roll\nplay 13/11 6/5\nundo\nresign", "play\nplay bar/off\ndouble\ntake\npass\nnext", "play 24/18/13*\nplay 8/5 6/5\nplay 13/8(2)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "\n") > 20 {
			return
		}
		h2, err := v.beginMatch(httptest.NewRequest("POST", "http://localhost/api/matches?length=2&ply=0", nil))
		if err != nil {
			t.Fatal(err)
		}
		id := h2.(*matchView).ID
		defer func() { delete(v.matches.all, id) }()
		for line := range strings.Lines(text) {
			do, more, _ := strings.Cut(strings.TrimSpace(line), " ")
			w := httptest.NewRecorder()
			q := url.Values{"play": {more}, "points": {"1"}, "sure": {"yes"}}
			h.ServeHTTP(w, httptest.NewRequest("POST", "http://localhost/api/matches/"+id+"/"+url.PathEscape(do)+"?"+q.Encode(), nil))
			if w.Code >= 500 {
				t.Fatalf("%q: %d %s", line, w.Code, w.Body)
			}
		}
		held, err := v.matches.find(id)
		if err != nil {
			t.Fatal(err)
		}
		var mat strings.Builder
		if err := matchfile.WriteMat(&mat, held.match.Record().Match()); err != nil {
			t.Fatal(err)
		}
	})
}
