package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
	"bgtrain/internal/identity"
	"bgtrain/internal/setting"
	"bgtrain/internal/stats"

	"github.com/spf13/pflag"
)

// matchOptions are the flags of match.
type matchOptions struct {
	contestantFlags
	match.Options
	oneSided [2]int // points, see bearoff.Options
	second   *contestantFlags
	others   []string // that play in A's place
	instead  []opponents.Name

	save    string
	boards  bool
	luck    bool
	luckNet string
	log     string
	json    bool
}

// describe returns the flags with what the help says of the command.
func (o *matchOptions) describe(e *env) *pflag.FlagSet {
	f := newFlags(e, "match [flags] A B",
		"Plays games between two players and reports points per game, wins, gammons and\nbackgammons with standard "+
			"errors, all seen by A. Seats alternate. The same command\nplays the same games, whatever the number "+
			"of workers. With --length, plays matches to\nso many points with the Crawford rule: nets and "+
			"gnubg choose their plays by the score\nand the cube, and by their cube models (but see --objective).\n\nCube "+
			"models: "+cube.Models+".\n\n"+contestantHelp,
		"bgtrain match default pubeval --games 10000 --seed 1")
	o.Options.List().AddFlags(f)
	setting.List{bearoff.PairSetting(&o.oneSided)}.AddFlags(f)
	o.contestantFlags.addBut(e, f, "one-sided")
	f.BoolVar(&o.luck, "luck", false,
		"also report points, or matches won, less luck, measured by 0-ply look-ahead at every roll, with the cube and "+
			"at the score (about 20 times slower)")
	f.StringVar(&o.luckNet, "luck-net", "", "net that measures luck; without it the first of A and B that is one")
	f.StringVar(&o.log, "log", "", "keep finished games in this file; the same command goes on from there")
	f.StringArrayVar(&o.others, "instead", nil, "let this player play the same games in A's place, too, and report how "+
		"much better it did than A; may be given again")
	f.StringVar(&o.save, "save", "", "write each game, or match with --length, to a .mat file in this directory, for "+
		"other programs; not those that --log has")
	f.BoolVar(&o.boards, "boards", false, "print the games with a board after each play; not those that --log has")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return f
}

func runMatch(ctx context.Context, e *env, args []string) error {
	o := matchOptions{Options: match.Defaults}
	f := o.describe(e)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return usagef("%d players given, 2 expected", f.NArg())
	}
	if o.Length == 0 && o.Table != nil {
		return usagef("--met is for matches: --length says to how many points")
	}
	if err := o.Complete(); err != nil {
		return err
	}
	if err := o.Options.Check(); err != nil {
		return usageError{err}
	}
	switch {
	case o.boards && o.json:
		return usagef("--boards is text, --json is not: one of the two expected")
	case len(o.others) > 0 && (o.boards || o.save != ""):
		return usagef("--boards and --save are of one match, --instead plays several")
	}
	names, objectives, err := o.names(f.Args())
	if err != nil {
		return err
	}
	o.pair(e)
	return o.match(ctx, e, names, objectives)
}

// names reads the names of the players, and of those of --instead, and what A's and B's plays maximize.
func (o *matchOptions) names(args []string) (names [2]opponents.Name, objectives [2]opponents.Objective, err error) {
	for i := range names {
		if names[i], err = o.parse(args[i]); err != nil {
			return names, objectives, err
		}
	}
	if objectives, err = o.Objectives.Of(names, o.Length > 0); err != nil {
		return names, objectives, usagef("--objective %w", err)
	}
	for _, text := range o.others {
		name, err := o.parse(text)
		if err != nil {
			return names, objectives, err
		}
		if _, err = o.Objectives.Of([2]opponents.Name{name, names[1]}, o.Length > 0); err != nil {
			return names, objectives, usagef("--objective %w", err)
		}
		o.instead = append(o.instead, name)
	}
	return names, objectives, nil
}

// pair makes the flags of player B, which are those of A but for the bearoff databases.
func (o *matchOptions) pair(e *env) {
	o.OneSided, o.second = o.oneSided[0], &o.contestantFlags
	if o.oneSided[1] != o.oneSided[0] {
		second := o.contestantFlags
		second.OneSided, o.second = o.oneSided[1], &second
		second.openFor(e)
		for i, points := range o.oneSided {
			if points == bearoff.None {
				o.seat(i).TwoSided = 0 // it is the other's
			}
		}
	}
}

// seat returns the flags of A (0) or B (1).
func (o *matchOptions) seat(i int) *contestantFlags {
	if i == 0 {
		return &o.contestantFlags
	}
	return o.second
}

func (o *matchOptions) match(ctx context.Context, e *env, names [2]opponents.Name,
	objectives [2]opponents.Objective) error {
	var players [2]opponents.Player
	for i, name := range names {
		var err error
		if players[i], err = o.openSeat(ctx, i, name, objectives[i]); err != nil {
			return err
		}
	}
	if err := o.chooseLuck(ctx, players); err != nil {
		return err
	}
	start := time.Now()
	m, err := o.play(ctx, e, players, o.log)
	r := matchJSON{}
	for i, name := range o.instead {
		if err != nil || m == nil {
			break
		}
		log := o.log
		if log != "" {
			log += fmt.Sprintf(".%d", i+2)
		}
		var other *match.Match
		if players[0], err = o.openSeat(ctx, 0, name, objectives[0]); err == nil {
			if other, err = o.play(ctx, e, players, log); other != nil {
				r.Instead = append(r.Instead, m.Instead(other))
			}
		}
	}
	if m == nil || len(m.Games) == 0 {
		return err
	}
	return errors.Join(err, o.report(e, m, &r, time.Since(start)))
}

// play plays one match; log is the file of its finished games, "" for none. Of one that is interrupted, the games
// that were finished come back beside the error.
func (o *matchOptions) play(ctx context.Context, e *env, players [2]opponents.Player, log string) (*match.Match,
	error) {
	games, err := o.openLog(e, players, log)
	if err != nil {
		return nil, err
	}
	var written *match.Written
	if o.save != "" || o.boards {
		var boards io.Writer
		if o.boards {
			boards = e.Stdout
		}
		if written, err = match.NewWritten(o.save, boards, o.Finished); err != nil {
			return nil, err
		}
		o.Written = written.Add
	}
	bar := newProgress(e, o.Games, "games")
	done := len(o.Finished)
	bar.Set(done, 0)
	o.Record = func(g match.Game) error {
		done++
		bar.Set(done, 0)
		if games != nil {
			return games.Add(g)
		}
		return nil
	}
	m, err := match.Play(ctx, players[0], players[1], o.Options)
	bar.end()
	if written != nil {
		err = errors.Join(err, written.Close())
	}
	if games != nil {
		err = errors.Join(err, games.Close())
		if errors.Is(err, context.Canceled) {
			err = kept{err}
		}
	}
	if m != nil && err != nil && len(m.Games) > 0 {
		fmt.Fprintf(e.Stderr, "bgtrain match: %d of %d games were finished; this is their result\n", len(m.Games),
			o.Games)
	}
	return m, err
}

// openSeat opens the player of a seat, whose name says which databases it has where they are not the usual ones.
func (o *matchOptions) openSeat(ctx context.Context, i int, name opponents.Name,
	objective opponents.Objective) (opponents.Player, error) {
	seat := o.seat(i)
	p, err := seat.Open(ctx, name, objective)
	n, isNet := p.(*opponents.NetPlayer)
	databases := bearoff.Options{OneSidedPoints: seat.OneSided}
	if text := databases.Text(); isNet && text != "" {
		n.Label += " (" + text + ")"
	}
	if isNet && o.Length > 0 && n.Objective == opponents.Equity {
		n.Label += " (for money)"
	}
	return p, err
}

// chooseLuck finds the net that measures luck, where that is wanted.
func (o *matchOptions) chooseLuck(ctx context.Context, players [2]opponents.Player) (err error) {
	if o.luckNet != "" {
		o.Luck, err = o.Net(ctx, o.luckNet)
		return err
	}
	if !o.luck {
		return nil
	}
	for _, p := range players {
		if n := opponents.NetOf(p); n != nil {
			o.Luck = n
			return nil
		}
	}
	o.Luck, err = o.Net(ctx, "default")
	return err
}

// openLog opens a log of games and takes over what it holds.
func (o *matchOptions) openLog(e *env, players [2]opponents.Player, path string) (*match.GameLog, error) {
	if o.Finished = nil; path == "" {
		return nil, nil
	}
	id, err := o.identify(players)
	if err != nil {
		return nil, err
	}
	log, err := match.OpenGameLog(path, id)
	if err != nil {
		return nil, err
	}
	if n := log.Cut(); n > 0 {
		fmt.Fprintf(e.Stderr, "%s: %d bytes at its end were cut off or damaged; those games are played again\n",
			path, n)
	}
	o.Finished = log.Finished
	return log, nil
}

// identify returns what a game depends on besides its number.
func (o *matchOptions) identify(players [2]opponents.Player) (identity.ID, error) {
	id := identity.ID{}
	for i, p := range players {
		who, err := o.seat(i).identify(p)
		if err != nil {
			return nil, err
		}
		seat := []string{"a", "b"}[i]
		id.AddAll(seat+".", who)
		if n, ok := p.(*opponents.NetPlayer); ok && o.Length > 0 && n.Objective == opponents.Equity {
			id[seat+".objective"] = "money"
		}
	}
	id.Add("seed", o.Seed)
	id.Add("duplicate", o.Duplicate)
	id.Add("cube", cube.PairValue(&o.Cube))
	if o.Length > 0 {
		id.Add("length", o.Length)
		id.Add("met", o.Table.Digest())
	}
	if o.Luck != nil {
		id.AddAll("luck.", o.jobs[o.Luck].Identity(0, 0))
		if o.Cube != nil {
			id["luck.of"] = "cubeful equity"
		}
	}
	return id, nil
}

// matchJSON is the result of `match --json`.
type matchJSON struct {
	match.Summary
	Instead []match.Instead `json:"instead,omitempty"`
	Elapsed float64         `json:"elapsed_s"`
}

func (o *matchOptions) report(e *env, m *match.Match, r *matchJSON, elapsed time.Duration) error {
	r.Summary, r.Elapsed = m.Summary(), seconds(elapsed)
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(r)
	}
	if err := r.WriteText(e.Stdout); err != nil {
		return err
	}
	played := len(m.Games) - m.Kept
	for i := range r.Instead {
		if err := r.Instead[i].WriteText(e.Stdout); err != nil {
			return err
		}
		played += r.Instead[i].Games
	}
	_, err := fmt.Fprintf(e.Stdout, "%.1f s, %s games a second\n", elapsed.Seconds(),
		stats.Rate(float64(played)/elapsed.Seconds()))
	return err
}
