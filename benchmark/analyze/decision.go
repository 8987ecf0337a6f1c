package analyze

import (
	"math"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// Kind is what a Decision is about.
type Kind string

// The kinds.
const (
	Play   Kind = "play"
	Double Kind = "double" // to double or not before a roll
	Answer Kind = "answer" // to take or to pass
)

// Decision is one decision of a match, judged. Equities and losses are those of who
// decides, in points for the cube as it lies before the decision; in a match
// normalized: 2·(MWC − MWC after losing the cube)/(that after winning it − that after
// losing it) − 1.
type Decision struct {
	Kind
	Player     int // who decides
	Game, Move int // the game's number and the row of a .mat file
	Board      bg.Board
	Dice       [2]int     // of a Play
	State      cube.State // as the player on roll sees it: of an Answer the one who doubled

	Did   string  // a play, or double, no double, take, pass
	Best  string  // likewise; of the cube what both sides should do, such as double/pass
	Loss  float64 // what Did loses against Best
	Cost  float64 // the loss as match-winning chance; for money in points, cube included
	Close bool    // a decision that counts: see Sum

	Candidates []Candidate   // of a Play, best first, the one made among them
	Cube       cube.Decision // of the others, as the player on roll sees it

	Rolled string  // how it was rolled out; "": judged by look-ahead
	SE     float64 // of Loss, where it was rolled out; without the cube that of the cubeless equity
}

// Candidate is a legal play.
type Candidate struct {
	After   bg.Board   // the opponent on roll
	Outputs bg.Outputs // cubeless, of who makes the play
	Equity  float64    // by the objective, of who makes the play
	Loss    float64    // against the best
	Ply     int        // look-ahead that judged it; of no meaning where it was rolled out
	Rolled  bool
	SE      float64 // of Equity less that of the best, where it was rolled out
	Made    bool
}

// Losses in points from which a decision is an error, or a blunder; those of eXtreme Gammon.
const (
	ErrorFrom   = 0.02
	BlunderFrom = 0.08
)

// closeCube is the loss of the other choice below which not to double is a decision that
// counts, as eXtreme Gammon has it.
const closeCube = 0.2

// setCube judges a cube decision of a position by the equities d.
func (d *Decision) setCube(c cube.Decision) {
	d.Cube, d.Best, d.Loss = c, string(c.Action), 0
	switch doubled := d.Did == didDouble; {
	case d.Did == didTake:
		d.Loss = max(0, c.DoubleTake-c.DoublePass)
	case d.Did == didPass:
		d.Loss = max(0, c.DoublePass-c.DoubleTake)
	case !c.Available && doubled: // a cube that is of no use to who turns it
		d.Loss = max(0, c.NoDouble-min(c.DoubleTake, c.DoublePass))
	case c.Action.Doubles() != doubled:
		d.Loss = c.DoubleError()
	}
	d.Close = d.Did != didNoDouble || d.Loss > CubeHair || c.DoubleError() < closeCube
	d.setCost()
}

// setCost sets what a loss is in chances to win the match, or in points of a game for money.
func (d *Decision) setCost() { d.Cost = d.State.Value(d.Loss) - d.State.Value(0) }

// setPlays judges a play by its candidates, of which the best is the first.
func (d *Decision) setPlays() {
	d.Best = d.notation(&d.Candidates[0])
	for i := range d.Candidates {
		if c := &d.Candidates[i]; c.Made {
			d.Did, d.Loss, d.SE = d.notation(c), c.Loss, c.SE
		}
	}
	d.setCost()
}

// notation is a play of the decision's roll in words.
func (d *Decision) notation(c *Candidate) string {
	return bg.Notation(&d.Board, &c.After, d.Dice[0], d.Dice[1])
}

// XGID is the position with cube and score, of a match to some length or for money. Before
// a double its dice are 00.
func (d *Decision) XGID(length int) string { return d.State.XGID(&d.Board, d.Dice, length) }

// Wrong reports whether a decision lost something that shows.
func (d *Decision) Wrong() bool { return d.Loss >= lossShown }

// lossShown is the least loss that is not 0 in three decimals.
const lossShown = 0.0005

// What players do with the cube, in words.
const (
	didDouble   = "double"
	didNoDouble = "no double"
	didTake     = "take"
	didPass     = "pass"
)

// Sum is what decisions come to: a player's in a game or in all.
type Sum struct {
	Plays    int // that left a choice
	Forced   int // rolls with one legal play
	PlayLoss float64

	// Cubes are all chances to double and answers to doubles, of which Close count: what
	// lost something, doubles, answers, and where the other choice would lose less than 0.2.
	Cubes, Close int
	CubeLoss     float64

	Errors, Blunders int     // decisions that lose ErrorFrom and more, BlunderFrom and more
	Cost             float64 // of all losses; see Decision.Cost

	Rolls    int
	Luck     float64 // points, in a match normalized
	LuckCost float64 // match-winning chances, or points for money with the cube
}

// add takes in a decision.
func (s *Sum) add(d *Decision) {
	switch {
	case d.Kind == Play:
		s.Plays++
		s.PlayLoss += d.Loss
	default:
		s.Cubes++
		s.CubeLoss += d.Loss
		if d.Close {
			s.Close++
		}
	}
	s.Cost += d.Cost
	if d.Loss >= ErrorFrom {
		s.Errors++
	}
	if d.Loss >= BlunderFrom {
		s.Blunders++
	}
}

// Counted is how many decisions the performance rating is a mean of.
func (s *Sum) Counted() int { return s.Plays + s.Close }

// PR is the performance rating as eXtreme Gammon counts it: 500 × the mean loss of the
// decisions that count; NaN without one.
func (s *Sum) PR() float64 { return 500 * (s.PlayLoss + s.CubeLoss) / float64(s.Counted()) }

// ER is the error rate of the plays: 1000 × the mean loss of those that left a choice.
func (s *Sum) ER() float64 { return 1000 * s.PlayLoss / float64(s.Plays) }

// levels are the bands of the performance rating, by eXtreme Gammon's names.
var levels = []struct {
	below float64
	name  string
}{{2.5, "world champion"}, {5, "world class"}, {7.5, "expert"}, {12.5, "advanced"}, {17.5, "intermediate"},
	{22.5, "casual player"}, {30, "beginner"}, {math.Inf(1), "distracted"}}

// Level is the name of the band of a performance rating, "" of none.
func Level(pr float64) string {
	for _, l := range levels {
		if pr < l.below {
			return l.name
		}
	}
	return ""
}
