package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"bgtrain/benchmark/analyze"
	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/met"
	"bgtrain/benchmark/report"
	"bgtrain/benchmark/score"
	"bgtrain/dataset/match"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"

	"bgtrain/benchmark/opponents"
)

// analyzeOptions are the flags of analyze.
type analyzeOptions struct {
	player  playerFlags
	ply     int
	by      string // objective
	cube    string
	met     string
	out     string
	worst   int
	workers int
	json    bool
}

// runAnalyze is the command analyze.
func runAnalyze(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "analyze FILE [flags]",
		`Judges the players of a recorded match (.mat, .sgf, .xg, .xgp) by a net: error rates of the
plays that leave a choice, by class and game plan, wrong cube decisions, and with -o the worst
plays drawn as boards in one HTML page.`,
		"bgtrain analyze final.xg --ply 2 -o final.html")
	var o analyzeOptions
	o.player.add(f)
	o.player.addFilters(f)
	f.IntVar(&o.ply, "ply", 1, "look-ahead that judges, 0 to 3, in GNU Backgammon's counting")
	f.StringVar(&o.cube, "cube", "gnubg", "model that judges the cube, or none: "+cube.Models)
	addMETFlag(f, &o.met, "matches")
	f.StringVar(&o.by, "objective", "", "what plays are judged by: money (points, without the cube) or match (the "+
		"chance to win the match at its score and cube, as points of money for the cube as it lies); without it "+
		"match in a match, else money")
	f.StringVarP(&o.out, "output", "o", "", "page to write")
	f.IntVar(&o.worst, "worst", 10, "worst decisions to list, and to draw of each class")
	f.IntVar(&o.workers, "workers", 0, "goroutines; 0 one a processor")
	f.BoolVar(&o.json, "json", false, "the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	switch {
	case f.NArg() != 1:
		return usagef("one match file expected")
	case o.ply < 0 || o.ply > player.MaxPly:
		return usagef("--ply %d: 0 to %d expected", o.ply, player.MaxPly)
	case o.by != "" && o.by != "money" && o.by != "match":
		return usagef("--objective %q: money or match expected", o.by)
	case o.worst < 0:
		return usagef("--worst %d: 0 or more expected", o.worst)
	}
	s := analyze.Settings{Ply: o.ply, Candidates: 8, Money: o.by == "money", Workers: o.workers}
	var err error
	if o.cube != "none" {
		if s.Model, err = cube.ParseModel(o.cube); err != nil {
			return usageError{fmt.Errorf("--cube: %w", err)}
		}
	}
	if s.Table, err = met.Open(o.met); err != nil {
		return err
	}
	if format, err := match.DetectFile(f.Arg(0)); err == nil && format == match.IDs {
		return usagef("%s is a list of positions, not a match", f.Arg(0))
	}
	matches, err := match.ReadAll(f.Arg(0))
	if err != nil {
		return err
	}
	p, err := o.player.open(ctx, e)
	if err != nil {
		return err
	}
	for i, m := range matches {
		if i > 0 && o.out != "" {
			return usagef("-o: %s holds %d matches, a page is of one", f.Arg(0), len(matches))
		}
		if o.by == "match" && m.Length == 0 {
			return usagef("--objective match: %s is for money", f.Arg(0))
		}
		bar := newProgress(e, analyze.Work(m), "actions")
		s.Progress = bar.Set
		players, err := analyze.Match(ctx, p, m, s)
		bar.Done()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Arg(0), err)
		}
		if o.json {
			err = printAnalysisJSON(e.Stdout, &o, m, &players)
		} else {
			err = printAnalysis(e.Stdout, &o, m, &players)
		}
		if err != nil {
			return err
		}
		if o.out != "" {
			return writeAnalysis(e, &o, f.Arg(0), m, &players)
		}
	}
	return nil
}

// byClass groups the decisions of a player by the class of their positions.
func byClass(s *score.Score) []score.Group {
	var groups []score.Group
	classes := make([]bg.Class, len(s.File.Records))
	var seen [bg.NumClasses]bool
	for i := range s.File.Records {
		if b, err := s.File.Records[i].Key.Board(); err == nil {
			classes[i] = bg.Classify(&b)
			seen[classes[i]] = true
		}
	}
	for c := bg.Contact; c > bg.Over; c-- {
		if seen[c] {
			groups = append(groups, score.Group{Name: c.String(), Include: func(i int) bool { return classes[i] == c }})
		}
	}
	return groups
}

func printAnalysis(w io.Writer, o *analyzeOptions, m *match.Match, players *[2]analyze.Player) error {
	fmt.Fprintf(w, "%s against %s, %s, %d games, judged at %d-ply by %s equity; ER: equity lost per decision × 1000\n",
		players[0].Name, players[1].Name, lengthOf(m), len(m.Games), o.ply, o.objective(m))
	for i := range players {
		p := &players[i]
		all := p.Score.Summary()
		fmt.Fprintf(w, "\n%s: ER %.2f ± %.2f, %d decisions, %d wrong, %.3f points lost; %d forced\n",
			p.Name, all.ER.Mean, all.ER.SE, all.Decisions, all.Wrong, all.Total, p.Forced)
		if o.cube != "none" {
			fmt.Fprintf(w, "cube: %d decisions, %d wrong, %.3f lost\n", p.Cube.Decisions, p.Cube.Wrong, p.Cube.Loss)
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(t, "\tdecisions\tER\t± se\t\n")
		for _, groups := range [][]score.Group{byClass(p.Score), score.PlanGroups(p.Score.File)} {
			for _, g := range groups {
				s := p.Score.SummaryOf(g.Include)
				fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t\n", g.Name, s.Decisions, s.ER.Mean, s.ER.SE)
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
		for _, k := range p.Score.Worst(o.worst) {
			r := &p.Score.File.Records[k]
			fmt.Fprintf(w, "  game %d move %d  %s  %d%d  %s, best %s  −%.3f\n", r.Line/1000, r.Line%1000,
				r.Key.PositionID(),
				r.Dice[0], r.Dice[1], notation(r, p.Score.Decisions[k].Chosen), notation(r,
					r.Candidates[0].Key), p.Score.Decisions[k].Loss)
		}
		for _, c := range worstCubes(p, o.worst) {
			fmt.Fprintf(w, "  game %d move %d  %s  %s, right %s  −%.3f\n", c.Game, c.Move, c.Position.PositionID(),
				c.Did, c.Right, c.Loss)
		}
	}
	return nil
}

// worstCubes returns the wrong cube decisions of a player, the worst first.
func worstCubes(p *analyze.Player, n int) []analyze.CubeError {
	worst := slices.Clone(p.Cube.Worst)
	slices.SortStableFunc(worst, func(a, b analyze.CubeError) int { return cmp.Compare(b.Loss, a.Loss) })
	return worst[:min(n, len(worst))]
}

// objective is what plays were judged by, money or match.
func (o *analyzeOptions) objective(m *match.Match) string {
	if o.by == "money" || m.Length == 0 {
		return "money"
	}
	return "match"
}

func lengthOf(m *match.Match) string {
	if m.Length == 0 {
		return "money"
	}
	return fmt.Sprintf("a match to %d", m.Length)
}

// playerJSON is a player of `analyze --json`.
type playerJSON struct {
	Name      string             `json:"name"`
	Decisions int                `json:"decisions"`
	Forced    int                `json:"forced"`
	ER        float64            `json:"er"`
	SE        float64            `json:"se"`
	Wrong     int                `json:"wrong"`
	Lost      float64            `json:"points_lost"`
	Classes   map[string]float64 `json:"er_by_class"`
	Plans     map[string]float64 `json:"er_by_plan"`
	Cube      struct {
		Decisions int     `json:"decisions"`
		Wrong     int     `json:"wrong"`
		Lost      float64 `json:"lost"`
	} `json:"cube"`
}

func printAnalysisJSON(w io.Writer, o *analyzeOptions, m *match.Match, players *[2]analyze.Player) error {
	out := struct {
		Net     string        `json:"net"`
		Ply     int           `json:"ply"`
		By      string        `json:"objective"`
		Length  int           `json:"length"`
		Games   int           `json:"games"`
		Players [2]playerJSON `json:"players"`
	}{Net: o.player.net, Ply: o.ply, By: o.objective(m), Length: m.Length, Games: len(m.Games)}
	for i := range players {
		p := &players[i]
		all := p.Score.Summary()
		j := playerJSON{Name: p.Name, Decisions: all.Decisions, Forced: p.Forced, ER: all.ER.Mean, SE: all.ER.SE,
			Wrong: all.Wrong, Lost: all.Total, Classes: map[string]float64{}, Plans: map[string]float64{}}
		for _, g := range byClass(p.Score) {
			j.Classes[g.Name] = p.Score.SummaryOf(g.Include).ER.Mean
		}
		for _, g := range score.PlanGroups(p.Score.File) {
			j.Plans[g.Name] = p.Score.SummaryOf(g.Include).ER.Mean
		}
		j.Cube.Decisions, j.Cube.Wrong, j.Cube.Lost = p.Cube.Decisions, p.Cube.Wrong, p.Cube.Loss
		out.Players[i] = j
	}
	return json.NewEncoder(w).Encode(&out)
}

// writeAnalysis writes the page: both players' plays as two files of one player.
func writeAnalysis(e *env, o *analyzeOptions, file string, m *match.Match, players *[2]analyze.Player) error {
	in := &report.Input{
		Title: "Analysis of " + filepath.Base(file), Made: time.Now(), Worst: o.worst,
		Command: fmt.Sprintf("bgtrain analyze %s --net %s --ply %d --objective %s (line 3012 is game 3 move 12)",
			filepath.Base(file), o.player.net, o.ply, o.objective(m)),
		Players: []opponents.Player{analyze.AsPlayed{}},
	}
	for i := range players {
		s := players[i].Score
		// The page takes a name for a path.
		s.File.Name = strings.ReplaceAll(s.File.Name, "/", "∕")
		if len(s.File.Records) > 0 {
			in.Files = append(in.Files, report.Scored{File: s.File, Scores: []*score.Score{s}})
		}
	}
	if err := atomicfile.Write(o.out, func(w io.Writer) error { return report.Write(w, in) }); err != nil {
		return err
	}
	_, err := fmt.Fprintln(e.Stdout, o.out)
	return err
}
