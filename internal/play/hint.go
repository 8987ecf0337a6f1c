package play

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// mostHints is how many plays a hint lists.
const mostHints = 5

// hintPlay lists the best plays, which can then be played by number.
func (t *table) hintPlay(r *roll) {
	all, err := t.Candidates(nil)
	if err != nil {
		t.say("  %v", err)
		return
	}
	r.hints = r.hints[:0]
	t.say("     %-24s equity  loses  %s", "play", chances)
	for i := range all {
		c := &all[i]
		r.hints = append(r.hints, c.After)
		lost, ply := "", ""
		if i > 0 {
			lost = fmt.Sprintf("%.3f", c.Loss)
		}
		if c.Ply != all[0].Ply {
			ply = fmt.Sprintf("  (%d-ply)", c.Ply)
		}
		text := fmt.Sprintf("  %d. %-24s %+.3f  %5s  %s%s", i+1, bg.Notation(&r.board, &c.After, r.d1, r.d2), c.Equity,
			lost, percent(&c.Outputs), ply)
		if i == 0 {
			text = t.paint(green, text)
		}
		t.say("%s", text)
	}
	if len(all) > 1 {
		t.say("  a number from 1 to %d plays it", len(all))
	}
}

// chances heads what percent writes.
const chances = "  wins  gammons won, lost"

// percent writes the chances to win, to win a gammon and to lose one.
func percent(o *bg.Outputs) string {
	return fmt.Sprintf("%5.1f%%  %5.1f%% %5.1f%%", 100*o[bg.Win], 100*o[bg.WinGammon], 100*o[bg.LoseGammon])
}

// hintCube shows what the person should do with the cube.
func (t *table) hintCube() {
	d, p, err := t.Cube("double")
	if err != nil {
		t.say("  %v", err)
		return
	}
	c := d.Cube
	t.say("  %s", t.paint(green, "right: "+words(c.Action)))
	answered := min(c.DoubleTake, c.DoublePass)
	doubled := max(0, c.NoDouble-answered)
	t.hintLine("no double", c.NoDouble, answered-c.NoDouble)
	if c.DoubleTake < c.DoublePass { // a double loses against the right answer to it
		t.hintLine("double, take", c.DoubleTake, doubled)
		t.hintLine("double, pass", c.DoublePass, 0)
	} else {
		t.hintLine("double, take", c.DoubleTake, 0)
		t.hintLine("double, pass", c.DoublePass, doubled)
	}
	t.sayChances(&p.Outputs)
}

// hintAnswer shows how the person should answer a double.
func (t *table) hintAnswer() {
	d, p, err := t.Cube("take")
	if err != nil {
		t.say("  %v", err)
		return
	}
	c := d.Cube
	right := "pass"
	if c.Action.Takes() {
		right = "take"
	}
	t.say("  %s", t.paint(green, "right: "+right))
	least := min(c.DoubleTake, c.DoublePass)
	t.hintLine("take", -c.DoubleTake, c.DoubleTake-least)
	t.hintLine("pass", -c.DoublePass, c.DoublePass-least)
	mine := p.Outputs.Inverted()
	t.sayChances(&mine)
}

func (t *table) hintLine(what string, equity, loss float64) {
	lost := ""
	if loss >= 0.0005 {
		lost = fmt.Sprintf("  loses %.3f", loss)
	}
	t.say("  %-13s %+.3f%s", what, equity, lost)
}

// words writes a cube action as people do.
func words(a cube.Action) string {
	return strings.NewReplacer("/", ", ", "no-double", "no double", "too-good", "too good to double").Replace(string(a))
}

func (t *table) sayChances(o *bg.Outputs) {
	t.say("  you win %.1f%%, a gammon %.1f%%, and lose a gammon %.1f%%", 100*o[bg.Win], 100*o[bg.WinGammon],
		100*o[bg.LoseGammon])
}

// setTutor is the command tutor.
func (t *table) setTutor(args []string) {
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	switch loss, err := strconv.ParseFloat(word, 64); {
	case word == "":
		t.s.Tutor = !t.s.Tutor
	case word == "on" || word == "off":
		t.s.Tutor = word == "on"
	case err == nil && loss >= 0 && loss <= 10:
		t.s.Tutor, t.s.Threshold = true, loss
	default:
		t.say("  tutor, tutor on, tutor off, or a loss from 0 to 10 such as tutor 0.04 expected")
		return
	}
	if !t.s.Tutor {
		t.say("  the tutor is off")
		return
	}
	t.say("  the tutor is on, and asks before what loses more than %.3f", t.s.Threshold)
}

// sureOfPlay lets the tutor ask about a play. It reports whether it is to be made.
func (t *table) sureOfPlay(r *roll, after bg.Board) (bool, error) {
	if !t.s.Tutor {
		return true, nil
	}
	all, err := t.Candidates(&after)
	if err != nil {
		return false, err
	}
	for i := range all {
		if all[i].Made {
			return t.sure(bg.Notation(&r.board, &after, r.d1, r.d2), all[i].Loss)
		}
	}
	return true, nil
}

// sureOfCube lets the tutor ask about a cube action, where the net has a model of the cube.
func (t *table) sureOfCube(did string) (bool, error) {
	if !t.s.Tutor || !t.Judges() {
		return true, nil
	}
	d, _, err := t.Cube(did)
	if err != nil {
		return false, err
	}
	return t.sure(did, d.Loss)
}

// sure asks whether to do what loses more than the threshold.
func (t *table) sure(what string, loss float64) (bool, error) {
	if loss <= t.s.Threshold {
		return true, nil
	}
	warning := t.paint(yellow, fmt.Sprintf("  tutor: %s loses %.3f.", what, loss))
	for {
		line, err := t.ask(warning + " Do it anyway, yes or no? ")
		if err != nil {
			return false, err
		}
		switch line {
		case "y", "yes":
			return true, nil
		case "n", "no", "":
			return false, nil
		case "quit", "q", "exit":
			return false, errQuit
		}
		t.say("  yes or no expected")
	}
}
