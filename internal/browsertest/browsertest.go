// Package browsertest has what tests of several packages need: a headless Chromium, and
// what they look for on its pages.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Open starts a headless Chromium, which the environment variable CHROMIUM may name, and
// passes its console's errors to problems. Without the program the test is skipped; in CI
// it fails.
func Open(t testing.TB, problems func(string)) context.Context {
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
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.UserDataDir(t.TempDir()))
	limited, cancelTime := context.WithTimeout(context.Background(), 20*time.Minute)
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

// Contrast is JavaScript that lists the texts that are hard to read: a contrast with
// their background below 4.5 (WCAG 2.1, 1.4.3), or 3 where they are large.
const Contrast = `(() => {
  const parse = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const linear = (byte) => { const v = byte / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => [r, g, b].map(linear)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const bad = [];
  for (const e of document.querySelectorAll("body *")) {
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (e.closest("svg") || !text) continue;
    const style = getComputedStyle(e);
    if (style.visibility === "hidden" || !e.getClientRects().length || e.closest(".hidden")) continue;
    let ground = [255, 255, 255];
    for (let p = e; p; p = p.parentElement) {
      const c = parse(getComputedStyle(p).backgroundColor);
      if (c.length === 3 || c[3] > 0.5) { ground = c; break; }
    }
    const a = light(parse(style.color)), b = light(ground);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || size >= 18.6 && parseInt(style.fontWeight) >= 700;
    const found = ratio.toFixed(2) + " " + e.tagName + " " + e.textContent.trim().slice(0, 40);
    if (ratio < (large ? 3 : 4.5)) bad.push(found);
  }
  return bad;
})()`
