package match

import (
	"bufio"
	"fmt"
	"io"

	"bgtrain/internal/stats"
)

// Instead is a match with another player in A's place, with the same rolls, and how much
// better that player did than A. Luck that both had is not in the standard errors of
// differences, which are those of games, or of pairs with duplicate dice.
type Instead struct {
	Summary
	Difference     stats.Stat  `json:"difference"` // in points per game
	WinsDifference stats.Stat  `json:"wins_difference"`
	AdjustedBy     *stats.Stat `json:"luck_adjusted_difference,omitempty"` // where luck was measured
}

// Instead compares the match with one of another player in A's place. Games that are
// missing in one of the two are left out of the differences.
func (m *Match) Instead(other *Match) Instead {
	c := Instead{Summary: other.Summary()}
	base := map[int][]Game{}
	for games := range m.groups() {
		base[games[0].Number/m.group()] = games
	}
	var points, wins, adjusted stats.Tally
	for games := range other.groups() {
		was := base[games[0].Number/m.group()]
		if len(games) < m.group() || len(was) < m.group() {
			continue
		}
		add := func(to *stats.Tally, of func(*Game) float64) { to.Add(meanOf(games, of) - meanOf(was, of)) }
		add(&points, func(g *Game) float64 { return float64(g.Points) })
		add(&wins, func(g *Game) float64 { return g.shares()[0] })
		add(&adjusted, (*Game).lessLuck)
	}
	c.Difference, c.WinsDifference = points.Stat(), wins.Stat()
	if m.opts.Luck != nil && other.opts.Luck != nil {
		a := adjusted.Stat()
		c.AdjustedBy = &a
	}
	return c
}

// WriteText writes the comparison for people.
func (c *Instead) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w)
	c.write(w)
	if c.Length == 0 {
		fmt.Fprintf(w, "  %-22s %+8.4f ± %.4f\n", "points more than A", c.Difference.Mean, c.Difference.SE)
	}
	if c.AdjustedBy != nil {
		fmt.Fprintf(w, "  %-22s %+8.4f ± %.4f\n", "more, less luck", c.AdjustedBy.Mean, c.AdjustedBy.SE)
	}
	fmt.Fprintf(w, "  %-22s %+7.2f%% ± %.2f\n", "wins more than A", 100*c.WinsDifference.Mean,
		100*c.WinsDifference.SE)
	return w.Flush()
}
