// Package opponents has who can play: nets, simple published players, and a
// running GNU Backgammon. A Player hands out a Mover for each goroutine, and a
// Mover makes plays.
package opponents
