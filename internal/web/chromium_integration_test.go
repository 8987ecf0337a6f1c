//go:build integration

package web

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bgtrain/internal/browsertest"
	"bgtrain/internal/nets"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openFolder writes a player's folder and returns the address of its page as a file.
func openFolder(t testing.TB, s *nets.Set) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "web")
	if err := Write(dir, "test", s); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.Join(dir, "index.html")
}

// awaited makes an evaluation end with its promise.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// ask evaluates a function of testdata/check.js on a page, the fixture its first argument.
func ask(t testing.TB, ctx context.Context, page, function string, f *fixture, more string, to any) {
	t.Helper()
	script, err := os.ReadFile("testdata/check.js")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Run(ctx, chromedp.Navigate(page),
		chromedp.Evaluate(string(script)+fmt.Sprintf(";%s(%s%s)", function, text, more), to, awaited)); err != nil {
		t.Fatal(err)
	}
}

// A folder opened as a file computes in Chromium what this program does with the rounded
// nets.
func TestChromium(t *testing.T) {
	const each = 1000
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	for _, name := range []string{"fast", "gnubg-size", "default"} {
		t.Run(name, func(t *testing.T) {
			s := readNet(t, name)
			var got checked
			f := newFixture(t, s, each)
			ask(t, ctx, openFolder(t, s), "checkFolder", f, "", &got)
			got.check(t, 3*each)
		})
	}
}

// The page, as wide as a desktop's and as a phone's, plays a turn by clicks and by keys:
// nothing is wider than the window or comes from elsewhere, texts are readable, the
// console is quiet. Pictures go where SHOTS says, to be looked at.
func TestChromiumPage(t *testing.T) {
	var mu sync.Mutex
	var problems []string
	problem := func(p string) { mu.Lock(); problems = append(problems, p); mu.Unlock() }
	ctx := browsertest.Open(t, problem)
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, "file:") &&
			!strings.HasPrefix(e.Request.URL, "data:") {
			problem("request of " + e.Request.URL)
		}
	})
	shots := os.Getenv("SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	page := openFolder(t, readNet(t, "gnubg-size"))
	for _, width := range []int64{1280, 390} {
		var wide bool
		var unreadable []string
		var log, status, hint, id, speed string
		var shot []byte
		if err := chromedp.Run(ctx, network.Enable(), chromedp.EmulateViewport(width, 900), chromedp.Navigate(page),
			// The dice: 3-1 to begin with, then 6-5 for the net.
			chromedp.Evaluate(`bgtrain.ready.then(() => {
				const dice = [3, 1, 6, 5];
				bgtrain.die = () => { dice.push(dice[0]); return dice.shift(); };
			})`, nil, awaited), chromedp.WaitEnabled("#new"), chromedp.Click("#new"),
			chromedp.Click(`#board [data-at="7"]`), chromedp.WaitVisible(`#board .chosen`), // 8/5 by clicks
			chromedp.Click(`#board [data-at="4"]`), chromedp.WaitEnabled("#undo"),
			chromedp.Click("#hint"), chromedp.WaitVisible("#hints"), chromedp.Text("#hints tbody tr td", &hint),
			chromedp.FullScreenshot(&shot, 100),
			chromedp.Focus(`#board [data-at="5"]`), chromedp.KeyEvent(kb.Enter), // 6/5 by keys
			chromedp.WaitEnabled("#go"), chromedp.Click("#go"),
			chromedp.Poll(`document.getElementById("go").textContent === "Roll" && !document.getElementById("go").disabled`,
				nil, chromedp.WithPollingTimeout(0)),
			chromedp.Text("#log", &log), chromedp.Text("#status", &status),
			chromedp.Click("summary"), chromedp.WaitVisible("#id"), chromedp.SetValue("#id", "4HPwATDgc/ABMA"),
			chromedp.Click("#set"), chromedp.Value("#id", &id),
			chromedp.Click("#measure"), chromedp.Poll(`document.getElementById("found").textContent.includes("WebAssembly")`,
				nil, chromedp.WithPollingTimeout(0)), chromedp.Text("#found", &speed),
			chromedp.Evaluate("document.documentElement.scrollWidth > innerWidth", &wide),
			chromedp.Evaluate(browsertest.Contrast, &unreadable)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shots, fmt.Sprintf("web-%d.png", width)), shot, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d: %s", width, speed)
		for what, ok := range map[string]bool{
			"log " + log: strings.Contains(log, "You 3-1: 8/5 6/5 best") &&
				strings.Contains(log, "Net 6-5: 24/13"),
			"status " + status:                            strings.Contains(status, "played 24/13. Your roll."),
			"hint " + hint:                                hint == "8/5 6/5",
			"position " + id:                              id == "4HPwATDgc/ABMA",
			"wider than the window":                       !wide,
			"contrast " + fmt.Sprint(unreadable):          len(unreadable) == 0,
			fmt.Sprintf("%d bytes of picture", len(shot)): len(shot) > 10_000,
		} {
			if !ok {
				t.Errorf("at %d: %s", width, what)
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(problems) > 0 {
		t.Error(problems)
	}
}

// BenchmarkChromium reports evaluations a second by class of position, encoding and all,
// with WebAssembly and in plain JavaScript.
func BenchmarkChromium(b *testing.B) {
	ctx := browsertest.Open(b, func(p string) { b.Error(p) })
	for _, name := range []string{"fast", "gnubg-size", "default"} {
		for _, plain := range []bool{false, true} {
			how := map[bool]string{false: "wasm", true: "plain"}[plain]
			b.Run(name+"/"+how, func(b *testing.B) {
				s := readNet(b, name)
				f := newFixture(b, s, 300)
				page := openFolder(b, s)
				for range b.N {
					var got map[string]float64
					ask(b, ctx, page, "measureFolder", f, fmt.Sprintf(", %v", plain), &got)
					for role, n := range got {
						b.ReportMetric(n, role+"/s")
					}
				}
			})
		}
	}
}
