package dataset

import (
	"fmt"
	"strings"

	"bgtrain/internal/bg"
)

// Kind is what is wrong with a bad row.
type Kind uint8

// The kinds of bad rows.
const (
	BadLine        Kind = iota // a line that is not in the form of its format
	BadKey                     // a key that is no position, or does not survive a round trip
	BadOver                    // the game is over
	BadClass                   // a class that is not the position's
	BadProbability             // an output outside 0 to 1
	BadOrder                   // not win ≥ wg ≥ wbg, lg ≥ lbg, lg ≤ 1 - win
	BadGammon                  // a gammon where the loser has a checker off
	BadError                   // a standard error below 0, or trials below 1
	BadDuplicate               // a position that was there before
	BadNull                    // outputs are null where they are needed
	numKinds
)

var kindNames = [numKinds]string{"line", "key", "over", "class", "probability", "order", "gammon", "error",
	"duplicate", "null"}

// String returns the kind in words, as validate prints it.
func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return "unknown"
}

// Counts are numbers of bad rows by kind.
type Counts [numKinds]int64

// Total returns the number of all bad rows.
func (c *Counts) Total() int64 {
	var n int64
	for _, v := range c {
		n += v
	}
	return n
}

// String lists the kinds that occur: "gammon 5, duplicate 7".
func (c *Counts) String() string {
	var parts []string
	for k, n := range c {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%v %d", Kind(k), n))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Map returns the counts by the names of the kinds, zeros included.
func (c *Counts) Map() map[string]int64 {
	m := map[string]int64{}
	for k, n := range c {
		m[kindNames[k]] = n
	}
	return m
}

// BadRow is an error of a row.
type BadRow struct {
	Kind Kind
	Msg  string // what was found and what was expected
}

// Error returns Msg.
func (e *BadRow) Error() string { return e.Msg }

// Badf returns a BadRow of a kind.
func Badf(k Kind, format string, args ...any) *BadRow {
	return &BadRow{k, fmt.Sprintf(format, args...)}
}

// Tolerance is the rounding error that probabilities are allowed.
const Tolerance = 1e-4

// CheckOutputs returns what is wrong with the outputs of a position beyond
// Tolerance, nil if nothing is. The board's player on roll has the outputs.
func CheckOutputs(b *bg.Board, o *bg.Outputs) *BadRow {
	const t = Tolerance
	for i, v := range o {
		if !(v >= -t && v <= 1+t) { // also catches NaN
			return Badf(BadProbability, "%s is %v, not within 0 to 1", OutputColumns[i], v)
		}
	}
	order := func(small, large int) *BadRow {
		if o[small] <= o[large]+t {
			return nil
		}
		return Badf(BadOrder, "%s %v is more than %s %v", OutputColumns[small], o[small], OutputColumns[large],
			o[large])
	}
	for _, pair := range [...][2]int{{bg.WinGammon, bg.Win}, {bg.WinBackgammon, bg.WinGammon},
		{bg.LoseBackgammon, bg.LoseGammon}} {
		if bad := order(pair[0], pair[1]); bad != nil {
			return bad
		}
	}
	if o[bg.LoseGammon]+o[bg.Win] > 1+t {
		return Badf(BadOrder, "lose_gammon %v + win %v is more than 1", o[bg.LoseGammon], o[bg.Win])
	}
	if o[bg.WinGammon] > t && b.Opp.Off() > 0 {
		return Badf(BadGammon, "win_gammon is %v, but the opponent has %d off", o[bg.WinGammon], b.Opp.Off())
	}
	if o[bg.LoseGammon] > t && b.Me.Off() > 0 {
		return Badf(BadGammon, "lose_gammon is %v, but the player on roll has %d off", o[bg.LoseGammon], b.Me.Off())
	}
	return nil
}

// decode returns the board of a key that survives a round trip and is not over.
func decode(k bg.Key) (bg.Board, *BadRow) {
	b, err := k.Board()
	if err != nil {
		return b, Badf(BadKey, "position %v: %v", k, err)
	}
	if again := b.Key(); again != k {
		return b, Badf(BadKey, "position %v turns into %v", k, again)
	}
	if bg.Classify(&b) == bg.Over {
		return b, Badf(BadOver, "position %v: the game is over", k)
	}
	return b, nil
}

// CheckRow returns what is wrong with a row, nil if nothing is. Whether its
// position occurs twice is not for it to see.
func CheckRow(r *Row) *BadRow { return check(r, false) }

// check is CheckRow; classify fills in the class of a row that has none.
func check(r *Row, classify bool) *BadRow {
	b, bad := decode(r.Key)
	if bad != nil {
		return bad
	}
	c := ClassOf(&b)
	if classify && r.Class == bg.Over {
		r.Class = c
	}
	if c != r.Class {
		return Badf(BadClass, "class is %v, the position is %v", r.Class, c)
	}
	if r.HasOutputs {
		if bad := CheckOutputs(&b, &r.Outputs); bad != nil {
			return bad
		}
	}
	if r.HasSE && !(r.EquitySE >= 0 && finite(r.EquitySE)) {
		return Badf(BadError, "%s is %v", colEquitySE, r.EquitySE)
	}
	if r.HasTrials && r.Trials < 1 {
		return Badf(BadError, "%s is %d", colTrials, r.Trials)
	}
	return nil
}

// Checker checks rows as CheckRow does, and that no position of a good row comes twice. The zero value has seen no
// position.
type Checker struct{ seen KeySet }

// Check returns what is wrong with a row, nil if nothing is. It fills in the class where the row has none.
func (c *Checker) Check(r *Row) *BadRow {
	if bad := check(r, true); bad != nil {
		return bad
	}
	if !c.seen.Add(r.Key) {
		return Badf(BadDuplicate, "position %v was there before", r.Key)
	}
	return nil
}
