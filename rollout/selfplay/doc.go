// Package selfplay makes positions: games of a player against itself, varied so
// that what is rare in good play turns up too, and selections of the positions
// that are worth a label.
//
// Games are numbered; all randomness of a game derives from the seed and its
// number, and positions are kept in the order of the games. So the result
// depends on the seed, the settings and the player, not on the number of
// workers.
package selfplay
