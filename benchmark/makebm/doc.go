// Package makebm makes benchmark files in GNU Backgammon's format: decisions of
// self-play games, the best candidates of each rolled out.
//
// The work has two stages. search.go plays games and takes decisions, with their
// candidates, until there are enough of every class; make.go rolls the candidates
// out, shared among goroutines. A journal (journal.go) beside the output holds
// both, so that a run that was killed goes on. Games are numbered, their
// randomness derives from seed and number, and a rollout depends on seed and
// position: the file depends on seed, settings and nets, not on the number of
// workers, nor on where a run was interrupted.
package makebm
