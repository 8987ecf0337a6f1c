//go:build integration

package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bgtrain/internal/browsertest"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// openPage opens the page of testInput in a headless Chromium, at the width of a desktop.
func openPage(t *testing.T) context.Context {
	t.Helper()
	page := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(page, []byte(writePage(t, testInput(t))), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 2000)); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Run(ctx, chromedp.Navigate("file://"+page), chromedp.WaitReady("#worst")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// do runs steps in the page.
func do(t *testing.T, ctx context.Context, steps ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// list returns what an expression of JavaScript gives, a list of texts.
func list(t *testing.T, ctx context.Context, script string) (out []string) {
	t.Helper()
	do(t, ctx, chromedp.Evaluate("[..."+script+"].map(String)", &out))
	return out
}

// Tables sort by the column whose head is clicked, and the other way when it is again.
func TestIntegrationTablesSort(t *testing.T) {
	ctx := openPage(t)
	const table = "#scores table:not(.small)"
	cells := fmt.Sprintf("document.querySelector(%q).tBodies[0].querySelectorAll('tr')", table)
	order := func(column int) (out []string) {
		for _, text := range list(t, ctx, fmt.Sprintf("[...%s].map((r) => r.cells[%d].textContent)", cells, column)) {
			out = append(out, strings.TrimSpace(text))
		}
		return out
	}
	state := func(column int) (s string) {
		do(t, ctx, chromedp.Evaluate(fmt.Sprintf("document.querySelector(%q).tHead.rows[0].cells[%d]"+
			".getAttribute('aria-sort') || ''", table, column), &s))
		return s
	}
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(strings.Fields(strings.ReplaceAll(text, "−", "-"))[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	head := func(column int) string { return fmt.Sprintf("%s thead th:nth-child(%d) button.sort", table, column+1) }
	if len(order(0)) < 2 {
		t.Fatalf("players %v: nothing to sort", order(0))
	}
	do(t, ctx, chromedp.Click(head(1), chromedp.ByQuery))
	up := order(1)
	if !slices.IsSortedFunc(up, func(a, b string) int { return int(1e6 * (number(a) - number(b))) }) ||
		state(1) != "ascending" {
		t.Errorf("by ER: %v, %s", up, state(1))
	}
	do(t, ctx, chromedp.Click(head(1), chromedp.ByQuery))
	down := order(1)
	if slices.Reverse(up); !slices.Equal(up, down) || state(1) != "descending" {
		t.Errorf("by ER again: %v, %s", down, state(1))
	}
	do(t, ctx, chromedp.Click(head(0), chromedp.ByQuery))
	if names := order(0); !slices.IsSorted(names) || state(0) != "ascending" || state(1) != "" {
		t.Errorf("by name: %v, %s, ER %s", names, state(0), state(1))
	}
}

// The numbers on top stay inside their tiles.
func TestIntegrationTiles(t *testing.T) {
	ctx := openPage(t)
	for _, width := range []int64{1280, 900, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Evaluate(
			`document.querySelectorAll(".tile .value").forEach((v) => { v.textContent = "45 422 213"; })`, nil))
		if cut := list(t, ctx, `[...document.querySelectorAll(".tile")].filter((e) => e.scrollWidth > e.clientWidth)
			.map((e) => e.textContent)`); len(cut) > 0 {
			t.Errorf("at %d pixels: %q", width, cut)
		}
	}
}

// Decisions filter by class, plan and loss; sections fold.
func TestIntegrationDecisionsFilter(t *testing.T) {
	ctx := openPage(t)
	const shown = `document.querySelectorAll('#worst .card:not([hidden])')`
	cards := func(of string) []string {
		return list(t, ctx, fmt.Sprintf("[...%s].map((c) => c.dataset.%s)", shown, of))
	}
	set := func(name, value string) {
		t.Helper()
		do(t, ctx, chromedp.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelector('#filter [name=%s]');
			e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); })()`, name, value), nil))
	}
	said := func() (s string) {
		do(t, ctx, chromedp.Text("#shown", &s, chromedp.ByQuery))
		return s
	}
	all := cards("loss")
	classes, plans := cards("class"), cards("plan")
	if len(all) < 2 {
		t.Fatalf("%d decisions: nothing to choose from", len(all))
	}
	for _, c := range []struct{ name, of, value string }{{"class", "class", classes[0]}, {"plan", "plan", plans[0]}} {
		set(c.name, c.value)
		got, want := cards(c.of), 0
		for _, v := range map[string][]string{"class": classes, "plan": plans}[c.of] {
			if v == c.value {
				want++
			}
		}
		if len(got) != want || slices.ContainsFunc(got, func(v string) bool { return v != c.value }) ||
			said() != fmt.Sprintf("%d shown", want) {
			t.Errorf("%s %s: %v, %q, %d expected", c.name, c.value, got, said(), want)
		}
		set(c.name, "")
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(b, a) })
	set("loss", all[0])
	if got := cards("loss"); len(got) == 0 || len(got) == len(all) && all[0] != all[len(all)-1] ||
		slices.ContainsFunc(got, func(v string) bool { return v < all[0] }) {
		t.Errorf("loss from %s: %v of %v", all[0], got, all)
	}
	set("loss", "99")
	if got := cards("loss"); len(got) != 0 || said() != "0 shown" {
		t.Errorf("loss from 99: %v, %s", got, said())
	}
	set("loss", "0")
	if got := cards("loss"); len(got) != len(all) {
		t.Errorf("%d of %d decisions are shown again", len(got), len(all))
	}
	// The first section is open; its head closes and opens it.
	open := func() (o bool) {
		do(t, ctx, chromedp.Evaluate("document.querySelector('#worst details').open", &o))
		return o
	}
	before := open()
	do(t, ctx, chromedp.Click("#worst details summary", chromedp.ByQuery))
	if open() == before {
		t.Error("a section does not fold")
	}
	do(t, ctx, chromedp.Click("#worst details summary", chromedp.ByQuery))
	if open() != before {
		t.Error("a section does not unfold")
	}
}

// The copy buttons copy what stands beside them, and say so.
func TestIntegrationIDsAreCopied(t *testing.T) {
	ctx := openPage(t)
	do(t, ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		return browser.GrantPermissions([]browser.PermissionType{browser.PermissionTypeClipboardReadWrite,
			browser.PermissionTypeClipboardSanitizedWrite}).Do(ctx)
	}))
	for i, kind := range []string{"Position ID", "XGID"} {
		button := fmt.Sprintf("#worst details[open] .card .ids button.copy:nth-of-type(%d)", i+1)
		var beside, text, label string
		do(t, ctx, chromedp.WaitVisible(button, chromedp.ByQuery),
			chromedp.Text(fmt.Sprintf("#worst details[open] .card .ids code:nth-of-type(%d)", i+1), &beside,
				chromedp.ByQuery),
			// What a page wrote is read by pasting it, as a person would.
			chromedp.Click(button, chromedp.ByQuery),
			// The button says so when the clipboard has it, and for a while only.
			chromedp.Poll(fmt.Sprintf("document.querySelector(%q).textContent == 'copied' && 'copied'", button), &label,
				chromedp.WithPollingTimeout(0)),
			chromedp.Evaluate("navigator.clipboard.readText()", &text,
				func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
		if text != beside || label != "copied" || text == "" {
			t.Errorf("%s: %q copied, %q beside the button, which says %q", kind, text, beside, label)
		}
	}
}
