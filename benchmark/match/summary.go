package match

import (
	"iter"

	"bgtrain/internal/stats"
)

// Summary is what is reported of a match. Shares are of all games, a gammon
// includes a backgammon, and all is seen by player A.
type Summary struct {
	A         string     `json:"a"`
	B         string     `json:"b"`
	Games     int        `json:"games"`
	Seed      uint64     `json:"seed"`
	Duplicate bool       `json:"duplicate"`
	Points    stats.Stat `json:"points_per_game"`

	// Of matches to Length points, Games counts the matches, Points is 1 or -1 a
	// match, Cube its largest cube, and no gammons are counted.
	Length   int         `json:"length,omitempty"`
	PerMatch *stats.Stat `json:"games_per_match,omitempty"`

	// Adjusted is Points less luck, where that was measured, of matches AdjustedWins Wins
	// less luck.
	Adjusted     *stats.Stat `json:"luck_adjusted_points_per_game,omitempty"`
	AdjustedWins *stats.Stat `json:"luck_adjusted_wins,omitempty"`

	Wins            stats.Stat  `json:"wins"`
	Gammons         stats.Stat  `json:"gammons"`
	Backgammons     stats.Stat  `json:"backgammons"`
	GammonsLost     stats.Stat  `json:"gammons_lost"`
	BackgammonsLost stats.Stat  `json:"backgammons_lost"`
	Passes          *stats.Stat `json:"passes,omitempty"`     // games that ended by a pass
	Cube            *stats.Stat `json:"final_cube,omitempty"` // its value
	Turns           stats.Stat  `json:"turns"`                // rolls a game

	// ErrorRating is how many thousandths of a won game A gives up with a move, more
	// than B does (jacobhilton/backgammon): what is missing to half of the games, over
	// the moves that A makes in one. Not of matches.
	ErrorRating *stats.Stat `json:"error_rating,omitempty"`

	UnpairedLeftOut int `json:"unpaired_left_out,omitempty"`
}

// Summary sums up the finished games. With duplicate dice the standard errors
// are those of pairs, and games whose partner is missing are left out.
func (m *Match) Summary() Summary {
	s := Summary{A: m.A, B: m.B, Seed: m.opts.Seed, Duplicate: m.opts.Duplicate}
	var points, adjusted, turns, cubes, perMatch stats.Tally
	var shares [6]stats.Tally // wins, gammons, backgammons, the two lost, passes
	for games := range m.groups() {
		if len(games) < m.group() {
			s.UnpairedLeftOut += len(games)
			continue
		}
		s.Games += len(games)
		mean := func(of func(*Game) float64) float64 { return meanOf(games, of) }
		points.Add(mean(func(g *Game) float64 { return float64(g.Points) }))
		adjusted.Add(mean((*Game).lessLuck))
		turns.Add(mean(func(g *Game) float64 { return float64(g.Turns) }))
		perMatch.Add(mean(func(g *Game) float64 { return float64(g.Outcome.Games) }))
		cubes.Add(mean(func(g *Game) float64 { return float64(g.Cube) }))
		for k := range shares {
			shares[k].Add(mean(func(g *Game) float64 { return g.shares()[k] }))
		}
	}
	s.Points, s.Turns = points.Stat(), turns.Stat()
	s.Wins, s.Gammons, s.Backgammons = shares[0].Stat(), shares[1].Stat(), shares[2].Stat()
	s.GammonsLost, s.BackgammonsLost = shares[3].Stat(), shares[4].Stat()
	if m.opts.Length == 0 && s.Turns.Mean > 0 {
		a := 2000 / s.Turns.Mean // half of the moves are A's
		s.ErrorRating = &stats.Stat{Mean: a * (0.5 - s.Wins.Mean), SE: a * s.Wins.SE}
	}
	if m.opts.Luck != nil {
		a := adjusted.Stat()
		if s.Adjusted = &a; m.opts.Length > 0 {
			s.Adjusted, s.AdjustedWins = nil, &a
		}
	}
	if m.opts.Cube != nil {
		p, c := shares[5].Stat(), cubes.Stat()
		s.Passes, s.Cube = &p, &c
	}
	if s.Length = m.opts.Length; s.Length > 0 {
		p := perMatch.Stat()
		s.PerMatch, s.Passes = &p, nil
	}
	return s
}

// lessLuck is the points of a game, or 1 for a won match and 0 for a lost one, less luck.
func (g *Game) lessLuck() float64 {
	if g.Outcome.Games > 0 {
		return float64(g.Points+1)/2 - g.Luck
	}
	return float64(g.Points) - g.Luck
}

// group is how many games belong together: two with duplicate dice.
func (m *Match) group() int {
	if m.opts.Duplicate {
		return 2
	}
	return 1
}

// groups are the games that belong together, as far as they are finished.
func (m *Match) groups() iter.Seq[[]Game] {
	return func(yield func([]Game) bool) {
		for i, j := 0, 0; i < len(m.Games); i = j {
			for j < len(m.Games) && m.Games[j].Number/m.group() == m.Games[i].Number/m.group() {
				j++
			}
			if !yield(m.Games[i:j]) {
				return
			}
		}
	}
}

func meanOf(games []Game, of func(*Game) float64) float64 {
	sum := 0.0
	for k := range games {
		sum += of(&games[k])
	}
	return sum / float64(len(games))
}

// shares are 0 or 1: won, by a gammon, by a backgammon, lost a gammon, lost a
// backgammon, ended by a pass.
func (o *Outcome) shares() (s [6]float64) {
	if o.Points > 0 {
		s[0] = 1
	}
	if o.Passed {
		s[5] = 1
		return s
	}
	if o.Games > 0 {
		return s // of a match
	}
	switch o.Points / max(o.Cube, 1) {
	case 3:
		s[1], s[2] = 1, 1
	case 2:
		s[1] = 1
	case -2:
		s[3] = 1
	case -3:
		s[3], s[4] = 1, 1
	}
	return s
}
