// Package rollout plays positions out: it finds the cubeless outputs of a
// position as the mean result of many games that a player plays against itself
// from there.
//
// Engine (engine.go) rolls out one position, with truncation, variance reduction
// by look-ahead and stratified dice. Parts (parts.go) makes a database from
// another one in part files that survive being killed and can be shared among
// machines; it serves every command that works through a database.
package rollout
