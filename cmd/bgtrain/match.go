package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"bgtrain/benchmark/cube"
	"bgtrain/benchmark/cube/met"
	"bgtrain/benchmark/match"
	"bgtrain/benchmark/opponents"
	"bgtrain/internal/stats"
)

// matchOptions are the flags of match.
type matchOptions struct {
	contestantFlags
	match.Options
	objective string
	cube      string
	met       string
	luck      bool
	luckNet   string
	log       string
	json      bool
}

func runMatch(ctx context.Context, e *env, args []string) error {
	var o matchOptions
	f := newFlags(e, "match [flags] A B",
		"Plays games between two players and reports points per game, wins, gammons and\nbackgammons with standard "+
			"errors, all seen by A. Seats alternate. The same command\nplays the same games, whatever the number "+
			"of workers. With --length, plays matches to\nso many points with the Crawford rule: nets and "+
			"gnubg choose their plays by the score\nand the cube, and by their cube models (but see --objective).\n\nCube "+
			"models: "+cube.Models+".\n\n"+contestantHelp,
		"bgtrain match default pubeval --games 10000 --seed 1")
	f.IntVarP(&o.Games, "games", "n", 1000, "number of games, or of matches with --length")
	f.IntVar(&o.Length, "length", 0, "play matches to so many points; 0 games for money")
	addMETFlag(f, &o.met, "--length")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the dice")
	o.contestantFlags.add(f)
	f.BoolVar(&o.Duplicate, "duplicate", false, "play each sequence of rolls twice, with seats exchanged")
	f.BoolVar(&o.luck, "luck", false,
		"also report points less luck, measured by 0-ply look-ahead at every roll (about 20 times slower)")
	f.StringVar(&o.luckNet, "luck-net", "", "net that measures luck; without it the first of A and B that is one")
	f.StringVar(&o.objective, "objective", "", objectiveHelp)
	f.StringVar(&o.cube, "cube", "",
		"play with the doubling cube: a model such as janowski=0.7, or two for A,B; with --length gnubg without it")
	f.StringVar(&o.log, "log", "", "keep finished games in this file; the same command goes on from there")
	addWorkersFlag(f, &o.Workers)
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return usagef("%d players given, 2 expected", f.NArg())
	}
	if o.Games < 1 || o.Duplicate && o.Games%2 != 0 {
		return usagef("--games %d: a positive number expected, even with --duplicate", o.Games)
	}
	var err error
	if err := o.cubes(); err != nil {
		return err
	}
	names := [2]string(f.Args())
	objectives, err := o.objectives(names)
	if err != nil {
		return err
	}
	return o.match(ctx, e, names, objectives)
}

func (o *matchOptions) match(ctx context.Context, e *env, names [2]string, objectives [2]opponents.Objective) error {
	var players [2]opponents.Player
	for i, name := range names {
		var err error
		if players[i], err = o.open(ctx, e, name, objectives[i]); err != nil {
			return err
		}
		switch p := players[i].(type) {
		case *opponents.GNUbg:
			if o.Workers == 0 {
				o.Workers = 8 * runtime.GOMAXPROCS(0)
			}
		case *opponents.NetPlayer:
			if o.Length > 0 && p.Objective == opponents.Equity {
				p.Label += " (for money)"
			}
		}
	}
	if err := o.chooseLuck(ctx, e, players); err != nil {
		return err
	}
	log, err := o.openLog(e, players)
	if err != nil {
		return err
	}
	bar := newProgress(e, o.Games, "games")
	done := len(o.Finished)
	bar.Set(done, 0)
	o.Record = func(g match.Game) error {
		done++
		bar.Set(done, 0)
		if log != nil {
			return log.Add(g)
		}
		return nil
	}
	start := time.Now()
	m, err := match.Play(ctx, players[0], players[1], o.Options)
	elapsed := time.Since(start)
	bar.end()
	if log != nil {
		err = errors.Join(err, log.Close())
	}
	if m == nil || len(m.Games) == 0 {
		return err
	}
	if log != nil && errors.Is(err, context.Canceled) {
		err = kept{err}
	}
	if err != nil {
		fmt.Fprintf(e.Stderr, "bgtrain match: %d of %d games were finished; this is their result\n", len(m.Games),
			o.Games)
	}
	return errors.Join(err, o.report(e, m, elapsed))
}

// chooseLuck finds the net that measures luck, where that is wanted.
func (o *matchOptions) chooseLuck(ctx context.Context, e *env, players [2]opponents.Player) (err error) {
	if o.luckNet != "" {
		o.Luck, err = o.openNet(ctx, e, o.luckNet)
		return err
	}
	if !o.luck {
		return nil
	}
	for _, p := range players {
		if n := netOf(p); n != nil {
			o.Luck = n
			return nil
		}
	}
	o.Luck, err = o.openNet(ctx, e, "default")
	return err
}

// openLog opens the log of games and takes over what it holds.
func (o *matchOptions) openLog(e *env, players [2]opponents.Player) (*match.GameLog, error) {
	if o.log == "" {
		return nil, nil
	}
	id, err := o.identify(players)
	if err != nil {
		return nil, err
	}
	log, err := match.OpenGameLog(o.log, id.String())
	if err != nil {
		return nil, err
	}
	if n := log.Cut(); n > 0 {
		fmt.Fprintf(e.Stderr, "%s: %d bytes at its end were cut off or damaged; those games are played again\n",
			o.log, n)
	}
	o.Finished = log.Finished
	return log, nil
}

// identify returns what a game depends on besides its number.
func (o *matchOptions) identify(players [2]opponents.Player) (id identity, err error) {
	for i, p := range players {
		who, err := o.contestantFlags.identify(p)
		if err != nil {
			return nil, err
		}
		seat := []string{"a", "b"}[i]
		id.add(seat, who)
		if n, ok := p.(*opponents.NetPlayer); ok && o.Length > 0 && n.Objective == opponents.Equity {
			id.add(seat+"-objective", "money")
		}
	}
	id.add("seed", o.Seed)
	id.add("duplicate", o.Duplicate)
	id.add("cube", o.cube)
	if o.Length > 0 {
		id.add("length", o.Length)
		id.add("met", o.Table.Digest())
	}
	luck := "none"
	if o.Luck != nil {
		luck = identify(o.jobs[o.Luck], 0, 0).String()
	}
	id.add("luck", luck)
	return id, nil
}

// matchJSON is the result of `match --json`.
type matchJSON struct {
	match.Summary
	Elapsed float64 `json:"elapsed_s"`
}

func (o *matchOptions) report(e *env, m *match.Match, elapsed time.Duration) error {
	s := m.Summary()
	if o.json {
		return json.NewEncoder(e.Stdout).Encode(matchJSON{s, seconds(elapsed)})
	}
	w := bufio.NewWriter(e.Stdout)
	printMatch(w, &s)
	played := len(m.Games) - m.Kept
	fmt.Fprintf(w, "%.1f s, %s games a second\n", elapsed.Seconds(), rateText(float64(played)/elapsed.Seconds()))
	return w.Flush()
}

func printMatch(w io.Writer, s *match.Summary) {
	dice := ""
	if s.Duplicate {
		dice = ", duplicate dice"
	}
	fmt.Fprintf(w, "%s against %s, %d games, seed %d%s\n", s.A, s.B, s.Games, s.Seed, dice)
	if s.Length > 0 {
		printMatches(w, s)
		return
	}
	points := func(name string, v stats.Stat) { fmt.Fprintf(w, "  %-22s %+8.4f ± %.4f\n", name, v.Mean, v.SE) }
	share := func(name string, v stats.Stat) {
		fmt.Fprintf(w, "  %-22s %7.2f%% ± %.2f\n", name, 100*v.Mean, 100*v.SE)
	}
	points("points per game", s.Points)
	if s.Adjusted != nil {
		points("less luck", *s.Adjusted)
	}
	share("wins", s.Wins)
	share("gammons won", s.Gammons)
	share("backgammons won", s.Backgammons)
	share("gammons lost", s.GammonsLost)
	share("backgammons lost", s.BackgammonsLost)
	if s.Cube != nil {
		share("games ended by a pass", *s.Passes)
		fmt.Fprintf(w, "  %-22s %8.3f ± %.3f\n", "final cube", s.Cube.Mean, s.Cube.SE)
	}
	fmt.Fprintf(w, "  %-22s %8.2f ± %.2f\n", "rolls per game", s.Turns.Mean, s.Turns.SE)
	if s.ErrorRating != nil {
		fmt.Fprintf(w, "  %-22s %+8.2f ± %.2f\n", "error rating", s.ErrorRating.Mean, s.ErrorRating.SE)
	}
	if s.UnpairedLeftOut > 0 {
		fmt.Fprintf(w, "  %d games without their partner left out\n", s.UnpairedLeftOut)
	}
}

// printMatches prints the result of matches to a number of points.
func printMatches(w io.Writer, s *match.Summary) {
	fmt.Fprintf(w, "  %-22s %7.2f%% ± %.2f\n", fmt.Sprintf("%d-point matches won", s.Length), 100*s.Wins.Mean,
		100*s.Wins.SE)
	fmt.Fprintf(w, "  %-22s %8.2f ± %.2f\n", "games per match", s.PerMatch.Mean, s.PerMatch.SE)
	fmt.Fprintf(w, "  %-22s %8.3f ± %.3f\n", "largest cube", s.Cube.Mean, s.Cube.SE)
	fmt.Fprintf(w, "  %-22s %8.2f ± %.2f\n", "rolls per match", s.Turns.Mean, s.Turns.SE)
}

// cubes reads the cube models and, for matches, the match equity table.
func (o *matchOptions) cubes() (err error) {
	if o.Length < 0 || o.Length > met.MaxLength {
		return usagef("--length %d: 1 to %d expected, or 0 for money", o.Length, met.MaxLength)
	}
	if o.Length > 0 {
		if o.Table, err = met.Open(o.met); err != nil {
			return err
		}
		if o.cube == "" {
			o.cube = "gnubg"
		}
	} else if o.met != "" {
		return usagef("--met is for matches: --length says to how many points")
	}
	if o.cube == "" {
		return nil
	}
	pair, err := cube.ParsePair(o.cube)
	if err != nil {
		return usagef("--cube: %w", err)
	}
	o.Cube = &pair
	return nil
}
