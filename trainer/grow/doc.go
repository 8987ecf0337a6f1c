// Package grow makes a player out of a recipe: TD games, then rounds of positions,
// labels and training, each measured, with what the measurements decide about the
// next. Its stages are those of the commands td, generate, label, rollout, train,
// makebm and match, done by the packages that do these, and kept by what they are
// made of: what is there is not made again.
package grow
