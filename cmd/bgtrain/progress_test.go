package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/internal/nets"
	"bgtrain/internal/stats"
	"bgtrain/trainer"
)

// shared is what several goroutines may write to.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Len()
}

// A bar that has ended draws no more, though its total was not known at first.
func TestEndedBarIsQuiet(t *testing.T) {
	var out shared
	p := newProgress(&env{Stderr: &out, Terminal: true}, 0, "decisions")
	p.said = time.Time{} // draw at once
	p.Set(50, 2000)
	p.end()
	was := out.len()
	time.Sleep(300 * time.Millisecond)
	if now := out.len(); was == 0 || now != was {
		t.Errorf("%d bytes at the end, %d later", was, now)
	}
}

// What is shown of a long run, without and with a terminal.
func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := newProgress(&env{Stderr: &out}, 300000, "positions")
	p.now = func() time.Time { return now }
	p.begun, p.said = now, now
	at := func(seconds float64, done int) {
		now = time.Unix(0, int64(seconds*1e9))
		p.Set(done, 0)
	}
	at(0, 20000) // of an earlier run
	at(31, 20000)
	at(62, 42000)
	p.Note("alpha 0.1")
	at(100, 300000)
	p.Done()
	want := `20000 of 300000 positions
42000 of 300000 positions, 355 a second, 12m7s left
300000 of 300000 positions, 2800 a second, in 1m40s, alpha 0.1
300000 of 300000 positions, 2800 a second, in 1m40s, alpha 0.1
`
	if out.String() != want {
		t.Errorf("without a terminal:\n%s\nwant\n%s", out.String(), want)
	}

	out.Reset()
	p.said = now
	at(110, 0) // another net
	at(131, 42000)
	if want := "42000 of 300000 positions, 2000 a second, 2m9s left, alpha 0.1\n"; out.String() != want {
		t.Errorf("another part: %s\nwant %s", out.String(), want)
	}

	out.Reset()
	now = time.Unix(100, 0)
	p = newProgress(&env{Stderr: &out, Terminal: true}, 10, "games")
	p.now = func() time.Time { return now }
	p.begun, p.said = now, now
	at(100.1, 3)
	at(102, 5)
	if shown := out.String(); !strings.Contains(shown, "5 of 10 games, 1.0 a second") || strings.Contains(shown, "\n") {
		t.Errorf("on a terminal: %q", shown)
	}
	out.Reset()
	p.Line("epoch 1")
	if shown := out.String(); !strings.HasSuffix(shown, "epoch 1\n") || !strings.Contains(shown, "\r") {
		t.Errorf("a line that stays: %q", shown)
	}
	out.Reset()
	at(104, 10)
	p.Done()
	if shown := out.String(); !strings.Contains(shown, "10 of 10 games") || !strings.HasSuffix(shown, "\r") {
		t.Errorf("at the end: %q", shown)
	}
	if p := newProgress(&env{Stderr: &out}, 0, "rows"); p.text() != "0 rows" {
		t.Errorf("of an unknown total: %s", p.text())
	}
	for rate, want := range map[float64]string{0.034: "0.03", 7.25: "7.2", 278100: "278100", 1356716: "1356716"} {
		if got := stats.Rate(rate); got != want {
			t.Errorf("rate %v: %s", rate, got)
		}
	}
}

// What has no room is left out as a whole.
func TestCutText(t *testing.T) {
	const text = "7 of 9 positions, 25 a second, 3.0s left"
	for room, want := range map[int]string{99: text, 40: text, 39: "7 of 9 positions, 3.0s left",
		20: "7 of 9 positions", 3: "7 o", 0: "", -5: ""} {
		if got := cutText(text, room); got != want {
			t.Errorf("room for %d: %q, %q expected", room, got, want)
		}
	}
}

// Of the first of several nets the bar shows which one it is, and how long it and, about, all
// will take: also where a terminal of 80 columns has no room for more. The last has nothing
// after it, and one net alone is no part.
func TestProgressOfSeveralNets(t *testing.T) {
	var out strings.Builder
	plan := []trainer.Planned{{Role: "contact", Rows: 1e6, Cost: 1000}, {Role: "crashed", Rows: 5e5, Cost: 1000},
		{Role: "race", Rows: 4e5, Cost: 500}}
	h := trainHooks(&env{Stderr: &out, Terminal: true}, 10, false)
	h.Plan(plan)
	part, after := partOf(plan, "contact", 10)
	if part != "net 1 of 3" || after != 7e6 {
		t.Errorf("%q, %v after it", part, after)
	}
	now := time.Unix(0, 0)
	show := func(role nets.Role) string {
		p := newProgress(&env{Stderr: &out}, 1e7, "positions")
		p.now = func() time.Time { return now }
		p.begun, p.said, now = now, now, now.Add(20*time.Second)
		p.part, p.after = partOf(plan, role, 10)
		p.first, p.done = 0, 2e6
		return p.text()
	}
	const first = "net 1 of 3, 1m20s left, all about 2m30s, 2000000 of 10000000 positions, 100000 a second"
	if got := show("contact"); got != first {
		t.Errorf("%q, want %q", got, first)
	}
	if got := cutText(show("contact"), 80-barWidth-10); got != "net 1 of 3, 1m20s left, all about 2m30s" {
		t.Errorf("in 80 columns: %q", got)
	}
	if got := show("race"); got != "net 3 of 3, 1m20s left, 2000000 of 10000000 positions, 100000 a second" {
		t.Errorf("the last: %q", got)
	}
	plan = nil
	if got := show("race"); got != "2000000 of 10000000 positions, 100000 a second, 1m20s left" {
		t.Errorf("one net: %q", got)
	}
}

// The bars of train are those of several nets.
func TestTrainShowsWhichNet(t *testing.T) {
	dir := t.TempDir()
	trainingDB(t, filepath.Join(dir, "db.parquet"), 100)
	for which, want := range map[string]bool{"contact,crashed,race": true, "race": false} {
		status, _, errs := bgtrainIn(t, dir, "train", "db.parquet", "--from", "random", "--hidden", "4", "--epochs", "2",
			"--nets", which, "--force", "-o", "n.safetensors")
		if status != exitDone {
			t.Fatal(errs)
		}
		for _, part := range []string{"\nnet 1 of 3, ", "\nnet 2 of 3, ", "\nnet 3 of 3, "} {
			if strings.Contains(errs, part) != want {
				t.Errorf("%s: %q in\n%s", which, part, errs)
			}
		}
	}
}

// The line of an epoch that stays names its net once.
func TestEpochLineNamesItsNetOnce(t *testing.T) {
	var out strings.Builder
	h := trainHooks(&env{Stderr: &out, Terminal: true}, 3, false)
	h.Net("contact", 10, 1, 0)
	h.Note("contact, epoch 1, equity error 0.05")
	if shown := out.String(); !strings.HasSuffix(shown, "held out\ncontact, epoch 1, equity error 0.05\n") {
		t.Errorf("%q", shown)
	}
}
