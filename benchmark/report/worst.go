package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"
	"sort"

	"bgtrain/benchmark/score"
	"bgtrain/internal/bg"
)

// PlaysHTML defines the template "plays": what the plays of a Decision lose, and who chose them.
//
//go:embed plays.html
var PlaysHTML string

// classView is the worst decisions of one class.
type classView struct {
	Class     string
	Decisions []Decision
}

// Decision is one decision of a benchmark file, drawn, as pages show it.
type Decision struct {
	Rank       int
	Loss       string
	Where      string // file and line
	Position   string // Position ID
	XGID       string
	Roll, Plan string
	Pips       string
	Board      template.HTML
	Ours, Best string
	Out        bool
	Candidates []CandidatePlay
}

// CandidatePlay is a play of a Decision's table.
type CandidatePlay struct {
	Play, Loss   string
	By           string // the players who chose it
	Best, Chosen bool
}

// Colors of the two plays on a board; the dashes distinguish them in gray.
const (
	bestColor = "#0072b2"
	oursColor = "#bf4a06"
)

// place is a decision of a file.
type place struct {
	file  *score.FileJudgment
	index int
}

// worstPlaces are the decisions that lost the first player most, in.Worst of each
// class, in the order of their losses. Files are of the class that they are about.
func worstPlaces(in *Input) map[bg.Class][]place {
	byClass := map[bg.Class][]place{}
	for i := range in.Files {
		f := &in.Files[i]
		for _, k := range f.Scores[0].Worst(in.Worst) {
			byClass[f.File.Class()] = append(byClass[f.File.Class()], place{f, k})
		}
	}
	for class, places := range byClass {
		loss := func(i int) float64 { return places[i].file.Scores[0].Decisions[places[i].index].Loss }
		sort.SliceStable(places, func(a, b int) bool { return loss(a) > loss(b) })
		byClass[class] = places[:min(in.Worst, len(places))]
	}
	return byClass
}

// worstDecisions draws them, by class in the order contact, crashed, race, bearoff.
func worstDecisions(in *Input) ([]classView, error) {
	byClass := worstPlaces(in)
	var out []classView
	for class := bg.Contact; class > bg.Over; class-- {
		if len(byClass[class]) == 0 {
			continue
		}
		v := classView{Class: class.String()}
		for rank, p := range byClass[class] {
			d, err := viewDecision(in, p.file, p.index)
			if err != nil {
				return nil, err
			}
			d.Rank = rank + 1
			v.Decisions = append(v.Decisions, d)
		}
		out = append(out, v)
	}
	return out, nil
}

// ViewDecision draws decision index of players' scores on one file, seen by the
// first of them; rank is the number it gets.
func ViewDecision(scores []*score.Score, index, rank int) (Decision, error) {
	d, err := viewDecision(&Input{}, &score.FileJudgment{File: scores[0].File, Scores: scores}, index)
	d.Rank = rank
	return d, err
}

// viewDecision draws a decision of the first player.
func viewDecision(in *Input, f *score.FileJudgment, index int) (Decision, error) {
	r := &f.File.Records[index]
	where := fmt.Sprintf("%s:%d", filepath.Base(f.File.Name), r.Line)
	b, err := r.Key.Board()
	if err != nil {
		return Decision{}, fmt.Errorf("%s: %w", where, err)
	}
	notation := func(k bg.Key) string {
		after, err := k.Board()
		if err != nil {
			return k.String()
		}
		return bg.Notation(&b, &after, r.Dice[0], r.Dice[1])
	}
	d := f.Scores[0].Decisions[index]
	v := Decision{
		Loss: fmt.Sprintf("%.3f", d.Loss), Where: where, Position: r.Key.PositionID(), XGID: bg.XGID(&b, r.Dice),
		Roll: fmt.Sprintf("%d-%d", max(r.Dice[0], r.Dice[1]), min(r.Dice[0], r.Dice[1])),
		Plan: bg.PlanOf(&b).String(), Pips: fmt.Sprintf("%d – %d", b.Me.Pips(), b.Opp.Pips()),
		Ours: notation(d.Chosen), Best: notation(r.Candidates[0].Key), Out: d.Out,
	}
	v.Board = template.HTML(Board(&b, Drawing{Dice: r.Dice, Plays: []Arrow{
		{Play: v.Best, Color: bestColor, Bend: 9},
		{Play: v.Ours, Color: oursColor, Dashed: true, Bend: -9},
	}}))
	by := map[bg.Key]string{}
	for _, s := range f.Scores {
		name := in.label(s.Player)
		chosen := s.Decisions[index].Chosen
		if by[chosen] != "" {
			name = by[chosen] + ", " + name
		}
		by[chosen] = name
	}
	for i, c := range r.Candidates {
		text := "best"
		if i > 0 {
			text = fmt.Sprintf("−%.3f", c.Loss)
		}
		v.Candidates = append(v.Candidates, CandidatePlay{notation(c.Key), text, by[c.Key], i == 0, c.Key == d.Chosen})
		delete(by, c.Key)
	}
	unlisted := map[bg.Key]bool{}
	for _, s := range f.Scores {
		k := s.Decisions[index].Chosen
		if by[k] == "" || unlisted[k] {
			continue
		}
		unlisted[k] = true
		v.Candidates = append(v.Candidates, CandidatePlay{notation(k), fmt.Sprintf("−%.3f, not listed", r.OutLoss()),
			by[k], false, k == d.Chosen})
	}
	return v, nil
}
