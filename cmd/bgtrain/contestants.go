package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/player"
	"bgtrain/rollout/job"

	"github.com/spf13/pflag"
)

// contestantFlags are the flags that say how named players play, and what opens
// them: players with the same net share it and its cache.
type contestantFlags struct {
	playerFlags
	ply   int
	gnubg opponents.GNUbg

	bearoff *bearoff.DB
	nets    map[string]*player.Player
	jobs    map[*player.Player]job.Player // what tells them apart
}

const contestantHelp = "A player is a net (file or embedded name), pubeval, pipcount\n(pipcount:0 without its ply of " +
	"look-ahead), random or gnubg (a running GNU\nBackgammon); NET:2 and gnubg:2 look 2 plies ahead."

func (c *contestantFlags) add(f *pflag.FlagSet) {
	f.IntVar(&c.ply, "ply", 0, "look-ahead of players without their own, 0 to 3, in GNU Backgammon's counting")
	c.addEvaluation(f)
	c.addFilters(f)
	f.StringVar(&c.gnubg.Binary, "gnubg", "", "GNU Backgammon's program; without it the one in PATH")
	f.StringVar(&c.gnubg.DataDir, "gnubg-data", "",
		"directory where GNU Backgammon finds its weights, instead of its own")
	f.DurationVar(&c.gnubg.Timeout, "gnubg-timeout", 0,
		"how long GNU Backgammon may take for an answer; 0 a minute, an hour at 3-ply")
	section(f, "How the players play", "ply", "one-sided", "two-sided", "cache", "prune", "filter", "filter-net")
	section(f, "GNU Backgammon", "gnubg", "gnubg-data", "gnubg-timeout")
}

// open returns the player of a name.
func (c *contestantFlags) open(ctx context.Context, e *env, name string,
	objective opponents.Objective) (opponents.Player, error) {
	if program, err := c.program(name); program != nil || err != nil {
		return program, err
	}
	base, ply, err := splitPly(name, c.ply)
	if err != nil {
		return nil, err
	}
	p, err := c.openNet(ctx, e, base)
	if err != nil {
		return nil, err
	}
	label := fmt.Sprintf("%s:%d", base, ply)
	if objective == opponents.Wins {
		label += " (wins only)"
	}
	return &opponents.NetPlayer{Net: p, Ply: ply, Objective: objective, Label: label}, nil
}

// program returns the player of a name that is none of a net, else nil.
func (c *contestantFlags) program(name string) (opponents.Player, error) {
	base, ply, err := splitPly(name, c.ply)
	if err != nil {
		return nil, err
	}
	said := base != name // a ply of its own, not that of --ply
	var p opponents.Player
	most := 0
	switch base {
	case "pubeval":
		p = opponents.PubEval{}
	case "pipcount":
		p, most = opponents.PipCount{Static: said && ply == 0}, 1
	case "random":
		p = opponents.Random{}
	case "gnubg":
		g := c.gnubg
		g.Ply = ply
		return &g, nil
	default:
		return nil, nil
	}
	if said && ply > most {
		return nil, usagef("player %s: %s looks ahead %d plies at most", name, base, most)
	}
	return p, nil
}

// openNet returns the player of a net, the same one for the same name.
func (c *contestantFlags) openNet(ctx context.Context, e *env, name string) (*player.Player, error) {
	if p := c.nets[name]; p != nil {
		return p, nil
	}
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	f, err := openNet(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("player %s is not pubeval, pipcount, random or gnubg, nor a net: %w", name, err)
	}
	if err != nil {
		return nil, err
	}
	if c.bearoff == nil {
		if c.bearoff, err = openBearoff(ctx, e, c.oneSided, c.twoSided); err != nil {
			return nil, err
		}
	}
	p, err := player.New(f, c.bearoff, options)
	if err != nil {
		return nil, fmt.Errorf("net %s: %w", name, err)
	}
	if c.nets == nil {
		c.nets, c.jobs = map[string]*player.Player{}, map[*player.Player]job.Player{}
	}
	c.nets[name] = p
	c.jobs[p] = c.job(f, options)
	return p, nil
}

// identify returns what a player's plays depend on, as one value of an identity.
func (c *contestantFlags) identify(p opponents.Player) (string, error) {
	switch p := p.(type) {
	case *opponents.NetPlayer:
		id := identify(c.jobs[p.Net], p.Ply, p.Ply)
		id.add("ply", p.Ply)
		id.add("wins-only", p.Objective == opponents.Wins)
		return id.String(), nil
	case *opponents.GNUbg:
		id := identity{{"gnubg", strconv.Itoa(p.Ply)}}
		if p.DataDir == "" {
			return id.String(), nil
		}
		for _, name := range []string{"gnubg.wd", "gnubg.weights"} {
			digest, err := digestFile(filepath.Join(p.DataDir, name))
			if err != nil {
				return "", err
			}
			id.add(name, digest)
		}
		return id.String(), nil
	}
	return p.Name(), nil
}

// netOf returns the net of a player, or nil for one without.
func netOf(p opponents.Player) *player.Player {
	if n, ok := p.(*opponents.NetPlayer); ok {
		return n.Net
	}
	return nil
}

// splitPly cuts the ":2" off a player's name.
func splitPly(name string, ply int) (string, int, error) {
	if base, text, ok := cutLast(name, ":"); ok {
		if n, err := strconv.Atoi(text); err == nil {
			name, ply = base, n
		}
	}
	if ply < 0 || ply > player.MaxPly {
		return "", 0, usagef("%d plies: 0 to %d expected", ply, player.MaxPly)
	}
	return name, ply, nil
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// seconds rounds a duration for a report.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
