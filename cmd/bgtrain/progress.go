package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bgtrain/internal/stats"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a long command is: a bar on a terminal, a line now and
// then elsewhere.
type progress struct {
	out   io.Writer
	bar   *progressbar.ProgressBar // nil without a terminal
	width int                      // of the terminal
	now   func() time.Time         // the clock

	unit  string
	total int
	done  int
	first int // done when the first Set came: not this run's work; -1 before
	begun time.Time
	said  time.Time
	note  string
	drawn bool // a line stands on the terminal

	part  string  // of the whole, such as net 1 of 3; "": all of it
	after float64 // an estimate of what comes after this part, in its units; 0: nothing
}

// clearLine takes off what an interrupted command left on the terminal's line.
const clearLine = "\r\x1b[K"

// How often the bar is drawn on a terminal, and written elsewhere.
const (
	drawEvery = 200 * time.Millisecond
	sayEvery  = 30 * time.Second
)

func newProgress(e *env, total int, unit string) *progress {
	p := &progress{out: e.drawing(), width: 80, now: time.Now, unit: unit, total: total, first: -1}
	if f, ok := p.out.(interface{ Fd() uintptr }); ok && e.Terminal {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			p.width = w
		}
	}
	if e.Terminal {
		p.bar = newBar(p.out, total)
	}
	p.begun = p.now()
	p.said = p.begun
	return p
}

// barWidth is how many columns the bar itself has.
const barWidth = 20

// newBar returns the bar of a terminal. What it says besides is progress.text: the
// rates and times of the library are in powers of ten.
func newBar(out io.Writer, total int) *progressbar.ProgressBar {
	if total <= 0 {
		total = -1 // not known: a spinner
	}
	return progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionSetWidth(barWidth),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetRenderBlankState(false), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0)) // else a goroutine would draw for ever
}

// Set shows how much is done altogether, and of how much; a total of 0 leaves it as
// it was. Less done than before is another part, such as the next net: its rate is its own.
func (p *progress) Set(done, total int) {
	if done < p.done {
		p.first, p.begun = done, p.now()
	}
	if p.done = done; total > 0 && total != p.total {
		if p.total = total; p.bar != nil {
			p.bar.ChangeMax(total)
		}
	}
	if p.first < 0 {
		p.first = done
	}
	every := sayEvery
	if p.bar != nil {
		every = drawEvery
	}
	if p.now().Sub(p.said) >= every {
		p.say()
	}
}

// Note adds a remark to what is shown.
func (p *progress) Note(s string) { p.note = strings.Map(control, s) }

// Line writes a line that stays, above what is drawn.
func (p *progress) Line(text string) {
	p.clear()
	fmt.Fprintln(p.out, strings.Map(control, text))
}

// Done ends the display: nothing is left of it on a terminal, and elsewhere a
// last line describes what was done, if anything.
func (p *progress) Done() {
	if p.bar != nil || p.first < 0 {
		p.clear()
		return
	}
	p.say()
}

// end ends the display of a command whose results describe what was done. A nil
// progress has none.
func (p *progress) end() {
	if p != nil {
		p.clear()
	}
}

// stages shows one stage of a command's work after another.
type stages struct {
	e    *env
	bar  *progress
	unit string
}

// begin ends the stage before, and returns what is called as a player goes on with a
// file.
func (s *stages) begin(unit, player, file string, total int) func(done, total int) {
	s.end()
	s.bar = newProgress(s.e, total, unit)
	s.bar.Note(player + " on " + file)
	return s.bar.Set
}

// set shows how far a stage is that counts in some unit, the first or another one.
func (s *stages) set(unit string, done, total int) {
	if s.bar == nil || s.unit != unit {
		s.done()
		s.bar, s.unit = newProgress(s.e, total, unit), unit
	}
	s.bar.Set(done, total)
}

// end ends the last stage of a command whose results describe what was done, done that of
// another.
func (s *stages) end() { s.bar.end() }

func (s *stages) done() {
	if s.bar != nil {
		s.bar.Done()
	}
}

// clear takes the bar off the terminal. What cannot be drawn is no reason to stop.
func (p *progress) clear() {
	if p.drawn {
		_ = p.bar.Clear()
		p.drawn = false
	}
}

func (p *progress) say() {
	p.said = p.now()
	text := p.text()
	if p.bar == nil {
		fmt.Fprintln(p.out, text)
		return
	}
	// Beside the bar there are its frame and the per cent.
	text = cutText(text, p.width-barWidth-10)
	p.bar.Describe(text)
	_ = p.bar.Set(min(p.done, max(p.total-1, 0))) // finished, it would draw no more
	p.drawn = true
}

// cutText leaves out what has no room: of the parts between commas the rate, then what is
// at the end, and of the first part letters.
func cutText(text string, room int) string {
	if parts := strings.Split(text, ", "); utf8.RuneCountInString(text) > room {
		text = strings.Join(slices.DeleteFunc(parts, func(part string) bool {
			return strings.HasSuffix(part, aSecond)
		}), ", ")
	}
	for utf8.RuneCountInString(text) > room {
		i := strings.LastIndex(text, ", ")
		if i < 0 {
			return string([]rune(text)[:max(0, room)])
		}
		text = text[:i]
	}
	return text
}

// aSecond ends a rate.
const aSecond = " a second"

// text is what is shown: what is done, how fast, how long it will take. Of a part of the
// whole that is first which one it is, and how long that and about how long all will take.
func (p *progress) text() string {
	done := fmt.Sprintf("%d %s", p.done, p.unit)
	if p.total > 0 {
		done = fmt.Sprintf("%d of %d %s", p.done, p.total, p.unit)
	}
	elapsed := p.now().Sub(p.begun)
	var times []string
	speed := ""
	rate := float64(p.done-max(p.first, 0)) / elapsed.Seconds()
	if rate > 0 && elapsed >= drawEvery {
		takes := func(units float64) string { return stats.Seconds(units / rate) }
		speed = stats.Rate(rate) + aSecond
		left := float64(p.total - p.done)
		if left > 0 {
			times = append(times, takes(left)+" left")
		} else {
			times = append(times, "in "+stats.Duration(elapsed))
		}
		if p.after > 0 {
			times = append(times, "all about "+takes(max(0, left)+p.after))
		}
	}
	words := append([]string{done, speed}, times...)
	if p.part != "" {
		words = append(append([]string{p.part}, times...), done, speed)
	}
	words = append(words, p.note)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}
