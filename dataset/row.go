package dataset

import (
	"fmt"

	"bgtrain/internal/bg"
)

// Row is one position of a database. Everything is seen by the player on roll.
type Row struct {
	Key   bg.Key
	Class bg.Class // bg.Bearoff, bg.Race, bg.Crashed or bg.Contact; see ClassOf

	Outputs    bg.Outputs // cubeless probabilities; zero without HasOutputs
	HasOutputs bool       // false until the position was rolled out or evaluated

	EquitySE float32 // standard error of the equity, points; zero without HasSE
	HasSE    bool    // false for an evaluation

	Trials    int32 // games rolled out; zero without HasTrials
	HasTrials bool  // false for an evaluation

	Method string // how the outputs were made, such as "eval ply=2"; "" is null
	Source string // where the position comes from, such as "selfplay"; "" is null
}

// ClassOf returns the class that a database stores for a position: that of
// bg.Classify, but a race with all checkers of both sides in their home boards
// is bg.Bearoff, because every bearoff database of this program covers it.
func ClassOf(b *bg.Board) bg.Class {
	c := bg.Classify(b)
	if c == bg.Race && b.Me.Back() < home && b.Opp.Back() < home {
		return bg.Bearoff
	}
	return c
}

// home is the number of points of a home board.
const home = 6

// ParseClass returns the class of a name that the class column may hold: bearoff, race, crashed or contact.
func ParseClass(name string) (bg.Class, error) {
	for c := bg.Bearoff; c < bg.NumClasses; c++ {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fmt.Errorf("class %q is none of bearoff, race, crashed, contact", name)
}
