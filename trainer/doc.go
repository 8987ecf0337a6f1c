// Package trainer trains a player on rollout databases, one net after the other:
// it brings the player to start from to the size asked for, gathers and weighs
// the examples of each net, trains it, scores it, and writes the player with the
// provenance of each net, the learning curves and their picture.
//
// One net is trained by trainer/fit; self-play training is in trainer/td; curves
// and their pictures are in trainer/curve.
package trainer
