// Package cube judges the doubling cube: models that turn the five cubeless
// outputs of a position, the state of the cube and the score of a match into the
// equities of no double, double and take, double and pass, and the action that
// follows from them.
//
// All is seen by the player on roll, before the roll, as everywhere in this
// program. Equities are normalized to the cube as it lies: winning it undoubled
// is +1, losing it -1; for money that is points per cube, in a match it is linear
// in match-winning chance (MWC).
package cube
