// Package bm reads, writes, checks and describes benchmark files in GNU
// Backgammon's format.
//
// A record is one checker-play decision, a candidate one of the plays it lists
// with the equity each loses against the best.
package bm
