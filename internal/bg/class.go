package bg

// Class is GNU Backgammon's kind of a position, which decides who evaluates it.
type Class uint8

// The classes, in the order of GNU Backgammon's.
const (
	Over    Class = iota // a side has no checker left
	Bearoff              // a race that a bearoff database covers
	Race                 // no checker has still to pass one of the other side
	Crashed              // contact, and a side's board has little left to play with
	Contact
	NumClasses
)

var classNames = [NumClasses]string{"over", "bearoff", "race", "crashed", "contact"}

// String returns the name of the class, as databases and messages have it.
func (c Class) String() string { return nameOf(c, classNames[:]) }

// Classify returns the class of a position as far as the board shows: Over, Race, Crashed or Contact. Whether a
// race is Bearoff depends on the databases in use, see package bearoff. The board must pass Check.
func Classify(b *Board) Class {
	me, opp := b.Me.Back(), b.Opp.Back()
	switch {
	case me < 0 || opp < 0:
		return Over
	case me+opp <= 22:
		return Race
	case b.Opp.crashed() || b.Me.crashed():
		return Crashed
	}
	return Contact
}

// crashed is GNU Backgammon's rule, its cases put together.
func (s *Side) crashed() bool { return s.Spare() <= 0 }

// Spare returns how many checkers a side has above six, besides those buried on the 1-point, where two or more
// count, and on the 2-point, where all but one count. Without one to spare its board is crashed.
func (s *Side) Spare() int {
	ace, deuce := int(s[0]), int(s[1])
	if ace == 1 {
		ace = 0
	}
	return s.OnBoard() - 6 - ace - max(deuce-1, 0)
}
