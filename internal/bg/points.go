package bg

// Points returns what the winner of a finished game wins without a cube: 1, 2 for a gammon, 3 for a backgammon; 0
// where the game is not over. The board must be as after a play: the winner is not on roll.
func (b *Board) Points() int {
	switch {
	case b.Opp.Back() >= 0:
		return 0
	case b.Me.OnBoard() < Checkers:
		return 1
	case b.Me.Back() >= 18:
		return 3
	}
	return 2
}
