package main

import (
	"bgtrain/internal/near"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"bgtrain/benchmark/opponents"
	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/identity"
	"bgtrain/internal/player"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// contestantFlags are the flags that describe how named players play, and what opens them.
type contestantFlags struct {
	playerFlags
	opponents.Opener

	bearoff *bearoff.DB
	jobs    map[*player.Player]job.Player // their identities
}

// otherPlayers are those that are no nets.
var otherPlayers = []string{"pubeval", "pipcount", "random", "gnubg"}

const contestantHelp = "A player is a net (file or embedded name), pubeval, pipcount\n(pipcount:0 without its ply of " +
	"look-ahead), random or gnubg (a running GNU\nBackgammon); NET:2 and gnubg:2 look 2 plies ahead."

// openFor lets the players of nets be opened with an env.
func (c *contestantFlags) openFor(e *env) {
	c.OpenNet = func(ctx context.Context, name string) (*player.Player, error) { return c.openNet(ctx, e, name) }
}

// add adds the flags.
func (c *contestantFlags) add(e *env, f *pflag.FlagSet) { c.addBut(e, f) }

// addBut adds the flags but those that a command has in a form of its own.
func (c *contestantFlags) addBut(e *env, f *pflag.FlagSet, own ...string) {
	c.openFor(e)
	c.Opener.List().AddFlags(f)
	c.addEvaluation(f, own...)
	c.addFilters(f)
	section(f, "How the players play", "ply", "one-sided", "two-sided", "cache", "prune", "filter", "filter-net")
	section(f, "GNU Backgammon", "gnubg", "gnubg-data", "gnubg-timeout")
}

// parse reads the name of a player.
func (c *contestantFlags) parse(text string) (opponents.Name, error) {
	n, err := opponents.ParseName(text, c.Ply)
	if err != nil {
		err = usageError{err}
	}
	return n, err
}

// open returns the players of names, by their equity for money; an empty name is left out.
func (c *contestantFlags) open(ctx context.Context, names ...string) ([]opponents.Player, error) {
	var all []opponents.Player
	for _, text := range names {
		if text == "" {
			continue
		}
		n, err := c.parse(text)
		if err != nil {
			return nil, err
		}
		p, err := c.Open(ctx, n, opponents.Equity)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// openNet opens the player of a net.
func (c *contestantFlags) openNet(ctx context.Context, e *env, name string) (*player.Player, error) {
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	f, err := data.OpenNet(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("player %s is not pubeval, pipcount, random or gnubg, nor a net: %w%s", name, err,
			near.Ask(name, "", otherPlayers))
	}
	if err != nil {
		return nil, err
	}
	if c.bearoff == nil {
		if c.bearoff, err = openBearoff(ctx, e, c.OneSided, c.TwoSided); err != nil {
			return nil, err
		}
	}
	p, err := player.New(f, c.bearoff, options)
	if err != nil {
		return nil, fmt.Errorf("net %s: %w", name, err)
	}
	if c.jobs == nil {
		c.jobs = map[*player.Player]job.Player{}
	}
	c.jobs[p] = c.With(f, options.FilterNet)
	return p, nil
}

// identify returns what a player's plays depend on.
func (c *contestantFlags) identify(p opponents.Player) (identity.ID, error) {
	switch p := p.(type) {
	case *opponents.NetPlayer:
		id := c.jobs[p.Net].Identity(p.Ply, p.Ply)
		id.Add("ply", p.Ply)
		id.Add("wins-only", p.Objective == opponents.Wins)
		return id, nil
	case *opponents.GNUbg:
		id := identity.ID{"gnubg": strconv.Itoa(p.Ply)}
		if p.DataDir == "" {
			return id, nil
		}
		for _, name := range []string{"gnubg.wd", "gnubg.weights"} {
			digest, err := digestFile(filepath.Join(p.DataDir, name))
			if err != nil {
				return nil, err
			}
			id[name] = digest
		}
		return id, nil
	}
	return identity.ID{"player": p.Name()}, nil
}

// seconds rounds a duration for a report.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
