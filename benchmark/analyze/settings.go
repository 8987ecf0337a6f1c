package analyze

import (
	"fmt"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// What plays are judged by.
const (
	byMoney = "money"
	byMatch = "match"
	byCube  = "cube"
)

// Settings describe how a match is judged.
type Settings struct {
	Ply        int
	Candidates int        // of a decision that are kept, besides the play made
	Model      cube.Model // nil: cube decisions are not judged
	Table      *met.Table
	By         string         // money, match, or "" for match in a match and cube else
	Rollouts   int            // decisions that are rolled out, the worst
	Small      *player.Player // measures luck in rollouts; nil: the player itself, which is slow
	Trials     int            // of a rollout
	Truncate   int            // plies; see rollout.Options
	Seed       uint64         // of the rollouts
	Workers    int            // goroutines, 0: one a processor; the result does not depend on it

	Progress func(done, total int) // cube actions, rolls and plays; may be nil
	Rolling  func(done, total int) // decisions rolled out; may be nil
}

// Defaults are the settings of the command.
var Defaults = Settings{Ply: 1, Candidates: 8, Model: cube.GNUbg{}, Trials: 144, Truncate: 7, Seed: 1}

// List returns each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	return setting.List{
		player.PlySetting("ply", &s.Ply, "look-ahead that judges"),
		{Name: "cube", To: cube.ModelOrNone(&s.Model), Help: "model that judges the cube, or none: " + cube.Models},
		met.Setting(&s.Table, "matches"),
		{Name: "objective", To: setting.Parsed(&s.By, parseBy, func(by string) string { return by }),
			Help: "what plays are judged by: money (points, without the cube) or match (the chance to win the match " +
				"at its score and cube, as points of money for the cube as it lies); without it match in a match, " +
				"else points with the cube"},
		{Name: "rollout", To: &s.Rollouts, Range: setting.From(0, 1e6),
			Help: "roll out so many of the worst decisions of a match, with the cube in play where --cube judges them"},
		{Name: "trials", To: &s.Trials, Range: setting.From(2, 1<<24), Help: "games a candidate, of --rollout"},
		{Name: "truncate", To: &s.Truncate, Range: setting.From(0, 1<<20),
			Help: "plies after which --rollout takes the net's value; 0 plays to the end"},
		{Name: "seed", To: &s.Seed, Help: "seed of the dice of --rollout"},
		parallel.Setting(&s.Workers),
	}
}

func parseBy(text string) (string, error) {
	if text != byMoney && text != byMatch {
		return "", fmt.Errorf("money or match expected")
	}
	return text, nil
}

// Check reports whether a match can be judged by the settings.
func (s *Settings) Check(m *matchfile.Match) error {
	if s.By == byMatch && m.Length == 0 {
		return fmt.Errorf("--objective match: a match expected, this is for money")
	}
	return nil
}

// by is what plays of a match are judged by.
func (s *Settings) by(m *matchfile.Match) string {
	switch {
	case s.By != "":
		return s.By
	case m.Length > 0:
		return byMatch
	case s.Model != nil:
		return byCube
	}
	return byMoney
}
