// Package score judges players on benchmark files: error rates with their
// standard errors, two players side by side decision by decision, cube
// decisions, and how predicted chances relate to rolled-out ones.
//
// The error rate (ER) of a player is its mean loss per decision, times 1000.
package score
