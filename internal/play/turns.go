package play

import (
	"errors"
	"fmt"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
)

// step lets whoever has to act do so.
func (t *table) step() error {
	_, turn, _ := t.rec.Position()
	if turn == matchfile.None { // the larger die of the first roll begins
		if d1, d2 := t.dice(); d1 > d2 {
			return t.yourRoll()
		}
		return t.netRoll()
	}
	switch {
	case t.rec.Offered() == net:
		return t.yourAnswer()
	case t.rec.Offered() == you:
		return t.netAnswer()
	case turn == net:
		return t.netTurn()
	}
	return t.yourTurn()
}

func (t *table) netTurn() error {
	b, _, _ := t.rec.Position()
	s, err := t.state(net)
	if err != nil {
		return err
	}
	if t.rec.MayDouble(net) && s.MayDouble() && t.brain.Decide(&b, &s).Action.Doubles() {
		t.say("%s doubles to %d.", t.s.Net, 2*s.Cube)
		return t.rec.Double(net)
	}
	return t.netRoll()
}

func (t *table) netRoll() error {
	b, _, _ := t.rec.Position()
	s, err := t.state(net)
	if err != nil {
		return err
	}
	d1, d2 := t.dice()
	after := t.brain.Play(&b, d1, d2, &s)
	t.say("%s rolls %d%d: %s", t.s.Net, d1, d2, bg.Notation(&b, &after, d1, d2))
	return t.rec.Roll(net, d1, d2, after)
}

func (t *table) netAnswer() error {
	b, _, _ := t.rec.Position()
	s, err := t.state(you)
	if err != nil {
		return err
	}
	if t.brain.Decide(&b, &s).Action.Takes() {
		t.say("%s takes.", t.s.Net)
		return t.rec.Take(net)
	}
	t.say("%s passes.", t.s.Net)
	return t.rec.Drop(net)
}

func (t *table) yourTurn() error {
	s, err := t.state(you)
	if err != nil {
		return err
	}
	if !t.rec.MayDouble(you) || !s.MayDouble() { // or a double could win nothing
		return t.yourRoll()
	}
	t.draw()
	for {
		line, err := t.ask("roll (Enter) or double? ")
		if err != nil {
			return err
		}
		did := ""
		switch line {
		case "", "r", "roll":
			did = "no double"
		case "d", "double":
			did = "double"
		case "hint", "h":
			t.hintCube(&s)
			continue
		default:
			if done, err := t.common(line, "roll, double or hint"); done || err != nil {
				return err
			}
			continue
		}
		switch sure, err := t.sureOfCube(&s, did); {
		case err != nil:
			return err
		case sure && did == "double":
			return t.rec.Double(you)
		case sure:
			return t.yourRoll()
		}
	}
}

func (t *table) yourAnswer() error {
	t.draw()
	s, err := t.state(net)
	if err != nil {
		return err
	}
	for {
		line, err := t.ask(fmt.Sprintf("take or pass %d? ", 2*s.Cube))
		if err != nil {
			return err
		}
		did := ""
		switch line {
		case "t", "take":
			did = "take"
		case "p", "pass", "d", "drop":
			did = "pass"
		case "hint", "h":
			t.hintAnswer(&s)
			continue
		default:
			if done, err := t.common(line, "take, pass or hint"); done || err != nil {
				return err
			}
			continue
		}
		switch sure, err := t.sureOfCube(&s, did); {
		case err != nil:
			return err
		case sure && did == "take":
			return t.rec.Take(you)
		case sure:
			return t.rec.Drop(you)
		}
	}
}

// roll is a roll of the person's.
type roll struct {
	board  bg.Board
	d1, d2 int
	hints  []bg.Board // results of the plays that were listed, best first
}

func (t *table) yourRoll() error {
	b, turn, _ := t.rec.Position()
	if turn == matchfile.None {
		b = bg.Start
	}
	r := &roll{board: b}
	r.d1, r.d2 = t.dice()
	t.draw()
	if legal := t.plays.Generate(&b, r.d1, r.d2); len(legal) == 1 && legal[0] == b.Swapped() {
		t.say("You roll %d%d and cannot move.", r.d1, r.d2)
		return t.rec.Roll(you, r.d1, r.d2, legal[0])
	}
	for {
		line, err := t.ask(fmt.Sprintf("you roll %d%d: ", r.d1, r.d2))
		if err != nil {
			return err
		}
		switch line {
		case "hint", "h":
			t.hintPlay(r)
			continue
		case "legal", "l":
			t.sayLegal(r)
			continue
		case "":
			t.say("  your play, as in %s; 'hint' shows the best", anyPlay)
			continue
		}
		after, err := t.readPlay(r, line)
		switch {
		case errors.Is(err, errNoPlay):
			if done, err := t.common(line, "a play such as "+anyPlay); done || err != nil {
				return err
			}
		case err != nil:
			t.say("  %v", err)
			if errors.Is(err, bg.ErrIllegalPlay) {
				t.sayLegal(r)
			}
		default:
			switch sure, err := t.sureOfPlay(r, after); {
			case err != nil:
				return err
			case sure:
				return t.rec.Roll(you, r.d1, r.d2, after)
			}
		}
	}
}

// anyPlay shows how plays are typed.
const anyPlay = "13/11 6/5 or 13 11 6 5"
