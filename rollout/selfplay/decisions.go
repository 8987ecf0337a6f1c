package selfplay

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Decision is a choice between plays in a game, valid while it is visited.
type Decision struct {
	Board   bg.Board     // the player who chooses is on roll
	Dice    [2]int       // as rolled, in either order
	Results []bg.Board   // after each legal play, at least two, the opponent on roll
	Outputs []bg.Outputs // of the results at 0-ply, as the opponent sees them
}

// Games plays the numbered games of a run for those who want their decisions. It
// serves one goroutine.
type Games struct{ g gamePlayer }

// NewGames returns the games that a player plays against itself. Of the settings
// Seed, Diversity and Random count.
func NewGames(p *player.Player, s Settings) *Games {
	s.Select = Selectors{}
	toTheEnd := classes{bg.Race: true, bg.Bearoff: true}
	return &Games{gamePlayer{ev: p.NewEvaluator(), s: &s, open: toTheEnd}}
}

// Visit plays game number and calls visit for each decision in it, before the
// play, but not for forced plays and the random ones at the beginning.
func (g *Games) Visit(number uint64, visit func(*Decision)) {
	g.g.visit = visit
	g.g.play(number, nil)
}
