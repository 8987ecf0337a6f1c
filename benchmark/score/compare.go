package score

import (
	"fmt"
	"slices"
	"sort"

	"bgtrain/benchmark/bm"
	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Comparison sets two players' decisions on the same file side by side. Paired
// differences vary far less than the two error rates do, since both players
// meet the same hard decisions.
type Comparison struct {
	A, B *Score

	// Difference is A's loss per decision less B's, × 1000: negative where A is
	// the better player.
	Difference stats.Stat

	Same   int // decisions with the same play
	Better int // decisions where A loses less
	Worse  int // decisions where A loses more
}

// Compare compares two scores on one file.
func Compare(a, b *Score) (*Comparison, error) {
	if a.File != b.File && a.File.Name != b.File.Name || len(a.Decisions) != len(b.Decisions) {
		return nil, fmt.Errorf("compare scores on %s and on %s: not the same decisions", a.File.Name, b.File.Name)
	}
	c := &Comparison{A: a, B: b}
	var t stats.Tally
	for i := range a.Decisions {
		d := c.difference(i)
		t.Add(d)
		switch {
		case a.Decisions[i].Chosen == b.Decisions[i].Chosen:
			c.Same++
		case d < 0:
			c.Better++
		case d > 0:
			c.Worse++
		}
	}
	c.Difference = t.Stat().Scaled(1000)
	return c, nil
}

// difference is A's loss less B's in decision i, points.
func (c *Comparison) difference(i int) float64 { return c.A.Decisions[i].Loss - c.B.Decisions[i].Loss }

// DifferenceOf returns the mean difference × 1000 of the decisions that include
// selects.
func (c *Comparison) DifferenceOf(include func(i int) bool) stats.Stat {
	var t stats.Tally
	for i := range c.A.Decisions {
		if include(i) {
			t.Add(c.difference(i))
		}
	}
	return t.Stat().Scaled(1000)
}

// Largest returns the indices of the n decisions where the losses differ most,
// the largest difference first; equal ones in file order.
func (c *Comparison) Largest(n int) []int {
	return largest(len(c.A.Decisions), n, func(i int) float64 { return max(c.difference(i), -c.difference(i)) })
}

// Worst returns the indices of the n decisions that lost most, the largest loss
// first; equal ones in file order.
func (s *Score) Worst(n int) []int {
	return largest(len(s.Decisions), n, func(i int) float64 { return s.Decisions[i].Loss })
}

// largest returns the indices of the n largest positive values out of total.
func largest(total, n int, value func(i int) float64) []int {
	var all []int
	for i := range total {
		if value(i) > 0 {
			all = append(all, i)
		}
	}
	sort.SliceStable(all, func(a, b int) bool { return value(all[a]) > value(all[b]) })
	return all[:min(n, len(all))]
}

// Group is one kind of decision in a breakdown.
type Group struct {
	Name    string
	Include func(i int) bool // by index of the record
}

// PlanGroups groups the records of a file by the mover's plan, see PlanOf;
// groups without records are left out.
func PlanGroups(f *bm.File) []Group {
	return groupBy(f, int(bg.NumPlans), func(r *bm.Record, b *bg.Board) int { return int(bg.PlanOf(b)) },
		func(k int) string { return bg.Plan(k).String() })
}

// ThemeGroups groups the records of a file by the theme of the position before the play,
// see bg.ThemeOf; groups without records are left out.
func ThemeGroups(f *bm.File) []Group {
	return groupBy(f, int(bg.NumThemes), func(_ *bm.Record, b *bg.Board) int {
		theme, _ := bg.ThemeOf(b)
		return int(theme)
	}, func(k int) string { return bg.Theme(k).String() })
}

// ClassGroups groups the records of a file by the class of the position before the play,
// contact first; groups without records are left out.
func ClassGroups(f *bm.File) []Group {
	gs := groupBy(f, int(bg.NumClasses), func(_ *bm.Record, b *bg.Board) int { return int(bg.Classify(b)) },
		func(k int) string { return bg.Class(k).String() })
	slices.Reverse(gs)
	return gs
}

// ResultGroups groups the records of a file by the class of the position after
// the best play.
func ResultGroups(f *bm.File) []Group {
	return groupBy(f, int(bg.NumClasses), func(r *bm.Record, _ *bg.Board) int {
		after, err := r.Candidates[0].Key.Board()
		if err != nil {
			return int(bg.Over)
		}
		return int(bg.Classify(&after))
	}, func(k int) string { return bg.Class(k).String() })
}

func groupBy(f *bm.File, kinds int, kind func(*bm.Record, *bg.Board) int, name func(int) string) []Group {
	of := make([]int, len(f.Records))
	count := make([]int, kinds)
	for i := range f.Records {
		b, err := f.Records[i].Key.Board()
		if err != nil {
			of[i] = -1 // the reader lets no such key pass
			continue
		}
		of[i] = kind(&f.Records[i], &b)
		count[of[i]]++
	}
	var gs []Group
	for k, n := range count {
		if n > 0 {
			gs = append(gs, Group{name(k), func(i int) bool { return of[i] == k }})
		}
	}
	return gs
}
