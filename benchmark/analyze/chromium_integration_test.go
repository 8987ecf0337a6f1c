//go:build integration

package analyze

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bgtrain/internal/browsertest"

	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browse opens the page of the recorded match in a headless Chromium.
func browse(t *testing.T) (context.Context, *Analysis) {
	t.Helper()
	a := analyzed(t, func(s *Settings) { s.Rollouts, s.Trials, s.Truncate = 3, 36, 3 })
	file := filepath.Join(t.TempDir(), "match.html")
	if err := os.WriteFile(file, []byte(pageOf(t, a)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	do(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+file), chromedp.WaitReady("#cards"))
	return ctx, a
}

// do runs steps in the page.
func do(t *testing.T, ctx context.Context, steps ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// evaluate is what an expression of JavaScript gives.
func evaluate[T any](t *testing.T, ctx context.Context, script string) (out T) {
	t.Helper()
	do(t, ctx, chromedp.Evaluate(script, &out))
	return out
}

// current is the ID of the decision that was gone to, where all of its board can be seen.
const current = `(() => {
  const card = document.querySelector(".decision.current");
  if (!card) return "none";
  const board = card.querySelector("svg").getBoundingClientRect();
  return board.top >= 0 && board.bottom <= innerHeight ? card.id : card.id + " out of sight";
})()`

// Keys and buttons go from decision to decision, of those that are shown, in their order; a
// mark on the graph leads to its decision.
func TestChromiumKeys(t *testing.T) {
	ctx, a := browse(t)
	var ids []string // of all cards
	worst, theirs := "", ""
	loss := 0.0
	for i := range a.Decisions {
		d := &a.Decisions[i]
		if !d.Wrong() {
			continue
		}
		ids = append(ids, cardID(i))
		if d.Player == 1 && theirs == "" {
			theirs = cardID(i)
		}
		if d.Loss > loss {
			worst, loss = cardID(i), d.Loss
		}
	}
	at := func(after, want string) {
		t.Helper()
		if got := evaluate[string](t, ctx, current); got != want {
			t.Errorf("after %s at %s, %s expected", after, got, want)
		}
	}
	for _, c := range []struct {
		key  string
		want int
	}{{kb.ArrowRight, 0}, {kb.ArrowRight, 1}, {"n", 2}, {"j", 3}, {kb.ArrowLeft, 2}, {"p", 1}, {"k", 0}, {kb.ArrowLeft, 0}} {
		do(t, ctx, chromedp.KeyEvent(c.key))
		at(strconv.Quote(c.key), ids[c.want])
	}
	do(t, ctx, chromedp.Click("#next", chromedp.ByQuery))
	at("the button next", ids[1])
	do(t, ctx, chromedp.Click("#previous", chromedp.ByQuery))
	at("the button previous", ids[0])

	set := func(name, value string) {
		t.Helper()
		do(t, ctx, chromedp.SetValue("#bar [name="+name+"]", value, chromedp.ByQuery),
			chromedp.Evaluate(fmt.Sprintf(`document.querySelector("#bar [name=%s]")
				.dispatchEvent(new Event("input", {bubbles: true})); document.activeElement.blur();
				document.querySelectorAll(".current").forEach((c) => c.classList.remove("current"))`, name), nil))
	}
	set("order", "loss")
	do(t, ctx, chromedp.KeyEvent("n"))
	at("next of the worst first", worst)
	set("order", "game")
	set("who", "1")
	do(t, ctx, chromedp.KeyEvent("n"))
	at("next of the second player's", theirs)
	set("who", "")

	mark := evaluate[string](t, ctx, `document.querySelector(".graph.wide a[href^='#d']").getAttribute("href").slice(1)`)
	do(t, ctx, chromedp.Evaluate(`document.querySelector(".graph.wide a[href='#`+mark+`']").dispatchEvent(
		new MouseEvent("click", {bubbles: true, cancelable: true}))`, nil), chromedp.Poll(`document.querySelector(".current")`, nil))
	at("a click on a mark", mark)
}

// tooWide lists what is wider than the page and cannot be scrolled to.
const tooWide = `[...document.querySelectorAll("body *")].filter((e) => {
  const r = e.getBoundingClientRect();
  return r.width && r.right > document.documentElement.clientWidth + 1 && !e.closest(".scroll, svg, .hidden");
}).slice(0, 5).map((e) => ` + "`${e.tagName}.${e.className} to ${e.getBoundingClientRect().right}: `" + ` +
  e.textContent.trim().replace(/\s+/g, " ").slice(0, 30))`

// At 1280 and 390 pixels nothing is cut off, and all can be read.
func TestChromiumWidths(t *testing.T) {
	ctx, _ := browse(t)
	for _, width := range []int64{1280, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900))
		if wide := evaluate[int64](t, ctx, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("at %d pixels the page has %d: %v", width, wide, evaluate[[]string](t, ctx, tooWide))
		}
		if cut := evaluate[[]string](t, ctx, tooWide); len(cut) > 0 {
			t.Errorf("at %d pixels: %v", width, cut)
		}
		if pale := evaluate[[]string](t, ctx, browsertest.Contrast); len(pale) > 0 {
			t.Errorf("at %d pixels, hard to read: %v", width, pale)
		}
	}
}

// The page of several matches: at 390 pixels its tables need not be scrolled.
func TestChromiumFolder(t *testing.T) {
	a := analyzed(t, func(*Settings) {})
	var page strings.Builder
	if err := NewFolder([]Entry{a.Entry("a-match-of-autumn.mat", "a.html"), a.Entry("b.mat", "b.html")}).WritePage(&page, ""); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, []byte(page.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	for _, width := range []int64{1280, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+file), chromedp.WaitReady("#matches"))
		for _, script := range []string{browsertest.Contrast, `[...document.querySelectorAll(".scroll, html")].filter(
			(e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent.slice(0, 40))`} {
			if found := evaluate[[]string](t, ctx, script); len(found) > 0 {
				t.Errorf("at %d pixels: %q", width, found)
			}
		}
	}
}

// On A4 paper there is everything, also what is folded on the screen, nine decisions a page,
// and nothing is wider than it.
func TestChromiumPrint(t *testing.T) {
	ctx, a := browse(t)
	const mm = 96 / 25.4
	width, height := int64(math.Round((210-2*12)*mm)), (297-2*14)*mm // within the margins
	do(t, ctx, chromedp.EmulateViewport(width, 1000), emulation.SetEmulatedMedia().WithMedia("print"))
	if cut := evaluate[[]string](t, ctx, tooWide); len(cut) > 0 {
		t.Errorf("wider than the paper: %v", cut)
	}
	cards := evaluate[[]float64](t, ctx, `[...document.querySelectorAll(".decision")].map(
		(c) => c.getBoundingClientRect().height)`)
	three := 0 // cards of which three are on a page; rollouts need more room
	for i, h := range cards {
		if h > (height-10)/2 {
			t.Errorf("card %d is %.0f pixels high: two do not fit on %.0f", i+1, h, height)
		}
		if h < (height-20)/3 {
			three++
		}
	}
	if 4*three < 3*len(cards) {
		t.Errorf("only %d of %d cards are a third of a page", three, len(cards))
	}
	rows := evaluate[int](t, ctx, `[...document.querySelectorAll(".moves tbody tr")].filter(
		(r) => r.checkVisibility({contentVisibilityAuto: true}) && r.getBoundingClientRect().height).length`)
	if rows != len(a.Turns) {
		t.Errorf("%d of %d moves are printed", rows, len(a.Turns))
	}
	var pdf []byte
	do(t, ctx, chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = cdpage.PrintToPDF().WithPreferCSSPageSize(true).WithPaperWidth(210 / 25.4).WithPaperHeight(297 / 25.4).Do(ctx)
		return err
	}))
	pages := bytes.Count(pdf, []byte("/Type /Page\n"))
	least := (len(cards) + 8) / 9
	if most := least + 3 + len(a.Turns)/60; pages < least || pages > most {
		t.Errorf("%d decisions and %d moves on %d pages, %d to %d expected", len(cards), len(a.Turns), pages, least, most)
	}
	t.Logf("%d decisions and %d moves on %d pages", len(cards), len(a.Turns), pages)
	if out := os.Getenv("PRINTED"); strings.HasSuffix(out, ".pdf") { // to be looked at
		if err := os.WriteFile(out, pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
