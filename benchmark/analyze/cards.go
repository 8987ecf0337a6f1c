package analyze

import (
	"fmt"
	"html/template"

	"bgtrain/benchmark/report"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// cardID is the name of the card of a decision on the page.
func cardID(index int) string { return fmt.Sprintf("d%d", index+1) }

// Colors of the two plays on a board; the dashes distinguish them in gray.
const (
	bestColor = "#0072b2"
	madeColor = "#bf4a06"
)

func (v *page) addCards(a *Analysis) {
	for i := range a.Decisions {
		if d := &a.Decisions[i]; d.Wrong() {
			v.Cards = append(v.Cards, a.card(d, cardID(i)))
		}
	}
}

// card draws a decision.
func (a *Analysis) card(d *Decision, id string) card {
	c := card{ID: id, Player: a.Players[d.Player].Name, Who: d.Player, Size: "small", Kind: "play",
		Loss: fmt.Sprintf("%.3f", d.Loss), Cost: a.costText(-d.Cost),
		Where: fmt.Sprintf("game %d, move %d", d.Game, d.Move), Score: a.scoreText(d),
		Position: d.Board.Key().PositionID(), XGID: d.XGID(a.Match.Length)}
	switch {
	case d.Loss >= BlunderFrom:
		c.Size = "blunder"
	case d.Loss >= ErrorFrom:
		c.Size = "error"
	}
	drawing := report.Drawing{Dice: d.Dice, Cube: d.State.Cube, Owner: d.State.Owner}
	if d.Kind == Play {
		c.Head = fmt.Sprintf("%d-%d: %s", max(d.Dice[0], d.Dice[1]), min(d.Dice[0], d.Dice[1]), d.Did)
		drawing.Plays = []report.Arrow{{Play: d.Best, Color: bestColor, Bend: 9},
			{Play: d.Did, Color: madeColor, Dashed: true, Bend: -9}}
		c.Plays = a.playRows(d)
	} else {
		c.Kind = "cube"
		c.Head = map[string]string{didDouble: "doubles", didNoDouble: "does not double", didTake: "takes",
			didPass: "passes"}[d.Did]
		c.Actions = actionRows(d)
		doubler := d.Player
		if d.Kind == Answer {
			doubler = 1 - d.Player
		}
		c.Question = fmt.Sprintf("%s to double", a.Players[doubler].Name)
		if d.Kind == Answer {
			c.Question = fmt.Sprintf("%s doubles to %d", a.Players[doubler].Name, 2*d.State.Cube)
		}
	}
	c.Board = template.HTML(report.Board(&d.Board, drawing))
	c.Foot = fmt.Sprintf("%s · pips %d – %d", bg.PlanOf(&d.Board), d.Board.Me.Pips(), d.Board.Opp.Pips())
	if d.Kind != Play { // of plays each row says it
		c.Foot += " · " + d.by(a.Ply)
	}
	return c
}

// by says how a cube decision was judged.
func (d *Decision) by(ply int) string {
	if d.Rolled != "" {
		return fmt.Sprintf("rolled out, ± %.3f", d.SE)
	}
	return fmt.Sprintf("%d-ply", ply)
}

// scoreText is the score and the cube of a decision, who is on roll first.
func (a *Analysis) scoreText(d *Decision) string {
	onRoll := d.Player
	if d.Kind == Answer {
		onRoll = 1 - d.Player
	}
	text := "money"
	if d.State.Table != nil {
		text = fmt.Sprintf("%s needs %d, %s %d", a.Players[onRoll].Name, d.State.Away, a.Players[1-onRoll].Name,
			d.State.Opponent)
		if d.State.Crawford {
			text += ", Crawford"
		}
	}
	owner := "in the middle"
	switch d.State.Owner {
	case cube.Owned:
		owner = a.Players[onRoll].Name + "’s"
	case cube.OpponentOwned:
		owner = a.Players[1-onRoll].Name + "’s"
	}
	return fmt.Sprintf("%s · cube %d, %s", text, d.State.Cube, owner)
}

// playRows are the best candidates of a play, and the one made.
func (a *Analysis) playRows(d *Decision) []playRow {
	var rows []playRow
	for i := range d.Candidates {
		c := &d.Candidates[i]
		if i >= shownPlays && !c.Made {
			continue
		}
		o := &c.Outputs
		r := playRow{Play: d.notation(c), Equity: signed(c.Equity), Best: i == 0, Made: c.Made,
			By: fmt.Sprintf("%d-ply", c.Ply), Chances: fmt.Sprintf("%.1f %% wins, %.1f %% gammons, %.1f %% gammons lost",
				100*o[bg.Win], 100*o[bg.WinGammon], 100*o[bg.LoseGammon])}
		if i > 0 {
			r.Loss = minus(fmt.Sprintf("%.3f", -c.Loss))
		}
		if c.Rolled {
			r.By = fmt.Sprintf("rollout ± %.3f", c.SE)
			if i == 0 {
				r.By = "rollout"
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// shownPlays is how many of the best plays a card lists, besides the one made.
const shownPlays = 5

// actionRows are what one may do with the cube, with the equities of who doubles, the best
// first.
func actionRows(d *Decision) []actionRow {
	c := &d.Cube
	row := func(action string, equity, loss float64, best, made bool) actionRow {
		r := actionRow{action, signed(equity), "", best, made}
		if loss > CubeHair {
			r.Loss = minus(fmt.Sprintf("%.3f", -loss))
		}
		return r
	}
	takes := c.Action.Takes()
	if d.Kind == Answer {
		return []actionRow{
			row("double/take", c.DoubleTake, max(0, c.DoubleTake-c.DoublePass), takes, d.Did == didTake),
			row("double/pass", c.DoublePass, max(0, c.DoublePass-c.DoubleTake), !takes, d.Did == didPass),
		}
	}
	doubles, doubled := c.Action.Doubles(), d.Did == didDouble
	loss := c.DoubleError()
	if doubled && !c.Available {
		loss = d.Loss
	}
	lossIf := func(wrong bool) float64 {
		if wrong {
			return loss
		}
		return 0
	}
	return []actionRow{
		row("no double", c.NoDouble, lossIf(doubles), !doubles, !doubled),
		row("double/take", c.DoubleTake, lossIf(!doubles && takes), doubles && takes, doubled && takes),
		row("double/pass", c.DoublePass, lossIf(!doubles && !takes), doubles && !takes, doubled && !takes),
	}
}
