package main

import (
	"context"

	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bearoff"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// contestantFlags are the flags that describe how named players play, and what opens them.
type contestantFlags struct{ opponents.Opener }

const contestantHelp = "A player is a net (file or embedded name), pubeval, pipcount\n(pipcount:0 without its ply of " +
	"look-ahead), random or gnubg (a running GNU\nBackgammon); NET:2 and gnubg:2 look 2 plies ahead."

// add adds the flags but those that a command has in a form of its own.
func (c *contestantFlags) add(e *env, f *pflag.FlagSet, own ...string) {
	c.PlayerSettings = job.DefaultPlayer()
	c.showBearoff(e)
	c.List().AddFlags(f)
	c.Evaluation().Without(own...).AddFlags(f)
	c.Filters().AddFlags(f)
	section(f, "How the players play", "ply", "one-sided", "two-sided", "cache", "prune", "filter", "filter-net")
	section(f, "GNU Backgammon", "gnubg", "gnubg-data", "gnubg-timeout")
}

// showBearoff shows how far it is where a bearoff database has to be computed.
func (c *contestantFlags) showBearoff(e *env) {
	c.OpenBearoff = func(ctx context.Context, o bearoff.Options) (*bearoff.DB, error) {
		return openBearoff(ctx, e, o.OneSidedPoints, o.TwoSidedCheckers)
	}
}

// parse reads the name of a player.
func (c *contestantFlags) parse(text string) (opponents.Name, error) {
	n, err := opponents.ParseName(text, c.Ply)
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		err = usageError{err}
	}
	return n, err
}

// open returns the players of names, by their equity for money; an empty name is left out.
func (c *contestantFlags) open(ctx context.Context, texts ...string) (players []opponents.Player,
	names []opponents.Name, err error) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		n, err := c.parse(text)
		if err != nil {
			return nil, nil, err
		}
		p, err := c.Open(ctx, n, opponents.Equity)
		if err != nil {
			return nil, nil, err
		}
		players, names = append(players, p), append(names, n)
	}
	return players, names, nil
}
