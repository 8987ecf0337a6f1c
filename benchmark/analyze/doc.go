// Package analyze judges what people and programs played: the plays of recorded
// matches, each against the best by a player's look-ahead.
package analyze
