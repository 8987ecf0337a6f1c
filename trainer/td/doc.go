// Package td trains starting weights by temporal differences from self-play,
// from random weights and without any database, after Tesauro's TD-Gammon
// (Communications of the ACM 38, 1995) and with GNU Backgammon's division into
// contact, crashed and race nets.
//
// Training goes in rounds: a number of games is played with fixed nets, by all
// workers at once; then the nets learn from the positions of those games, in
// the games' order. So the result depends on the seed and the settings, not on
// the number of workers.
package td
