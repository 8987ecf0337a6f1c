package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// progress shows how far a long command is: a line that is drawn again and again
// on a terminal, a line now and then elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	width    int              // of the terminal
	now      func() time.Time // the clock

	unit  string
	total int
	done  int
	first int // done when the first Set came: not this run's work; -1 before
	begun time.Time
	said  time.Time
	note  string
	drawn bool // a line stands on the terminal
}

// How often the line is drawn on a terminal, and written elsewhere.
const (
	drawEvery = 200 * time.Millisecond
	sayEvery  = 30 * time.Second
)

func newProgress(e *env, total int, unit string) *progress {
	p := &progress{out: e.Stderr, terminal: e.Terminal, width: 80, now: time.Now, unit: unit, total: total, first: -1}
	if f, ok := e.Stderr.(interface{ Fd() uintptr }); ok && e.Terminal {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			p.width = w
		}
	}
	p.begun = p.now()
	p.said = p.begun
	return p
}

// Set tells how much is done altogether.
func (p *progress) Set(done int) {
	p.done = done
	if p.first < 0 {
		p.first = done
	}
	every := sayEvery
	if p.terminal {
		every = drawEvery
	}
	if p.now().Sub(p.said) >= every {
		p.say()
	}
}

// Note adds a remark to what is shown.
func (p *progress) Note(s string) { p.note = s }

// Line writes a line that stays, above what is drawn.
func (p *progress) Line(text string) {
	p.clear()
	fmt.Fprintln(p.out, text)
}

// Done ends the display: nothing is left of it on a terminal, and elsewhere a
// last line says what was done.
func (p *progress) Done() {
	if p.terminal {
		p.clear()
		return
	}
	p.say()
}

// end ends the display of a command whose results say what was done. A nil
// progress has none.
func (p *progress) end() {
	if p != nil {
		p.clear()
	}
}

// clear takes the line off the terminal.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.out, clearLine)
		p.drawn = false
	}
}

// clearLine takes off what stands on the terminal's line.
const clearLine = "\r\x1b[K"

func (p *progress) say() {
	p.said = p.now()
	text := p.text()
	if !p.terminal {
		fmt.Fprintln(p.out, text)
		return
	}
	const bar = 20
	if p.total > 0 {
		full := min(bar*p.done/p.total, bar)
		text = "[" + strings.Repeat("=", full) + strings.Repeat(" ", bar-full) + "] " + text
	}
	if utf8.RuneCountInString(text) >= p.width {
		text = string([]rune(text)[:p.width-1])
	}
	fmt.Fprint(p.out, clearLine+text)
	p.drawn = true
}

// text is what is shown: what is done, how fast, how long it will take.
func (p *progress) text() string {
	var b strings.Builder
	if p.total > 0 {
		fmt.Fprintf(&b, "%d of %d %s", p.done, p.total, p.unit)
	} else {
		fmt.Fprintf(&b, "%d %s", p.done, p.unit)
	}
	elapsed := p.now().Sub(p.begun)
	rate := float64(p.done-max(p.first, 0)) / elapsed.Seconds()
	if rate > 0 && elapsed >= drawEvery {
		fmt.Fprintf(&b, ", %s a second", rateText(rate))
		if left := p.total - p.done; left > 0 {
			fmt.Fprintf(&b, ", %v left", durationText(time.Duration(float64(left)/rate*float64(time.Second))))
		} else {
			fmt.Fprintf(&b, ", in %v", durationText(elapsed))
		}
	}
	if p.note != "" {
		b.WriteString(", " + p.note)
	}
	return b.String()
}

// rateText is a rate for people: never in powers of ten.
func rateText(rate float64) string {
	switch {
	case rate < 1:
		return fmt.Sprintf("%.2f", rate)
	case rate < 100:
		return fmt.Sprintf("%.1f", rate)
	}
	return fmt.Sprintf("%.0f", rate)
}

// durationText is a time for people, in seconds at the finest.
func durationText(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}
