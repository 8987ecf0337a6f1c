//go:build integration

package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bgtrain/internal/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Every page in a real browser, as wide as a desktop's and as a phone's: it is drawn,
// nothing is wider than the window, texts are readable, the console is quiet. Pictures
// go where SHOTS says, to be looked at.
func TestChromiumPages(t *testing.T) {
	server := testServer(t, nil)
	var mu sync.Mutex
	var problems []string
	ctx := browsertest.Open(t, func(p string) { mu.Lock(); problems = append(problems, p); mu.Unlock() })
	shots := os.Getenv("SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	for name, path := range map[string]string{"board": "/?dice=31", "setup": "/?edit=opp&id=AAAAAAAAAAAAAA",
		"runs":  "/runs",
		"grown": "/grown", "grown-one": "/grown?run=base&time=wall",
		"database": "/database", "decisions": "/decisions", "problem": "/?id=nonsense"} {
		for _, width := range []int64{1280, 390} {
			var wide bool
			var unreadable []string
			var shot []byte
			if err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(server.URL+path),
				chromedp.WaitVisible("main"),
				chromedp.Evaluate("document.documentElement.scrollWidth > innerWidth",
					&wide), chromedp.Evaluate(browsertest.Contrast, &unreadable),
				chromedp.FullScreenshot(&shot, 100)); err != nil {
				t.Fatalf("%s at %d: %v", name, width, err)
			}
			if wide {
				t.Errorf("%s is wider than %d", name, width)
			}
			if len(unreadable) > 0 {
				t.Errorf("%s at %d: low contrast: %s", name, width, strings.Join(unreadable, "; "))
			}
			if err := os.WriteFile(filepath.Join(shots, fmt.Sprintf("%s-%d.png", name, width)), shot,
				0o600); err != nil {
				t.Fatal(err)
			}
			if len(shot) < 10_000 {
				t.Errorf("%s at %d: a picture of %d bytes", name, width, len(shot))
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(problems) > 0 {
		t.Error(problems)
	}
}

// The keyboard reaches the pages and the board's points; a rollout shows its result;
// a page of files follows them.
func TestChromiumUse(t *testing.T) {
	var dir string
	server := testServer(t, func(s *Settings) { dir = s.Files[0] })
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	var title, focused, position, rolled, after string
	if err := chromedp.Run(ctx, chromedp.Navigate(server.URL+"/?edit=me&id=AAAAAAAAAAAAAA"),
		chromedp.WaitVisible("main"),
		chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(".figures"),
		chromedp.Text("h1", &title),
		// The first place of an empty board: a checker of light on its 1-point.
		chromedp.Navigate(server.URL+"/?edit=me&id=AAAAAAAAAAAAAA"), chromedp.WaitVisible(".areas"),
		chromedp.Focus(".areas a", chromedp.ByQuery), chromedp.Evaluate("document.activeElement.getAttribute('aria-label')", &focused),
		chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(".less a"), chromedp.Text(".less a", &position),
		chromedp.Navigate(server.URL+"/"), chromedp.Click("#roll"), chromedp.WaitVisible("#rollout"), chromedp.Text("#rolled", &rolled),
		chromedp.Navigate(server.URL+"/runs"), chromedp.Poll("document.getElementById('live').textContent.includes('now')", nil, chromedp.WithPollingTimeout(0)),
		chromedp.ActionFunc(func(context.Context) error {
			return os.WriteFile(filepath.Join(dir, "later.curve.jsonl"), []byte(`{"games":7,"seconds":1}`+"\n"), 0o600)
		}),
		chromedp.Poll("document.body.textContent.includes('later')", nil, chromedp.WithPollingTimeout(0)), chromedp.Text("#live", &after)); err != nil {
		t.Fatal(err)
	}
	for what, ok := range map[string]bool{"title " + title: title == "Training runs",
		"focus on " + focused: focused == "one more on point 1",
		"setup " + position:   position == "point 1", "rollout " + rolled: strings.Contains(rolled, "of 72 trials"),
		"live " + after: strings.Contains(after, "changed at")} {
		if !ok {
			t.Error(what)
		}
	}
}

// The page of a run follows it, and what was scrolled to stays.
func TestChromiumGrown(t *testing.T) {
	var dir string
	server := testServer(t, func(s *Settings) { dir = s.Files[0] })
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	log := filepath.Join(dir, "base", "grow.jsonl")
	const tables = `document.querySelectorAll("article:last-of-type .scroll")`
	var before, after float64
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(390, 900), chromedp.Navigate(server.URL+"/grown?run=base"),
		chromedp.WaitVisible(".lineage"),
		chromedp.Poll("document.getElementById('live').textContent.includes('now')", nil, chromedp.WithPollingTimeout(0)),
		chromedp.Evaluate(tables+"[0].scrollLeft = 60", nil), chromedp.Evaluate(tables+"[0].scrollLeft", &before),
		chromedp.ActionFunc(func(context.Context) error {
			text, err := os.ReadFile(log)
			if err != nil {
				return err
			}
			text = append(text, `{"round":5,"seconds":300,"rows":1,"passed":true,"against":"round 4"}`+"\n"...)
			return os.WriteFile(log, text, 0o600)
		}),
		chromedp.Poll("document.querySelector('.lineage').textContent.includes('round 5')", nil, chromedp.WithPollingTimeout(0)),
		chromedp.Evaluate(tables+"[0].scrollLeft", &after)); err != nil {
		t.Fatal(err)
	}
	if before != 60 || after != before {
		t.Errorf("scrolled to %g, then at %g", before, after)
	}
}
