package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/met"
	"bgtrain/internal/atomicfile"
)

// metOptions are the flags of met.
type metOptions struct {
	cube.TableSettings
	compute bool
	model   string
	against string
	output  string
	json    bool
}

func runMET(_ context.Context, e *env, args []string) error {
	o := metOptions{TableSettings: cube.TableSettings{Gammons: 0.27, Backgammons: 0.01, Spread: 0.03}}
	f := newFlags(e, "met [flags] [TABLE]",
		"Prints a match equity table, an embedded one ("+strings.Join(met.Names,
			", ")+") or a\nfile in GNU Backgammon's XML form; writes it in that form (-o); compares it with "+
			"another\n(--against). With --compute it is a table of its own, by recursion from the share "+
			"of\ngammons and a cube model.",
		"bgtrain met --compute --length 15 --against kazaross-xg2")
	f.BoolVar(&o.compute, "compute", false, "compute a table instead")
	f.IntVar(&o.Length, "length", 0,
		"points: of a computed table (15 without it), or up to which one is printed and compared")
	f.Float64Var(&o.Gammons, "gammons", o.Gammons, "share of won games that are gammons or backgammons")
	f.Float64Var(&o.Backgammons, "backgammons", o.Backgammons, "share of won games that are backgammons")
	f.Float64Var(&o.Spread, "spread", o.Spread,
		"how far the chance to win is from one half when somebody can first double")
	f.Float64Var(&o.TrailerGammons, "trailer-gammons", 0,
		"share of gammons among the wins of a side against one that is 1 away; 0 as --gammons")
	f.Float64Var(&o.FirstChance, "first-chance", 0, "how far the chance to win is from one half, on average, when "+
		"the trailer can first double after the Crawford game, where the leader has a free drop; 0 leaves those games "+
		"to the cube model")
	f.StringVar(&o.model, "cube", "jump=0.08", "cube model of a computed table: "+cube.Models)
	f.StringVar(&o.against, "against", "", "compare with this table, score by score")
	f.StringVarP(&o.output, "output", "o", "", "write the table to this file, as GNU Backgammon reads it")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() > 1 || f.NArg() == 1 && o.compute {
		return usagef("one table expected, none with --compute")
	}
	for _, name := range []string{"gammons", "backgammons", "spread", "trailer-gammons", "first-chance", "cube"} {
		if f.Changed(name) && !o.compute {
			return usagef("--%s is of a computed table: --compute", name)
		}
	}
	t, err := o.table(f.Arg(0))
	if err != nil {
		return err
	}
	return o.show(e, t)
}

// table reads or computes the table, and sets the length.
func (o *metOptions) table(name string) (t *met.Table, err error) {
	if !o.compute {
		if t, err = met.Open(name); err == nil && o.Length == 0 {
			o.Length = t.Length()
		}
	} else {
		if o.Length == 0 {
			o.Length = 15
		}
		if o.Model, err = cube.ParseModel(o.model); err != nil {
			return nil, usagef("--cube: %w", err)
		}
		if err := o.Check(); err != nil {
			return nil, usageError{err}
		}
		t, err = cube.NewTable(o.TableSettings)
	}
	if err == nil && (o.Length < 1 || o.Length > met.MaxLength) {
		return nil, usagef("--length %d: 1 to %d expected", o.Length, met.MaxLength)
	}
	return t, err
}

// metJSON is the result of `met --json`: pre[i][j] is the chance at i+1 points away
// against j+1, post[i] that at i+1 away after the Crawford game.
type metJSON struct {
	Name       string          `json:"name"`
	Length     int             `json:"length"`
	Pre        [][]float64     `json:"pre"`
	Post       []float64       `json:"post"`
	Difference *met.Difference `json:"difference,omitempty"`
}

func (o *metOptions) show(e *env, t *met.Table) error {
	if o.output != "" {
		if err := atomicfile.Write(o.output, t.Write); err != nil {
			return fmt.Errorf("write %s: %w", o.output, err)
		}
	}
	r := metJSON{Name: t.Name, Length: o.Length}
	for i := 1; i <= o.Length; i++ {
		var row []float64
		for j := 1; j <= o.Length; j++ {
			row = append(row, t.Pre(i, j))
		}
		r.Pre, r.Post = append(r.Pre, row), append(r.Post, t.Post(i))
	}
	if o.against != "" {
		other, err := met.Open(o.against)
		if err != nil {
			return err
		}
		d := met.Compare(t, other, o.Length)
		r.Difference = &d
	}
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(&r)
	}
	w := bufio.NewWriter(e.Stdout)
	r.print(w)
	if d := r.Difference; d != nil {
		fmt.Fprintf(w, "against %s: %d scores, mean difference %.4f, largest %.4f (%d away against %d)\n",
			o.against, d.Scores, d.Mean, d.Largest, d.At[0], d.At[1])
		fmt.Fprintf(w, "  after the Crawford game: mean %.4f, largest %.4f (%d away)\n", d.PostMean, d.PostLargest,
			d.PostLargestAt)
	}
	return w.Flush()
}

// print writes the table in percent.
func (r *metJSON) print(w io.Writer) {
	fmt.Fprintf(w, "%s\npoints away of the player (rows) and of the opponent\n    ", r.Name)
	for j := range r.Pre {
		fmt.Fprintf(w, "%6d", j+1)
	}
	fmt.Fprintln(w)
	for i, row := range r.Pre {
		fmt.Fprintf(w, "%3d ", i+1)
		for _, p := range row {
			fmt.Fprintf(w, "%6.2f", 100*p)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "after the Crawford game, against 1 away\n    ")
	for _, p := range r.Post {
		fmt.Fprintf(w, "%6.2f", 100*p)
	}
	fmt.Fprintln(w)
}
