package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far a long command is: a bar with rate and time left on a
// terminal, a line now and then elsewhere.
type progress struct {
	e     *env
	bar   *progressbar.ProgressBar // nil without a terminal
	unit  string
	total int
	done  int
	first int // done when the first Set came: not this run's work
	begun time.Time
	said  time.Time
	note  string
}

// sayEvery is how often a line is logged where there is no terminal.
const sayEvery = 30 * time.Second

func newProgress(e *env, total int, unit string) *progress {
	p := &progress{e: e, unit: unit, total: total, begun: time.Now(), said: time.Now(), first: -1}
	if e.Terminal {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(e.Stderr),
			progressbar.OptionSetItsString(unit),
			progressbar.OptionShowIts(), progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(200*time.Millisecond), progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish())
	}
	return p
}

// Set tells how much is done altogether.
func (p *progress) Set(done int) {
	p.done = done
	if p.first < 0 {
		p.first = done
	}
	if p.bar != nil {
		_ = p.bar.Set(done) // a bar that cannot be drawn is no reason to stop
		return
	}
	if time.Since(p.said) >= sayEvery {
		p.say()
	}
}

// Note adds a remark to what is shown.
func (p *progress) Note(s string) {
	p.note = s
	if p.bar != nil {
		p.bar.Describe(s)
	}
}

// Done ends the display.
func (p *progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		return
	}
	p.say()
}

func (p *progress) say() {
	p.said = time.Now()
	rate := float64(p.done-max(p.first, 0)) / time.Since(p.begun).Seconds()
	left := "?"
	if rate > 0 {
		left = (time.Duration(float64(p.total-p.done)/rate) * time.Second).String()
	}
	note := p.note
	if note != "" {
		note = ", " + note
	}
	fmt.Fprintf(p.e.Stderr, "%d of %d %s, %.4g a second, %s left%s\n", p.done, p.total, p.unit, rate, left, note)
}
