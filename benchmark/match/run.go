package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bgtrain/benchmark/opponents"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/cube"
	"bgtrain/internal/identity"
)

// Run is a match of players by their names, which may keep its finished games, write them
// down, and let others play the same games in A's place.
type Run struct {
	Options
	Players  [2]opponents.Name
	Instead  []opponents.Name  // in A's place
	OneSided [2]int            // of A and B, in points, see bearoff.Options
	Opener   *opponents.Opener // of the players, but for their OneSided

	WithLuck bool      // sets Luck: to the net named, or to the first of A and B that is one
	LuckNet  string    // "": see WithLuck
	Log      string    // file of the finished games; "": none. Those of Instead end in .2, .3, …
	Save     string    // directory of .mat files; "": none
	Boards   io.Writer // gets the games with boards; may be nil

	seats      [2]*opponents.Opener
	objectives [2]opponents.Objective
}

// Hooks let a caller follow a run.
type Hooks struct {
	Begin func() func(done, total int) // a match begins; what it returns is called with its games
	Line  func(text string)            // a line for people
}

// Name reads the names of players: A, B, and those in A's place.
func (r *Run) Name(players, instead []string) (err error) {
	for i := range r.Players {
		if r.Players[i], err = opponents.ParseName(players[i], r.Opener.Ply); err != nil {
			return err
		}
	}
	for _, text := range instead {
		n, err := opponents.ParseName(text, r.Opener.Ply)
		if err != nil {
			return err
		}
		r.Instead = append(r.Instead, n)
	}
	for _, a := range append(r.Players[:1:1], r.Instead...) { // they are the same for all
		if r.objectives, err = r.Objectives.Of([2]opponents.Name{a, r.Players[1]}, r.Length > 0, r.Cube != nil); err != nil {
			return fmt.Errorf("--objective %w", err)
		}
	}
	return nil
}

// Play plays the match, and those of Instead. When it ends early, the result is that of the
// games that were finished, nil for none, and comes beside the error.
func (r *Run) Play(ctx context.Context, h Hooks) (*Result, error) {
	r.sit()
	var players [2]opponents.Player
	var err error
	for i, name := range r.Players {
		if players[i], err = r.open(ctx, i, name); err != nil {
			return nil, err
		}
	}
	if err := r.chooseLuck(ctx, players); err != nil {
		return nil, err
	}
	begun, result := time.Now(), &Result{}
	m, err := r.play(ctx, players, r.Log, h)
	for i, name := range r.Instead {
		if err != nil {
			break
		}
		log := r.Log
		if log != "" {
			log += fmt.Sprintf(".%d", i+2)
		}
		var other *Match
		if players[0], err = r.open(ctx, 0, name); err == nil {
			if other, err = r.play(ctx, players, log, h); other != nil {
				result.Instead = append(result.Instead, m.Instead(other))
			}
		}
	}
	if m == nil || len(m.Games) == 0 {
		return nil, err
	}
	result.Summary, result.played, result.took = m.Summary(), len(m.Games)-m.Kept, time.Since(begun)
	result.Elapsed = result.took.Round(time.Millisecond).Seconds()
	return result, err
}

// sit makes what opens A and B: the same, unless their databases differ.
func (r *Run) sit() {
	r.Opener.OneSided = r.OneSided[0]
	r.seats = [2]*opponents.Opener{r.Opener, r.Opener}
	if r.OneSided[1] == r.OneSided[0] {
		return
	}
	second := *r.Opener
	second.OneSided, r.seats[1] = r.OneSided[1], &second
	for i, points := range r.OneSided {
		if points == bearoff.None {
			r.seats[i].TwoSided = 0 // it is the other's
		}
	}
}

// open opens the player of a seat, whose label names the databases that it has where they are
// not the usual ones.
func (r *Run) open(ctx context.Context, i int, name opponents.Name) (opponents.Player, error) {
	p, err := r.seats[i].Open(ctx, name, r.objectives[i])
	n, isNet := p.(*opponents.NetPlayer)
	databases := bearoff.Options{OneSidedPoints: r.OneSided[i]}
	if text := databases.Text(); isNet && text != "" {
		n.Label += " (" + text + ")"
	}
	if isNet && r.Length > 0 && n.Objective == opponents.Equity {
		n.Label += " (for money)"
	}
	if isNet && r.Length == 0 && n.Objective == opponents.Match {
		n.Label += " (with the cube)"
	}
	return p, err
}

// chooseLuck finds the net that measures luck, where that is wanted.
func (r *Run) chooseLuck(ctx context.Context, players [2]opponents.Player) (err error) {
	name := r.LuckNet
	if name == "" {
		if !r.WithLuck {
			return nil
		}
		for _, p := range players {
			if r.Luck = opponents.NetOf(p); r.Luck != nil {
				return nil
			}
		}
		name = "default"
	}
	r.Luck, err = r.Opener.Net(ctx, name)
	return err
}

// play plays one match; log is the file of its finished games, "" for none.
func (r *Run) play(ctx context.Context, players [2]opponents.Player, log string, h Hooks) (*Match, error) {
	o := r.Options
	var games *GameLog
	var written *Written
	var err error
	if log != "" {
		if games, err = r.openLog(players, log, h); err != nil {
			return nil, err
		}
		o.Finished = games.Finished
	}
	if r.Save != "" || r.Boards != nil {
		if written, err = NewWritten(r.Save, r.Boards, o.Finished); err != nil {
			return nil, err
		}
		o.Written = written.Add
	}
	progress, done := h.Begin(), len(o.Finished)
	progress(done, o.Games)
	o.Record = func(g Game) error {
		done++
		progress(done, o.Games)
		if games != nil {
			return games.Add(g)
		}
		return nil
	}
	m, err := Play(ctx, players[0], players[1], o)
	if written != nil {
		err = errors.Join(err, written.Close())
	}
	if games != nil {
		err = errors.Join(err, games.Close())
	}
	if m != nil && err != nil && len(m.Games) > 0 {
		h.Line(fmt.Sprintf("bgtrain match: %d of %d games were finished; this is their result", len(m.Games), o.Games))
	}
	return m, err
}

// openLog opens a log of games.
func (r *Run) openLog(players [2]opponents.Player, path string, h Hooks) (log *GameLog, err error) {
	id, err := r.identify(players)
	if err == nil {
		log, err = OpenGameLog(path, id)
	}
	if err == nil && log.Cut() > 0 {
		h.Line(fmt.Sprintf("%s: %d bytes at its end were cut off or damaged; those games are played again", path,
			log.Cut()))
	}
	return log, err
}

// identify returns what a game depends on besides its number.
func (r *Run) identify(players [2]opponents.Player) (identity.ID, error) {
	id := identity.ID{}
	for i, p := range players {
		who, err := r.seats[i].Identity(p)
		if err != nil {
			return nil, err
		}
		seat := []string{"a", "b"}[i]
		id.AddAll(seat+".", who)
		if n, ok := p.(*opponents.NetPlayer); ok && r.Length > 0 && n.Objective == opponents.Equity {
			id[seat+".objective"] = "money"
		} else if ok && r.Length == 0 && n.Objective == opponents.Match {
			id[seat+".objective"] = "match"
		}
	}
	id.Add("seed", r.Seed)
	id.Add("duplicate", r.Duplicate)
	id.Add("cube", cube.PairValue(&r.Cube))
	if r.Length > 0 {
		id.Add("length", r.Length)
		id.Add("met", r.Table.Digest())
	}
	if r.Luck != nil {
		id.AddAll("luck.", r.Opener.How(r.Luck).Identity(0, 0))
		if r.Cube != nil {
			id["luck.of"] = "cubeful equity"
		}
	}
	return id, nil
}
