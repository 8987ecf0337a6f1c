// Package braintest has a player for the tests of what plays by package protocol.
package braintest

import (
	"bgtrain/data"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
	"bgtrain/internal/protocol"
)

// Open returns a player by the embedded starting net, which is small, at 0-ply, with GNU Backgammon's
// cube model and match equities.
func Open() (*protocol.Brain, error) {
	set, _, err := data.Net("td")
	if err != nil {
		return nil, err
	}
	p, err := player.New(set, nil, player.Options{})
	if err != nil {
		return nil, err
	}
	table, err := met.Open("")
	return &protocol.Brain{Evaluator: p.NewEvaluator(), Model: cube.GNUbg{}, Table: table}, err
}
