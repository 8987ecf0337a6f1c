package main

import (
	"strings"

	"bgtrain/benchmark/opponents"
)

// objectiveHelp is the help of match's --objective.
const objectiveHelp = "what plays of nets maximize: money (points, without the cube), win (games), or match " +
	"(the chance to win a match at its score and cube, with --length); one for A, or A,B; without it match " +
	"with --length, else money"

// objectives reads --objective for players of these names.
func (o *matchOptions) objectives(names [2]string) (all [2]opponents.Objective, err error) {
	usual := "money"
	if o.Length > 0 {
		usual = "match"
	}
	given := strings.Split(o.objective, ",")
	if o.objective == "" {
		given = nil
	}
	if len(given) > len(names) {
		return all, usagef("--objective %s: one for A, or two for A,B expected", o.objective)
	}
	for i, name := range names {
		text := usual
		if i < len(given) {
			text = given[i]
		}
		switch text {
		case "money", "equity": // the latter its name in older versions
			text, all[i] = "money", opponents.Equity
		case "win", "wins":
			text, all[i] = "win", opponents.Wins
		case "match":
			all[i] = opponents.Match
		default:
			return all, usagef("--objective %q: money, win or match expected", o.objective)
		}
		program, err := o.program(name)
		switch {
		case err != nil:
			return all, err
		case text == "match" && o.Length == 0:
			return all, usagef("--objective match: games for money have no match score; --length says to how many " +
				"points a match is")
		case text != usual && program != nil:
			return all, usagef("--objective %s: %s chooses its plays in its own way", text, name)
		}
	}
	return all, nil
}
