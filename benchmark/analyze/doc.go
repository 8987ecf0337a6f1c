// Package analyze judges what people and programs played: the plays and the cube
// decisions of recorded matches, each against the best by a player's look-ahead or by
// rollouts. Match does the judging; an Analysis writes itself as text, JSON and a page.
package analyze
