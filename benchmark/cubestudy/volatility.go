package cubestudy

import (
	"context"
	"math"

	"bgtrain/internal/parallel"
	"bgtrain/internal/stats"
)

// Volatility is the mean absolute change of the chance to win from roll to roll in
// recorded games.
type Volatility struct {
	All stats.Stat // over all rolls after the first
	// Window is over the rolls from a chance within 5 % of the live take or cash
	// point without gammons: 15 % to 25 % and 75 % to 85 %.
	Window stats.Stat
	// WindowTurn is the same from a player's turn to the next, two rolls.
	WindowTurn stats.Stat
	// Bins are by the chance before the roll, in twentieths.
	Bins [20]stats.Stat
	// Local is the mean of the volatilities that were measured roll by roll at the
	// positions themselves, where the recording has them; LocalSD is their standard
	// deviation.
	Local   stats.Stat
	LocalSD float64
	// FirstChances are how far the chance to win is from one half before the second
	// roll of a game and before the third: where the player who does not begin, and
	// the one who does, can first double.
	FirstChances [2]stats.Stat
}

// change adds up changes in a fixed order of games.
type change struct {
	all, window, turn, local stats.Sums
	first                    [2]stats.Sums
}

// MeasureVolatility measures the volatility of recorded games. Standard errors
// take the rolls as independent.
func MeasureVolatility(ctx context.Context, parts []string, workers int, h Hooks) (*Volatility, error) {
	type part struct {
		change
		bins [20]stats.Sums
	}
	sums := make([]part, len(parts))
	err := parallel.For(ctx, workers, len(parts), func(_, n int) error {
		games, _, err := readPart(parts[n], "")
		if err != nil {
			return err
		}
		s := &sums[n]
		for i := range games {
			g := &games[i]
			for k := range g.Turns {
				p := float64(g.Turns[k].Outputs[0]) / one
				d := math.Abs(g.after(k) - p)
				s.all.Add(d)
				if k < len(s.first) {
					s.first[k].Add(math.Abs(p - 0.5))
				}
				s.bins[min(int(p*20), 19)].Add(d)
				if math.Abs(p-0.2) <= 0.05 || math.Abs(p-0.8) <= 0.05 {
					s.window.Add(d)
					s.turn.Add(math.Abs(g.turnAfter(k) - p))
				}
				if v := g.Turns[k].Volatility; v > 0 {
					s.local.Add(float64(v) / one)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var total part
	for n := range sums {
		total.all.Merge(sums[n].all)
		total.window.Merge(sums[n].window)
		total.turn.Merge(sums[n].turn)
		total.local.Merge(sums[n].local)
		for k := range total.first {
			total.first[k].Merge(sums[n].first[k])
		}
		for i := range total.bins {
			total.bins[i].Merge(sums[n].bins[i])
		}
	}
	v := &Volatility{All: total.all.Stat(), Window: total.window.Stat(), WindowTurn: total.turn.Stat(),
		Local: total.local.Stat()}
	v.LocalSD = v.Local.SE * math.Sqrt(float64(total.local.N))
	for k := range v.FirstChances {
		v.FirstChances[k] = total.first[k].Stat()
	}
	for i := range v.Bins {
		v.Bins[i] = total.bins[i].Stat()
	}
	return v, nil
}

// turnAfter is the chance of the player on roll at turn k on the next turn.
func (g *Game) turnAfter(k int) float64 {
	if k+1 < len(g.Turns) {
		return 1 - g.after(k+1)
	}
	return g.after(k)
}

// after is the chance of the player on roll at turn k when the next roll has been
// played: 0 or 1 after the last.
func (g *Game) after(k int) float64 {
	if k+1 < len(g.Turns) {
		return 1 - float64(g.Turns[k+1].Outputs[0])/one
	}
	if (g.Points > 0) == (k&1 == 1) { // the second player is on roll at even turns
		return 1
	}
	return 0
}
