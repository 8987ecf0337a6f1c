// Package rollout plays positions out: it finds the cubeless outputs of a
// position as the mean result of many games that a player plays against itself
// from there.
//
// Engine (engine.go) rolls out one position, with truncation, variance reduction
// by look-ahead and stratified dice. Packages beside it: job makes databases with
// it, label those of look-ahead evaluations, selfplay finds positions.
package rollout
