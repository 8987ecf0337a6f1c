package analyze

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"unicode/utf8"

	"bgtrain/benchmark/score"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/stats"
)

// objective is what plays were judged by: money, match or cube.
func (a *Analysis) objective() string { return a.by(a.Match) }

// groups are the kinds of decisions that error rates are given of.
func (p *Player) groups() (classes, plans []score.Group) {
	return score.ClassGroups(p.Score.File), score.PlanGroups(p.Score.File)
}

// kindOf says what was played: a match to some points, or games for money.
func kindOf(m *matchfile.Match) string {
	if m.Length > 0 {
		return fmt.Sprintf("a match to %d", m.Length)
	}
	return "for money"
}

// judgedBy says by what equity plays were judged.
func (a *Analysis) judgedBy() string {
	if a.objective() == byCube {
		return "cubeful money equity"
	}
	return a.objective() + " equity"
}

// rating writes a performance rating and its band, a dash where nothing counts.
func (s *Sum) rating() string {
	if s.Counted() == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%s)", s.PR(), Level(s.PR()))
}

// WriteText writes the analysis for people, with so many of the worst decisions.
func (a *Analysis) WriteText(out io.Writer, worst int) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s against %s, %s, %s\njudged at %d-ply by %s\nPR: equity lost per decision × 500, as eXtreme "+
		"Gammon counts it\nER: equity lost per play × 1000\n",
		a.Players[0].Name, a.Players[1].Name, kindOf(a.Match), stats.Count(len(a.Match.Games), "game", "games"), a.Ply,
		a.judgedBy())
	if a.Rollouts > 0 {
		fmt.Fprintf(w, "the worst decisions by %s\n", a.rollMethod())
	}
	for i := range a.Players {
		a.writePlayer(w, i, worst)
	}
	return w.Flush()
}

// writePlayer writes how a player did.
func (a *Analysis) writePlayer(w io.Writer, who, worst int) {
	p := &a.Players[who]
	all := p.Score.Summary()
	fmt.Fprintf(w, "\n%s: PR %s\n%s, %s; luck %+.3f\n", p.Name, p.rating(), stats.Count(p.Errors, "error", "errors"),
		stats.Count(p.Blunders, "of them a blunder", "of them blunders"), p.Luck)
	fmt.Fprintf(w, "plays: ER %.2f ± %.2f, %d decisions, %d wrong, %.3f points lost; %d forced\n",
		all.ER.Mean, all.ER.SE, all.Decisions, all.Wrong, all.Total, p.Forced)
	if a.Model != nil {
		fmt.Fprintf(w, "cube: %d decisions, %d count, %d wrong, %.3f points lost\n", p.Cubes, p.Close,
			a.wrongCubes(who), p.CubeLoss)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tdecisions\tER\t± se\t\n")
	classes, plans := p.groups()
	for _, g := range append(classes, plans...) {
		s := p.Score.SummaryOf(g.Include)
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t\n", g.Name, s.Decisions, s.ER.Mean, s.ER.SE)
	}
	if len(a.Games) > 1 {
		fmt.Fprint(t, "\tcounted\tPR\tluck\t\n")
		for g := range a.Games {
			s := &a.Games[g][who]
			fmt.Fprintf(t, "game %d\t%d\t%s\t%+.3f\t\n", a.Match.Games[g].Number, s.Counted(), orDash(s.PR(), 2), s.Luck)
		}
	}
	t.Flush()
	for _, d := range a.worst(worst, func(d *Decision) bool { return d.Player == who }) {
		fmt.Fprintln(w, d.line())
	}
}

// line describes a decision in at most 80 columns, or in two lines.
func (d *Decision) line() string {
	dice, best := "", "right "
	if d.Kind == Play {
		dice, best = fmt.Sprintf("%d%d  ", d.Dice[0], d.Dice[1]), "best "
	}
	did := fmt.Sprintf("  game %d move %d  %s  %s%s", d.Game, d.Move, d.Board.Key().PositionID(), dice, d.Did)
	best += d.Best
	loss := fmt.Sprintf("  −%.3f", d.Loss)
	if d.Rolled != "" {
		loss += ", rolled out"
	}
	if line := did + ", " + best + loss; utf8.RuneCountInString(line) <= 80 {
		return line
	}
	return did + loss + "\n    " + best
}

// wrongCubes counts the wrong cube decisions of a player.
func (a *Analysis) wrongCubes(who int) (n int) {
	for i := range a.Decisions {
		if d := &a.Decisions[i]; d.Player == who && d.Kind != Play && d.Loss > CubeHair {
			n++
		}
	}
	return n
}

// orDash writes a number, a dash where there is none.
func orDash(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// Report is an analysis as JSON has it.
type Report struct {
	File    string          `json:"file"`
	Net     string          `json:"net"`
	Ply     int             `json:"ply"`
	By      string          `json:"objective"`
	Length  int             `json:"length"`
	Games   int             `json:"games"`
	Players [2]playerReport `json:"players"`
}

// playerReport is how a player did.
type playerReport struct {
	Name      string             `json:"name"`
	PR        *float64           `json:"pr"` // null where no decision counts
	Level     string             `json:"level"`
	Counted   int                `json:"counted"`
	Errors    int                `json:"errors"`
	Blunders  int                `json:"blunders"`
	Luck      float64            `json:"luck"`
	Decisions int                `json:"decisions"`
	Forced    int                `json:"forced"`
	ER        float64            `json:"er"`
	SE        float64            `json:"se"`
	Wrong     int                `json:"wrong"`
	Lost      float64            `json:"points_lost"`
	Classes   map[string]float64 `json:"er_by_class"`
	Plans     map[string]float64 `json:"er_by_plan"`
	Cube      cubeReport         `json:"cube"`
	ByGame    []gameReport       `json:"by_game"`
}

// cubeReport sums up the cube decisions of a player.
type cubeReport struct {
	Decisions int     `json:"decisions"`
	Counted   int     `json:"counted"`
	Wrong     int     `json:"wrong"`
	Lost      float64 `json:"lost"`
}

// gameReport is how a player did in a game.
type gameReport struct {
	Game     int      `json:"game"`
	Counted  int      `json:"counted"`
	PR       *float64 `json:"pr"`
	PlayLost float64  `json:"plays_lost"`
	CubeLost float64  `json:"cube_lost"`
	Luck     float64  `json:"luck"`
}

// pr is a performance rating for JSON.
func (s *Sum) pr() *float64 {
	if s.Counted() == 0 {
		return nil
	}
	pr := s.PR()
	return &pr
}

// Report returns the analysis of a match in a file by a net for JSON.
func (a *Analysis) Report(file, net string) *Report {
	out := &Report{File: file, Net: net, Ply: a.Ply, By: a.objective(), Length: a.Match.Length,
		Games: len(a.Match.Games)}
	for i := range a.Players {
		p := &a.Players[i]
		rates := func(groups []score.Group) map[string]float64 {
			m := map[string]float64{}
			for _, g := range groups {
				m[g.Name] = p.Score.SummaryOf(g.Include).ER.Mean
			}
			return m
		}
		all := p.Score.Summary()
		classes, plans := p.groups()
		r := playerReport{Name: p.Name, PR: p.pr(), Counted: p.Counted(), Errors: p.Errors, Blunders: p.Blunders,
			Luck: p.Luck, Decisions: all.Decisions, Forced: p.Forced, ER: all.ER.Mean, SE: all.ER.SE, Wrong: all.Wrong,
			Lost: all.Total, Classes: rates(classes), Plans: rates(plans),
			Cube: cubeReport{p.Cubes, p.Close, a.wrongCubes(i), p.CubeLoss}}
		if r.PR != nil {
			r.Level = Level(*r.PR)
		}
		for g := range a.Games {
			s := &a.Games[g][i]
			r.ByGame = append(r.ByGame, gameReport{a.Match.Games[g].Number, s.Counted(), s.pr(), s.PlayLoss, s.CubeLoss,
				s.Luck})
		}
		out.Players[i] = r
	}
	return out
}
