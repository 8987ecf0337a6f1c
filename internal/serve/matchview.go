package serve

import (
	"fmt"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/play"
	"bgtrain/internal/stats"
)

// matchView is how a match stands, as the person sees it: the person is player 0, and all
// positions have the person on roll.
type matchView struct {
	ID       string    `json:"id"`
	Players  [2]string `json:"players"`
	Net      string    `json:"net"`
	Ply      int       `json:"ply"`
	Length   int       `json:"length"` // 0: for money
	Score    [2]int    `json:"score"`
	Game     int       `json:"game"`
	Crawford bool      `json:"crawford"`
	Due      play.Due  `json:"due"`
	Position string    `json:"position"`
	Pips     [2]int    `json:"pips"`
	Dice     [2]int    `json:"dice,omitzero"` // to be played
	Cube     int       `json:"cube"`
	Owner    string    `json:"owner"` // none, me, opponent
	Acts     []act     `json:"acts"`  // of the net since the person's last action
	Log      []line    `json:"log"`   // of the game
	Undo     bool      `json:"undo"`  // there is something to take back
	Tutor    bool      `json:"tutor"`
	Warning  *warning  `json:"warning,omitempty"` // nothing was done: the tutor asks
	Result   string    `json:"result,omitempty"`
	File     string    `json:"file"`
	Kept     bool      `json:"kept"` // the server writes the file
}

// line is something that was done in a game.
type line struct {
	Who  int    `json:"who"`
	Text string `json:"text"`
}

// view returns how a match stands.
func (h *heldMatch) view() *matchView {
	rec, s := h.match.Record(), h.match.Settings()
	g := rec.Game()
	m := rec.Match()
	v := &matchView{ID: h.id, Players: m.Players, Net: h.net.Name, Ply: h.ply, Length: m.Length, Score: rec.Score(),
		Game: g.Number, Crawford: g.Crawford, Due: h.match.Due(), Acts: h.acts, Tutor: s.Tutor, File: h.fileName(),
		Log: []line{}, Kept: h.kept}
	b, _ := h.match.Board()
	v.Position, v.Pips = b.Key().PositionID(), [2]int{b.Me.Pips(), b.Opp.Pips()}
	_, _, c := rec.Position()
	v.Cube, v.Owner = c.Value, owners[0]
	if c.Owner != matchfile.None {
		v.Owner = owners[1+c.Owner]
	}
	if v.Due == play.ToPlay {
		v.Dice[0], v.Dice[1] = h.match.Dice()
	}
	for i := range g.Actions {
		a := &g.Actions[i]
		v.Undo = v.Undo || a.Player == 0
		if a.Kind != matchfile.Look { // the end of a game that was resigned
			v.Log = append(v.Log, line{a.Player, did(a)})
		}
	}
	if g.Resigned {
		v.Log = append(v.Log, line{1 - g.Winner, "resigns"})
	}
	if g.Winner != matchfile.None {
		v.Result = fmt.Sprintf("%s wins %s", m.Players[g.Winner], stats.Count(g.Points, "point", "points"))
		if w := rec.Winner(); w != matchfile.None {
			v.Result += fmt.Sprintf(", and the match %d to %d", v.Score[w], v.Score[1-w])
		}
		v.Undo = false
	}
	return v
}

// did describes an action.
func did(a *matchfile.Action) string {
	switch a.Kind {
	case matchfile.Play:
		return fmt.Sprintf("%d%d: %s", a.Dice[0], a.Dice[1], bg.Notation(&a.Board, &a.After, a.Dice[0], a.Dice[1]))
	case matchfile.Double:
		return fmt.Sprintf("doubles to %d", 2*a.Cube.Value)
	case matchfile.Take:
		return "takes"
	case matchfile.Drop:
		return "passes"
	}
	return a.Kind.String()
}
