package dataset

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Info is what is in a database, for people and, as JSON, for programs.
type Info struct {
	Path      string            `json:"path"`
	Rows      int64             `json:"rows"`
	Bytes     int64             `json:"bytes"`
	Parts     int               `json:"parts"`
	Missing   []int             `json:"missing_parts,omitempty"` // numbers of the parts that are not there
	Total     int               `json:"total_parts,omitempty"`   // 0 where unknown
	RowGroups int               `json:"row_groups"`
	Digested  bool              `json:"digested"` // every part carries digests, which reading checked
	Command   string            `json:"command,omitempty"`
	Seed      string            `json:"seed,omitempty"`
	Net       string            `json:"net,omitempty"`
	Extra     map[string]string `json:"extra,omitempty"`
	Classes   []ClassInfo       `json:"classes"` // contact, crashed, race, bearoff
	Methods   []ValueCount      `json:"methods"` // most frequent first
	Sources   []ValueCount      `json:"sources"`
}

// ClassInfo is what is in a database of one class.
type ClassInfo struct {
	Class       string  `json:"class"`
	Rows        int64   `json:"rows"`
	WithOutputs int64   `json:"with_outputs"`
	RolledOut   int64   `json:"rolled_out"`  // rows with a standard error
	MeanSE      float64 `json:"mean_se"`     // of those, points; 0 if there are none
	MeanTrials  float64 `json:"mean_trials"` // of the rows with trials; 0 if there are none
	MeanEquity  float64 `json:"mean_equity"` // of the rows with outputs, player on roll, points
	WinRate     float64 `json:"win_rate"`    // likewise
	GammonRate  float64 `json:"gammon_rate"` // win gammon + lose gammon, likewise
	trials      int64
}

// ValueCount is the number of rows with a string; "" is a null.
type ValueCount struct {
	Value string `json:"value"`
	Rows  int64  `json:"rows"`
}

// Describe reads a whole database, with parts missing or not, and describes it.
func Describe(ctx context.Context, db *DB) (*Info, error) {
	if err := db.CheckBytes(ctx); err != nil {
		return nil, err
	}
	m := db.Meta()
	info := &Info{
		Path: db.path, Rows: db.rows, Parts: len(db.parts), RowGroups: len(db.groups), Digested: true,
		Command: m.Command, Seed: m.Seed, Net: m.Net, Extra: m.Extra,
	}
	info.Missing, info.Total = db.Missing()
	for _, p := range db.parts {
		info.Bytes += p.size
		info.Digested = info.Digested && p.groups != nil
	}
	var classes [bg.NumClasses]ClassInfo
	methods, sources := map[string]int64{}, map[string]int64{}
	for b, err := range db.Batches(ctx, Filter{Partial: true, Unchecked: true}) {
		if err != nil {
			return nil, err
		}
		for i := range b.Len() {
			classes[b.Class[i]].add(b, i)
		}
		b.Method.count(methods)
		b.Source.count(sources)
	}
	for c := bg.Contact; c > bg.Over; c-- {
		classes[c].Class = c.String()
		classes[c].finish()
		info.Classes = append(info.Classes, classes[c])
	}
	info.Methods, info.Sources = sorted(methods), sorted(sources)
	return info, nil
}

func (c *ClassInfo) add(b *Batch, i int) {
	c.Rows++
	if b.HasOutputs[i] {
		o := &b.Outputs[i]
		c.WithOutputs++
		c.MeanEquity += float64(o.Equity())
		c.WinRate += float64(o[bg.Win])
		c.GammonRate += float64(o[bg.WinGammon]) + float64(o[bg.LoseGammon])
	}
	if b.HasSE(i) {
		c.RolledOut++
		c.MeanSE += float64(b.EquitySE[i])
	}
	if b.HasTrials(i) {
		c.trials++
		c.MeanTrials += float64(b.Trials[i])
	}
}

// finish turns the sums into means.
func (c *ClassInfo) finish() {
	mean := func(sum *float64, n int64) {
		if n > 0 {
			*sum /= float64(n)
		}
	}
	mean(&c.MeanEquity, c.WithOutputs)
	mean(&c.WinRate, c.WithOutputs)
	mean(&c.GammonRate, c.WithOutputs)
	mean(&c.MeanSE, c.RolledOut)
	mean(&c.MeanTrials, c.trials)
}

// count adds the rows of each value to counts.
func (s *Strings) count(counts map[string]int64) {
	n := make([]int64, len(s.Values)+1)
	for _, i := range s.Index {
		n[i+1]++
	}
	for i, rows := range n {
		if rows == 0 {
			continue
		}
		value := ""
		if i > 0 {
			value = s.Values[i-1]
		}
		counts[value] += rows
	}
}

func sorted(counts map[string]int64) []ValueCount {
	out := []ValueCount{}
	for v, n := range counts {
		out = append(out, ValueCount{v, n})
	}
	slices.SortFunc(out, func(a, b ValueCount) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), strings.Compare(a.Value, b.Value))
	})
	return out
}

// maxValues is how many methods and sources WriteText shows.
const maxValues = 20

// WriteText writes the info for people.
func (in *Info) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	line("rollout database", "%s", in.Path)
	line("positions", "%d", in.Rows)
	line("size", "%s in %d file(s), %d row groups", stats.Bytes(in.Bytes), in.Parts, in.RowGroups)
	if len(in.Missing) > 0 {
		line("MISSING PARTS", "%d of %s: %s", len(in.Missing), orUnknown(in.Total), someParts(in.Missing))
	}
	if in.Digested {
		line("digests", "all row groups agree")
	} else {
		line("digests", "none: written by another program")
	}
	for _, m := range [][2]string{{"command", in.Command}, {"seed", in.Seed}, {"net", in.Net}} {
		if m[1] != "" {
			line(m[0], "%s", m[1])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(in.Extra)) {
		line(k, "%s", in.Extra[k])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	in.writeClasses(w)
	in.writeValues(w, "method", in.Methods)
	in.writeValues(w, "source", in.Sources)
	return nil
}

// someParts lists parts, the first ones and the last where they are many.
func someParts(parts []int) string {
	const shown = 8
	text := strings.Trim(fmt.Sprint(parts[:min(shown, len(parts))]), "[]")
	switch n := len(parts); {
	case n > shown+1:
		text += fmt.Sprintf(" … %d", parts[n-1])
	case n > shown:
		text += fmt.Sprintf(" %d", parts[n-1])
	}
	return text
}

func orUnknown(n int) string {
	if n == 0 {
		return "an unknown number"
	}
	return fmt.Sprint(n)
}

func (in *Info) writeClasses(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nclass\tpositions\toutputs\trolled\tSE\ttrials\tequity\twins\tgammons\t")
	for _, c := range in.Classes {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t\n", c.Class, c.Rows, c.WithOutputs, c.RolledOut,
			orDash(c.RolledOut, "%.5f", c.MeanSE), orDash(c.trials, "%.0f", c.MeanTrials),
			orDash(c.WithOutputs, "%+.4f", c.MeanEquity), orDash(c.WithOutputs, "%.4f", c.WinRate),
			orDash(c.WithOutputs, "%.4f", c.GammonRate))
	}
	t.Flush()
	fmt.Fprintln(w, "outputs, rolled: how many have outputs, how many of these were rolled out; the rest: means")
}

func orDash(n int64, format string, v float64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

func (in *Info) writeValues(w io.Writer, name string, values []ValueCount) {
	fmt.Fprintf(w, "\n%s\n", name)
	for i, v := range values {
		if i == maxValues {
			fmt.Fprintf(w, "  … and %d more\n", len(values)-i)
			break
		}
		if v.Value == "" {
			v.Value = "(null)"
		}
		fmt.Fprintf(w, "  %10d  %s\n", v.Rows, v.Value)
	}
}
