//go:build integration

package serve

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser starts a headless Chromium; its console's errors are gathered in problems.
func browser(t *testing.T, problems func(string)) context.Context {
	t.Helper()
	path := os.Getenv("CHROMIUM")
	if path == "" {
		path = "chromium"
	}
	if _, err := exec.LookPath(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()))
	limited, cancelTime := context.WithTimeout(context.Background(), 5*time.Minute)
	allocated, cancelAllocator := chromedp.NewExecAllocator(limited, options...)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, which writes to its directory to the last
		cancel()
		cancelAllocator()
		cancelTime()
	})
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				problems(fmt.Sprintf("console: %s", e.Args[0].Value))
			}
		case *runtime.EventExceptionThrown:
			problems(e.ExceptionDetails.Error())
		}
	})
	return ctx
}

// contrast finds texts that are hard to read: a contrast with their background below
// 4.5 (WCAG 2.1, 1.4.3), or 3 where they are large.
const contrast = `(() => {
  const parse = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; })
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e);
    if (style.visibility === "hidden" || !e.getClientRects().length || e.closest(".hidden")) continue;
    let ground = [255, 255, 255];
    for (let p = e; p; p = p.parentElement) {
      const c = parse(getComputedStyle(p).backgroundColor);
      if (c.length === 3 || c[3] > 0.5) { ground = c; break; }
    }
    const a = light(parse(style.color)), b = light(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.6 && parseInt(style.fontWeight) >= 700;
    if (ratio < (large ? 3 : 4.5)) bad.push(ratio.toFixed(2) + " " + e.tagName + " " + e.textContent.trim().slice(0, 40));
  }
  return bad;
})()`

// Every page in a real browser, as wide as a desktop's and as a phone's: it is drawn,
// nothing is wider than the window, texts are readable, the console is quiet. Pictures
// go where SHOTS says, to be looked at.
func TestChromiumPages(t *testing.T) {
	server := testServer(t, nil)
	var mu sync.Mutex
	var problems []string
	ctx := browser(t, func(p string) { mu.Lock(); problems = append(problems, p); mu.Unlock() })
	shots := os.Getenv("SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	for name, path := range map[string]string{"board": "/?dice=31", "setup": "/?edit=opp&id=AAAAAAAAAAAAAA",
		"runs":     "/runs",
		"database": "/database", "decisions": "/decisions", "problem": "/?id=nonsense"} {
		for _, width := range []int64{1280, 390} {
			var wide bool
			var unreadable []string
			var shot []byte
			if err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(server.URL+path),
				chromedp.WaitVisible("main"),
				chromedp.Evaluate("document.documentElement.scrollWidth > innerWidth",
					&wide), chromedp.Evaluate(contrast, &unreadable),
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
	ctx := browser(t, func(p string) { t.Error(p) })
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
