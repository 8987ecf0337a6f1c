package analyze

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"bgtrain/benchmark/report"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML + report.FrameHTML))

func newFrame(title, command string) report.Frame {
	return report.NewFrame(title, command, pageCSS, pageJS)
}

// page is what the template sees: text and pictures, ready to be shown.
type page struct {
	report.Frame
	Index              string // the page with the other matches; "": none
	Kind, When, Judged string
	Names              [2]string
	Result             string
	Players            []playerView
	Graph              template.HTML
	Games              []gameView
	Kinds              []kindView
	Cards              []card
	Moves              []movesView
}

// playerView is a player's tile.
type playerView struct {
	Name, PR, Level, Counted string
	Errors, Blunders         int
	Lost, Cost, Luck         string
	Plays, PlayLost, ER      string
	Cubes, CubeLost          string
}

// gameView is a row of the table of games, with a part for each player.
type gameView struct {
	Game, Score, Result string
	Sides               [2]sideView
}

type sideView struct{ PR, Plays, PlayLost, Cubes, CubeLost, Errors, Luck string }

// kindView is a row of the error rates by class and plan.
type kindView struct {
	Name  string
	Plan  bool
	Sides [2]struct{ Decisions, ER string }
}

// card is a decision drawn.
type card struct {
	ID, Player, Kind, Size string // size: small, error or blunder
	Who                    int
	Head, Loss, Cost       string
	Where, Score, Cube     string
	Question               string
	Board                  template.HTML
	Plays                  []playRow
	Actions                []actionRow
	Foot                   string
	Position, XGID         string
}

type playRow struct {
	Play, Equity, Loss, By, Chances string
	Best, Made                      bool
}

type actionRow struct {
	Action, Equity, Loss string
	Best, Made           bool
}

// movesView is all that was done in a game.
type movesView struct {
	ID, Title string
	Rows      []moveRow
}

type moveRow struct {
	Move, Player, Did, Value, Luck, Loss, Card string
	Lucky                                      string // joker, unlucky or ""
}

// WritePage writes the page of the match in a file, judged by a net. command makes it
// again; index is the page of the other matches, "" for none.
func (a *Analysis) WritePage(w io.Writer, file, net, command, index string) error {
	v := a.view(filepath.Base(file), net, command)
	v.Index = index
	if err := pageTemplate.Execute(w, v); err != nil {
		return fmt.Errorf("write the page of %s: %w", file, err)
	}
	return nil
}

// view describes the match.
func (a *Analysis) view(file, net, command string) *page {
	m := a.Match
	names := [2]string{a.Players[0].Name, a.Players[1].Name}
	v := &page{Frame: newFrame(names[0]+" against "+names[1], command), Names: names, Kind: kindOf(m)}
	if m.Length > 0 {
		v.Kind = fmt.Sprintf("match to %s", stats.Count(m.Length, "point", "points"))
	} else {
		v.Kind = "games for money"
	}
	v.When = strings.Join(slices.DeleteFunc([]string{m.Event, m.Round, m.Place, m.Date, file},
		func(s string) bool { return s == "" }), " · ")
	model := "the cube not judged"
	if a.Model != nil {
		model = "the cube by model " + a.Model.String()
	}
	v.Judged = fmt.Sprintf("Judged by net %s at %d-ply, plays by %s, %s",
		strings.TrimSuffix(filepath.Base(net), ".safetensors"), a.Ply, a.judgedBy(), model)
	if a.Rollouts > 0 {
		of := "cubeless"
		if a.cubeful() {
			of = "cubeful"
		}
		v.Judged += fmt.Sprintf("; the %s by %s rollouts (%s)", stats.Count(a.Rollouts, "worst decision",
			"worst decisions"), of, strings.TrimPrefix(a.rollMethod(), "rollout "))
	}
	v.Result = a.result()
	for i := range a.Players {
		v.Players = append(v.Players, a.playerView(i))
	}
	v.Graph = a.graph()
	v.addGames(a)
	v.addKinds(a)
	v.addCards(a)
	v.addMoves(a)
	return v
}

// result says how the match ended.
func (a *Analysis) result() string {
	if len(a.Match.Games) == 0 {
		return ""
	}
	score := a.finalScore()
	names := [2]string{a.Players[0].Name, a.Players[1].Name}
	for i, n := range score {
		if a.Match.Length > 0 && n >= a.Match.Length {
			return fmt.Sprintf("%s won %d – %d", names[i], n, score[1-i])
		}
	}
	return fmt.Sprintf("%s %d, %s %d", names[0], score[0], names[1], score[1])
}

// finalScore is the score after the last game.
func (a *Analysis) finalScore() [2]int {
	last := &a.Match.Games[len(a.Match.Games)-1]
	score := last.Score
	if last.Winner != matchfile.None {
		score[last.Winner] += last.Points
	}
	return score
}

// costText writes a cost as people read it: match-winning chances in per cent, or points.
func (a *Analysis) costText(cost float64) string {
	if a.Match.Length > 0 {
		return minus(fmt.Sprintf("%.2f %%", 100*cost))
	}
	return minus(fmt.Sprintf("%.3f points", cost))
}

// minus writes a number with a minus that is as wide as a plus.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

func signed(x float64) string { return minus(fmt.Sprintf("%+.3f", x)) }

func (a *Analysis) playerView(i int) playerView {
	p := &a.Players[i]
	return playerView{Name: p.Name, PR: orDash(p.PR(), 2), Level: Level(p.PR()),
		Counted: stats.Count(p.Counted(), "decision counts", "decisions count"), Errors: p.Errors, Blunders: p.Blunders,
		Lost: minus(fmt.Sprintf("%.3f", -p.PlayLoss-p.CubeLoss)), Cost: a.costText(-p.Cost), Luck: signed(p.Luck),
		Plays:    stats.Count(p.Plays, "play", "plays"),
		PlayLost: fmt.Sprintf("%.3f", p.PlayLoss), ER: orDash(p.ER(), 2),
		Cubes:    stats.Count(p.Close, "cube decision", "cube decisions"),
		CubeLost: fmt.Sprintf("%.3f", p.CubeLoss)}
}

// side is a player's part of a row of the table of games.
func side(s *Sum) sideView {
	return sideView{orDash(s.PR(), 2), fmt.Sprint(s.Plays), fmt.Sprintf("%.3f", s.PlayLoss), fmt.Sprint(s.Close),
		fmt.Sprintf("%.3f", s.CubeLoss), fmt.Sprintf("%d / %d", s.Errors, s.Blunders), signed(s.Luck)}
}

func (v *page) addGames(a *Analysis) {
	for i := range a.Games {
		g := &a.Match.Games[i]
		row := gameView{Game: fmt.Sprintf("game %d", g.Number), Score: fmt.Sprintf("%d – %d", g.Score[0], g.Score[1]),
			Result: "not finished"}
		if g.Crawford {
			row.Score += ", Crawford"
		}
		if g.Winner != matchfile.None {
			row.Result = fmt.Sprintf("%s +%d", a.Players[g.Winner].Name, g.Points)
		}
		for k := range row.Sides {
			row.Sides[k] = side(&a.Games[i][k])
		}
		v.Games = append(v.Games, row)
	}
	all := gameView{Game: "all", Result: v.Result}
	for k := range all.Sides {
		all.Sides[k] = side(&a.Players[k].Sum)
	}
	v.Games = append(v.Games, all)
}

// addKinds adds the error rates of plays by class and plan.
func (v *page) addKinds(a *Analysis) {
	at := map[string]int{}
	for who := range a.Players {
		p := &a.Players[who]
		classes, plans := p.groups()
		for i, g := range append(classes, plans...) {
			k, ok := at[g.Name]
			if !ok {
				k = len(v.Kinds)
				at[g.Name] = k
				v.Kinds = append(v.Kinds, kindView{Name: g.Name, Plan: i >= len(classes)})
			}
			s := p.Score.SummaryOf(g.Include)
			v.Kinds[k].Sides[who].Decisions = fmt.Sprint(s.Decisions)
			v.Kinds[k].Sides[who].ER = fmt.Sprintf("%.2f", s.ER.Mean)
		}
	}
	slices.SortStableFunc(v.Kinds, func(x, y kindView) int {
		switch {
		case x.Plan == y.Plan:
			return 0
		case x.Plan:
			return 1
		}
		return -1
	})
}

// addMoves adds what was done, game by game.
func (v *page) addMoves(a *Analysis) {
	for i := range a.Turns {
		t := &a.Turns[i]
		g := &a.Match.Games[t.Game]
		if n := len(v.Moves); n == 0 || v.Moves[n-1].ID != fmt.Sprintf("g%d", t.Game+1) {
			v.Moves = append(v.Moves, movesView{ID: fmt.Sprintf("g%d", t.Game+1), Title: fmt.Sprintf("game %d", g.Number)})
		}
		rows := &v.Moves[len(v.Moves)-1].Rows
		*rows = append(*rows, a.moveRow(t))
	}
}

// luckShown is the luck of a roll, in points, from which it is marked.
const luckShown = 0.3

// moveRow describes a turn.
func (a *Analysis) moveRow(t *Turn) moveRow {
	act := t.Action
	r := moveRow{Move: fmt.Sprint(act.Move), Player: a.Players[act.Player].Name, Value: "–"}
	if t.Known {
		r.Value = a.valueText(t.Value)
	}
	switch act.Kind {
	case matchfile.Double:
		r.Did = fmt.Sprintf("doubles to %d", 2*act.Cube.Value)
	case matchfile.Roll:
		r.Did = fmt.Sprintf("%d%d", act.Dice[0], act.Dice[1])
	default:
		play := bg.Notation(&act.Board, &act.After, act.Dice[0], act.Dice[1])
		if play == "" {
			play = "cannot move"
		}
		r.Did = fmt.Sprintf("%d%d: %s", act.Dice[0], act.Dice[1], play)
	}
	if act.Kind != matchfile.Double {
		r.Luck = signed(t.Luck)
		if t.Luck >= luckShown {
			r.Lucky = "good"
		} else if t.Luck <= -luckShown {
			r.Lucky = "bad"
		}
	}
	lost := 0.0
	for _, k := range t.Decisions {
		d := &a.Decisions[k]
		if d.Kind == Answer {
			r.Did += map[string]string{didTake: ", taken", didPass: ", passed"}[d.Did]
		}
		if d.Wrong() && d.Loss > lost {
			lost, r.Card = d.Loss, cardID(k)
		}
	}
	if lost > 0 {
		r.Loss = minus(fmt.Sprintf("%.3f", -lost))
	}
	return r
}

// valueText writes a value of the match to the first player.
func (a *Analysis) valueText(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	if a.Match.Length > 0 {
		return fmt.Sprintf("%.1f %%", 100*v)
	}
	return minus(fmt.Sprintf("%+.2f", v))
}
