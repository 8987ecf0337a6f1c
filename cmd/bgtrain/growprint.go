package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"bgtrain/data"
	"bgtrain/internal/stats"
	"bgtrain/trainer/grow"
)

// printRecipes lists the embedded recipes, each with the first line of its text.
func printRecipes(e *env) error {
	for _, name := range data.RecipeNames() {
		text, _ := data.Recipe(name)
		first, _, _ := strings.Cut(string(text), "\n")
		about := strings.TrimPrefix(strings.TrimPrefix(first, "# "), name+": ")
		if _, err := fmt.Fprintf(e.Stdout, "%-12s %s\n", name, about); err != nil {
			return err
		}
	}
	return nil
}

// printRecipe prints an embedded recipe.
func printRecipe(e *env, name string) error {
	text, ok := data.Recipe(name)
	if !ok {
		return usagef("--print %s: no embedded recipe has that name (%s)", name, strings.Join(data.RecipeNames(), ", "))
	}
	_, err := e.Stdout.Write(text)
	return err
}

// plannedJSON is a line of `grow --dry-run --json`.
type plannedJSON struct {
	Round   int     `json:"round"`
	Stage   string  `json:"stage"`
	Count   int     `json:"count"` // positions, games, candidates or parts
	Units   string  `json:"units"`
	Rows    int     `json:"rows"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
	Made    bool    `json:"made"`
	Command string  `json:"command"`
}

// printPlan prints the stages of a plan, as a table, as JSON lines, or their commands.
func printPlan(e *env, o *growOptions, plan []grow.Planned) error {
	var total plannedJSON
	enc := json.NewEncoder(e.Stdout)
	for _, p := range plan {
		s := p.Stage
		line := plannedJSON{s.Round, string(s.Kind), s.Total, s.Units, s.Rows, p.Bytes, p.Seconds, p.Made, s.Command}
		total.Bytes, total.Seconds = total.Bytes+p.Bytes, total.Seconds+p.Seconds
		var err error
		switch {
		case o.json:
			err = enc.Encode(&line)
		case o.commands:
			_, err = fmt.Fprintf(e.Stdout, "# %s\nmkdir -p %s\n%s\n", s.Label(), filepath.Dir(s.File("x")), s.Command)
		default:
			made := ""
			if p.Made {
				made = ", made"
			}
			_, err = fmt.Fprintf(e.Stdout, "%-22s %9d %-10s %9d rows %8s %8v%s\n", s.Label(), s.Total, s.Units, s.Rows,
				stats.Bytes(p.Bytes), secondsText(p.Seconds), made)
		}
		if err != nil {
			return err
		}
	}
	if o.json || o.commands {
		return nil
	}
	_, err := fmt.Fprintf(e.Stdout, "about %s on disk, and %s on this machine as it is now\n", stats.Bytes(total.Bytes),
		secondsText(total.Seconds))
	return err
}

func secondsText(s float64) string { return durationText(time.Duration(s * float64(time.Second))) }

// printGrown prints what came out, a line a round.
func printGrown(e *env, o *growOptions, log *grow.Log) error {
	if o.json {
		enc := json.NewEncoder(e.Stdout)
		for i := range log.Rounds {
			if err := enc.Encode(&log.Rounds[i]); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(e.Stdout, "%5s %9s %10s %9s %15s %7s %17s\n", "round", "time", "processors", "rows", "ER", "within",
		"points")
	for i := range log.Rounds {
		r := &log.Rounds[i]
		fmt.Fprintf(e.Stdout, "%5d %9s %10s %9d %6.2f ± %-6.2f %7.4f", r.Round, secondsText(r.Seconds),
			secondsText(r.ProcessorSeconds), r.Rows, r.ER, r.ERSE, r.Within)
		fmt.Fprintf(e.Stdout, " %+.4f ± %.4f against %s", r.Points, r.PointsSE, r.Against)
		for _, p := range r.Others {
			fmt.Fprintf(e.Stdout, ", %+.4f ± %.4f against %s", p.Points.Mean, p.Points.SE, filepath.Base(p.Against))
		}
		if !r.Passed {
			fmt.Fprint(e.Stdout, ", not passed")
		}
		fmt.Fprintln(e.Stdout)
	}
	_, err := fmt.Fprintf(e.Stdout, "%s is the best player; %s repeats the run\n", filepath.Join(o.Dir, grow.BestFile),
		filepath.Join(o.Dir, grow.RecipeFile))
	return err
}

// compareRuns prints what the second of two runs gained.
func compareRuns(ctx context.Context, e *env, o *growOptions, dirs [2]string) error {
	o.comparison.Workers = o.Workers
	c, err := grow.Compare(ctx, dirs, o.comparison)
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(c)
	}
	for _, line := range c.Changed {
		fmt.Fprintln(e.Stdout, line)
	}
	fmt.Fprintf(e.Stdout, "%-40s %s\n", "", dirs[1]+" less "+dirs[0])
	fmt.Fprintf(e.Stdout, "%-40s %+9.4f ± %.4f\n", "points a game less luck", c.Points.Mean, c.Points.SE)
	for _, s := range c.Sets {
		of := fmt.Sprintf("%d decisions of %s", s.Decisions, s.Of)
		fmt.Fprintf(e.Stdout, "%-40s %+9.4f ± %.4f\n", "ER, "+of, s.ER.Mean, s.ER.SE)
		fmt.Fprintf(e.Stdout, "%-40s %+9.5f ± %.5f\n", "within, "+of, s.Within.Mean, s.Within.SE)
	}
	_, err = fmt.Fprintf(e.Stdout, "%-40s %+9.0f\n", "seconds", c.Seconds[1]-c.Seconds[0])
	return err
}
