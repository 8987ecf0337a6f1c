// Package benchmark judges players: it scores them on GNU Backgammon's
// benchmark files, compares two of them decision by decision, and lets them
// play matches against each other, against simple published players and against
// a running GNU Backgammon.
//
// The words: a record is one checker-play decision of a benchmark file, a
// candidate one of the plays it lists with the equity each loses against the
// best. The error rate (ER) of a player is its mean loss per decision, times
// 1000. A Player hands out a Mover for each goroutine, and a Mover makes plays.
package benchmark
