// Package bg is the game itself: the board, the dice, the legal plays of a
// roll, position keys, position classes and the five cubeless outputs.
//
// Everything is seen by the player on roll. A play yields the position after
// it with the sides swapped: the opponent is on roll then.
package bg
