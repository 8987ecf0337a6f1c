package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// listening serves as the command does, and returns the address.
func listening(t *testing.T, s Settings) string {
	t.Helper()
	v, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- v.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// Connections that send nothing, half a request, a body that does not come, or nothing
// after an answer, are closed.
func TestIdleConnectionsAreClosed(t *testing.T) {
	address := listening(t, Settings{Player: testPlayer(t), Idle: 200 * time.Millisecond})
	var all sync.WaitGroup
	for _, text := range []string{"", "GET / HTTP/1.1\r\nHo", "GET /app.css HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /app.css HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx",
		"POST /app.css HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx"} {
		for range 20 {
			all.Add(1)
			go func() {
				defer all.Done()
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				if _, err := io.WriteString(c, text); err != nil {
					t.Error(err)
				}
				if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
					t.Error(err)
				}
				if _, err := io.Copy(io.Discard, c); err != nil && strings.Contains(err.Error(), "timeout") {
					t.Errorf("%.30q: the connection stays open", text)
				}
			}()
		}
	}
	all.Wait()
}

// What a page of another site can send is refused; a link to a page may be followed.
func TestForeignPages(t *testing.T) {
	server := testServer(t, nil)
	own := server.URL
	link := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	for _, c := range []struct {
		path   string
		header map[string]string
		status int
	}{
		{"/", nil, 200},
		{"/", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"/", map[string]string{"Origin": own, "Sec-Fetch-Site": "same-origin"}, 200},
		{"/", link, 200},
		{"/api/rollout?id=AAAAAAAAAAAAAA", map[string]string{"Sec-Fetch-Site": "same-origin"}, 400}, // the game is over
		{"/api/rollout", link, 403},
		{"/events", link, 403},
		{"/api/rollout", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"/api/rollout", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"/api/rollout", map[string]string{"Sec-Fetch-Site": "something new"}, 403},
		{"/api/rollout", map[string]string{"Origin": "http://evil.example"}, 403},
		{"/api/rollout", map[string]string{"Origin": "http://localhost:1"}, 403},
		{"/api/rollout", map[string]string{"Origin": "null"}, 403},
		{"/api/rollout", map[string]string{"Origin": own + ".evil.example"}, 403},
		{"/decisions", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors",
			"Sec-Fetch-Dest": "image"}, 403},
		{"/decisions", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
			"Sec-Fetch-Dest": "iframe"}, 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, own+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s %v: status %d, %d expected", c.path, c.header, answer.StatusCode, c.status)
		}
	}
}

// Links in a folder that is named do not show what lies outside of it.
func TestLinksOutOfAFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	writeFiles(t, outside)
	writeFiles(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, "parts"), 0o700); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"inside.bm": "mine.bm", "secret.bm": filepath.Join(outside, "mine.bm"),
		"secret.curve.jsonl": filepath.Join(outside, "td.safetensors.curve.jsonl"), "secret.parquet": outside,
		"db.parquet": filepath.Join(outside, "positions.parquet"), "gone.bm": "nowhere.bm",
		"parts/part-00000.parquet": filepath.Join(outside, "positions.parquet"), "up.bm": "../" +
			filepath.Base(outside) + "/mine.bm",
	} {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip(err)
		}
	}
	named := filepath.Join(t.TempDir(), "link") // what is named may be a link
	if err := os.Symlink(dir, named); err != nil {
		t.Skip(err)
	}
	v, err := New(Settings{Player: testPlayer(t), Files: []string{named}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := v.sources()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "base inside.bm mine.bm net.safetensors.curve.jsonl positions.parquet "+
		"td.safetensors.curve.jsonl wider" {
		t.Error(got)
	}
}

// listen asks for a rollout, and returns the first event.
func listen(ctx context.Context, url string) (first string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	line, err := bufio.NewReader(answer.Body).ReadString('\n')
	return strings.TrimSpace(line), err
}

// Many who ask for rollouts without end fill the queue, and no more; when they go,
// theirs end, and the next one has its turn.
func TestRolloutsQueue(t *testing.T) {
	server := testServer(t, func(s *Settings) { s.Rollout.Trials = 1 << 24 })
	url := server.URL + "/api/rollout?id=4HPwATDgc/ABMA"
	ctx, leave := context.WithCancel(t.Context())
	begun := make(chan struct{}, 100)
	var all sync.WaitGroup
	hold := func() (turnedAway bool) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Error(err)
			return false
		}
		r.Header.Set("Accept", "text/event-stream")
		answer, err := server.Client().Do(r)
		if err != nil {
			return false // left
		}
		defer answer.Body.Close()
		in := bufio.NewReader(answer.Body)
		line, _ := in.ReadString('\n')
		if line == "event: rollout\n" {
			begun <- struct{}{}
		}
		_, _ = io.Copy(io.Discard, in)
		return line == "event: problem\n"
	}
	for range 1 + maxWaiting {
		all.Go(func() {
			for hold() { // the one who looks below was in the last place
			}
		})
	}
	<-begun
	const slowest = 5 * time.Minute
	for wait := 200 * time.Millisecond; ; wait *= 2 {
		// Whoever comes when the queue is full is told so at once; before that, one waits.
		short, cancel := context.WithTimeout(t.Context(), wait)
		first, err := listen(short, url)
		cancel()
		if err == nil && first == "event: problem" {
			break
		}
		if err == nil || wait > slowest {
			t.Fatalf("%q, %v: the queue has no end", first, err)
		}
	}
	leave()
	all.Wait()
	long, cancel := context.WithTimeout(t.Context(), slowest)
	defer cancel()
	for first := ""; first != "event: rollout"; {
		var err error
		if first, err = listen(long, url); err != nil {
			t.Fatalf("nobody listens, and the next one does not get its turn: %v", err)
		}
	}
}

// However many ask, few pages are made at once; who does not read them holds nobody up.
func TestManyClients(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir)
	address := listening(t, Settings{Player: testPlayer(t), Files: []string{dir}})
	var all sync.WaitGroup
	for range 50 { // ask again and again, and read nothing
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for range 20 {
			if _, err := io.WriteString(c, "GET /database HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 20 {
		all.Add(1)
		go func() {
			defer all.Done()
			path := []string{"/", "/runs", "/database", "/decisions"}[i%4]
			answer, err := http.Get("http://" + address + path)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if n, err := io.Copy(io.Discard, answer.Body); n == 0 || err != nil || answer.StatusCode != 200 {
				t.Errorf("%s: %d, %d bytes, %v", path, answer.StatusCode, n, err)
			}
		}()
	}
	all.Wait()
}

// What is kept of files has a limit, and what is used stays.
func TestCacheIsBounded(t *testing.T) {
	var c cache[int]
	for i := range 10 * maxKept {
		c.keep(fmt.Sprint(i), dated[int]{value: i})
		if _, ok := c.find("0", time.Time{}); !ok || len(c.kept) > maxKept {
			t.Fatalf("after %d: %d kept, the one in use among them %v", i, len(c.kept), ok)
		}
	}
}

// Pages that wait for changes have a limit, and one look serves them all.
func TestStreamsAreBounded(t *testing.T) {
	v, err := New(Settings{Player: testPlayer(t), Files: []string{t.TempDir()}, Refresh: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	v.state()
	looked := v.limits.looked
	for range maxStreams {
		if _, ok := v.follow(); !ok {
			t.Fatal("too early")
		}
	}
	_, ok := v.follow()
	if v.state(); ok || !v.limits.looked.Equal(looked) {
		t.Errorf("one more than %d, or another look", maxStreams)
	}
}
