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

	"bgtrain/internal/bg"
	"bgtrain/internal/bgtest"
	"bgtrain/internal/browsertest"

	"github.com/chromedp/cdproto/emulation"
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
	for name, path := range map[string]string{"board": "/?dice=31", "over": "/?id=AAAAAAAAAAAAAA", "nonsense": "/?id=nonsense",
		"play": "/play", "api": "/api/", "runs": "/runs",
		"grown": "/grown", "grown-one": "/grown?run=base&time=wall",
		"database": "/database", "decisions": "/decisions", "problem": "/runs?scale=odd"} {
		for _, width := range []int64{1280, 390} {
			var wide bool
			var unreadable []string
			var shot []byte
			if err := chromedp.Run(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(server.URL+path),
				chromedp.WaitVisible("main", chromedp.ByQuery),
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

// until waits for a condition of a page, however long it takes.
func until(condition string) chromedp.Action {
	return chromedp.Poll(condition, nil, chromedp.WithPollingTimeout(0))
}

// click clicks the first element of a selector.
func click(selector string) chromedp.Action { return chromedp.Click(selector, chromedp.ByQuery) }

// press clicks the action of a name.
func press(name string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll("#actions button")].find((b) => b.textContent === %q).click()`, name),
		nil)
}

// The board: dice by clicks, a play by clicks and by a drag, the cube, a set-up by keys, two
// nets, a rollout that ends; the page of runs follows its files.
func TestChromiumUse(t *testing.T) {
	var dir string
	server := testServer(t, func(s *Settings) {
		dir, s.Nets = s.Files[0], []string{"other"}
		s.OpenNet = func(context.Context, string) (Opened, error) { return Opened{Player: bgtest.Player(t, 2)}, nil }
	})
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	judged := until("document.body.dataset.judged")
	one := bg.Board{Me: bg.Side{0: 1}}
	var plays, nets int
	var position, xgid, agree, rolled, setUp, title, after, why string
	dragged := `(() => {
		const board = document.getElementById("board"), at = (i) => {
			const r = board.querySelector('[data-at="' + i + '"]').getBoundingClientRect();
			return { clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, bubbles: true, button: 0, pointerId: 1 };
		};
		const spot = (i) => board.querySelector('[data-at="' + i + '"]');
		spot(5).dispatchEvent(new PointerEvent("pointerdown", at(5)));
		dispatchEvent(new PointerEvent("pointermove", at(5)));
		dispatchEvent(new PointerEvent("pointermove", at(4)));
		if (!board.querySelector(".dragged")) throw new Error("nothing is dragged");
		dispatchEvent(new PointerEvent("pointerup", at(4)));
	})()`
	if err := chromedp.Run(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL+"/"), judged,
		click(`[data-die="0:3"]`), click(`[data-die="1:1"]`), until(`document.body.dataset.judged.includes(":31:")`),
		chromedp.Evaluate(`document.querySelectorAll("tr[data-play]").length`, &plays),
		click(`#board [data-at="7"]`), until(`document.querySelector("#board .chosen")`), click(`#board [data-at="4"]`), // 8/5
		until(`!document.getElementById("undo").disabled`), chromedp.Evaluate(dragged, nil), // 6/5
		until(`!document.getElementById("play").hidden`), click("#play"), until(`document.body.dataset.judged.includes(":00:")`),
		chromedp.Text("#position", &position, chromedp.ByQuery),
		click(`[data-act="cube"]`), until(`document.body.dataset.judged.includes(":1:1:1:00:")`), chromedp.Text("#xgid", &xgid, chromedp.ByQuery),
		chromedp.SetValue("#beside", "other", chromedp.ByQuery),
		chromedp.Evaluate(`document.getElementById("beside").dispatchEvent(new Event("change"))`, nil),
		until(`document.querySelectorAll(".net").length === 2`), chromedp.Evaluate(`document.querySelectorAll(".net").length`, &nets),
		chromedp.Text(".agree", &agree, chromedp.ByQuery),
		chromedp.Evaluate(`bgtrain.whyLess([{ ply: 0 }, { ply: 0 }], 1)[0].textContent + bgtrain.words("no-double/take")`, &why),
		click("#roll"), until(`document.querySelectorAll("#rolled progress").length === 2 && document.getElementById("roll").textContent === "Roll out"`),
		chromedp.Text("#rolled", &rolled, chromedp.ByQuery),
		click("#empty"), until(`document.getElementById("position").textContent === "AAAAAAAAAAAAAA"`),
		chromedp.Focus(`#board [data-at="0"]`, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter),
		until(`document.getElementById("position").textContent !== "AAAAAAAAAAAAAA"`), chromedp.Text("#position", &setUp, chromedp.ByQuery),
		chromedp.Navigate(server.URL+"/runs"), until("document.getElementById('live').textContent.includes('now')"), chromedp.Text("h1", &title, chromedp.ByQuery),
		chromedp.ActionFunc(func(context.Context) error {
			return os.WriteFile(filepath.Join(dir, "later.curve.jsonl"), []byte(`{"games":7,"seconds":1}`+"\n"), 0o600)
		}),
		until("document.body.textContent.includes('later')"), chromedp.Text("#live", &after, chromedp.ByQuery)); err != nil {
		t.Fatal(err)
	}
	for what, ok := range map[string]bool{fmt.Sprintf("%d plays", plays): plays == 10,
		"after 8/5 6/5 " + position: position == "sGfwATDgc/ABMA", "xgid " + xgid: strings.Contains(xgid, ":1:1:1:00:"),
		fmt.Sprintf("%d nets, %s", nets, agree): nets == 2 && agree != "",
		"rollout " + rolled:                     strings.Contains(rolled, "72 of 72 trials") && strings.Contains(rolled, "With the cube"),
		"set up " + setUp:                       setUp == one.Key().PositionID(), "title " + title: title == "Training runs",
		"words " + why:  strings.HasPrefix(why, "Not searched at 1-ply") && strings.HasSuffix(why, "no double, take"),
		"live " + after: strings.Contains(after, "changed at")} {
		if !ok {
			t.Error(what)
		}
	}
}

// A match is played to its end by clicks, with advice, a tutor who is overruled, and the page
// of its analysis.
func TestChromiumPlay(t *testing.T) {
	server := testServer(t, nil)
	ctx := browsertest.Open(t, func(p string) { t.Error(p) })
	due := until("document.body.dataset.due")
	var state, result, href, page string
	var wide bool
	still := emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}})
	if err := chromedp.Run(ctx, still, chromedp.EmulateViewport(390, 900), chromedp.Navigate(server.URL+"/play"),
		chromedp.SetValue("#length", "1", chromedp.ByQuery), chromedp.SetValue("#ply", "0", chromedp.ByQuery), click("#begin button")); err != nil {
		t.Fatal(err)
	}
	for n := 0; state != "over"; n++ {
		if n > 2000 {
			t.Fatal("the match does not end")
		}
		if err := chromedp.Run(ctx, due, chromedp.Evaluate("document.body.dataset.due", &state)); err != nil {
			t.Fatal(err)
		}
		var do chromedp.Action
		switch state {
		case "play":
			do = chromedp.Tasks{press("Advice"), until(`document.querySelector("#advised .play")`),
				chromedp.Evaluate(`document.body.dataset.due = ""; document.querySelector("#advised .play").click()`, nil)}
		case "roll":
			do = press("Roll")
		case "warned":
			do = chromedp.Evaluate(`document.body.dataset.due = ""; [...document.querySelectorAll("#warning button")].find((b) => b.textContent.startsWith("Do it")).click()`, nil)
		case "answer":
			do = press("Take")
		default:
			continue
		}
		if err := chromedp.Run(ctx, do); err != nil {
			t.Fatal(err)
		}
	}
	if err := chromedp.Run(ctx, chromedp.Text("#status", &result, chromedp.ByQuery),
		chromedp.Evaluate("document.documentElement.scrollWidth > innerWidth", &wide),
		chromedp.AttributeValue("#analysis", "href", &href, nil, chromedp.ByQuery)); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Run(ctx, chromedp.Navigate(server.URL+href), chromedp.WaitReady("#moves", chromedp.ByQuery), chromedp.Text("h1", &page, chromedp.ByQuery)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(result, "wins") || wide || !strings.HasSuffix(href, "/analysis") || !strings.Contains(page, "You against small") {
		t.Errorf("%q, wide %v, %q, %q", result, wide, href, page)
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
