// Package cubelife trains the nets of the cube model learned: fitted value iteration along
// recorded games. What a position is worth with the cube in play is the mean over the 21
// rolls of what their best plays leave the opponent, who then decides about the cube best by
// the nets so far; where the two-sided bearoff database has the position, the exact value.
package cubelife
