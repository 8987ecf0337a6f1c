// Package cubestudy compares ways to handle the cube for money on recorded games.
//
// Checker play at 0-ply does not look at the cube, so that games can be played
// once, without it, and the outputs before every roll kept. Any two models then
// handle the cube in the same games, in either seat: a comparison of two models
// takes seconds, and all comparisons share the dice and the plays, which takes
// most of the luck out of their differences.
package cubestudy
