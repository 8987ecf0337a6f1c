package opponents

import (
	"fmt"
	"strings"
)

// Objective is what a player's plays are to maximize.
type Objective uint8

// The objectives.
const (
	Equity Objective = iota // cubeless money equity, at any score
	Wins                    // the chance to win, gammons or not, at any score
	Match                   // the chance to win the match, at its score and with its cube; for money Equity
)

// objectiveNames are the objectives as they are read: other names that they had too.
var objectiveNames = map[string]Objective{"money": Equity, "equity": Equity, "win": Wins, "wins": Wins, "match": Match}

// String returns the objective as it is read.
func (o Objective) String() string { return [...]string{"money", "win", "match"}[o] }

// Objectives are those of player A, or of A and B, as a setting; empty for the usual
// ones.
type Objectives []Objective

// Set reads one objective, or two with a comma between.
func (o *Objectives) Set(text string) error {
	var all Objectives
	for _, name := range strings.Split(text, ",") {
		v, ok := objectiveNames[name]
		if !ok {
			return fmt.Errorf("money, win or match expected")
		}
		all = append(all, v)
	}
	if len(all) > 2 {
		return fmt.Errorf("one for A, or two for A,B expected")
	}
	*o = all
	return nil
}

// String returns the objectives as Set reads them.
func (o *Objectives) String() string {
	var names []string
	for _, v := range *o {
		names = append(names, v.String())
	}
	return strings.Join(names, ",")
}

// Of returns the objectives of two players, who usually play for money, or in a match
// for that; with a cube they may play for what it makes of money, too. Programs choose their
// plays in their own way.
func (o Objectives) Of(players [2]Name, inMatch, withCube bool) (all [2]Objective, err error) {
	usual := Equity
	if inMatch {
		usual = Match
	}
	for i, name := range players {
		all[i] = usual
		if i < len(o) {
			all[i] = o[i]
		}
		switch {
		case all[i] == Match && !inMatch && !withCube:
			return all, fmt.Errorf("match: games for money have no match score, and a cube only with --cube; --length says to " +
				"how many points a match is")
		case all[i] != usual && !name.IsNet():
			return all, fmt.Errorf("%v: %s chooses its plays in its own way", all[i], name)
		}
	}
	return all, nil
}
