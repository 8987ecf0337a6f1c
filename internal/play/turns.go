package play

import (
	"errors"
	"fmt"

	"bgtrain/internal/bg"
)

// step lets whoever has to act do so.
func (t *table) step() error {
	switch t.Due() {
	case ToAnswer:
		return t.yourAnswer()
	case ToNet:
		return t.netActs()
	case ToRoll:
		return t.yourTurn()
	}
	return t.yourRoll()
}

func (t *table) netActs() error {
	_, _, c := t.rec.Position()
	a, err := t.Act()
	if err != nil {
		return err
	}
	switch a.Did {
	case "double":
		t.say("%s doubles to %d.", t.s.Net, 2*c.Value)
	case "take":
		t.say("%s takes.", t.s.Net)
	case "pass":
		t.say("%s passes.", t.s.Net)
	default:
		t.say("%s rolls %d%d: %s", t.s.Net, a.Dice[0], a.Dice[1], a.Play)
	}
	return nil
}

func (t *table) yourTurn() error {
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
			t.hintCube()
			continue
		default:
			if done, err := t.common(line, "roll, double or hint"); done || err != nil {
				return err
			}
			continue
		}
		switch sure, err := t.sureOfCube(did); {
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
	_, _, c := t.rec.Position()
	for {
		line, err := t.ask(fmt.Sprintf("take or pass %d? ", 2*c.Value))
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
			t.hintAnswer()
			continue
		default:
			if done, err := t.common(line, "take, pass or hint"); done || err != nil {
				return err
			}
			continue
		}
		switch sure, err := t.sureOfCube(did); {
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
	b, _ := t.Board()
	r := &roll{board: b}
	r.d1, r.d2 = t.Dice()
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
