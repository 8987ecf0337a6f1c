package matchfile

import (
	"errors"
	"fmt"

	"bgtrain/internal/bg"
)

// Recorder writes a match down while it is played, and keeps it to the rules.
type Recorder struct {
	match *Match
	plays bg.Plays
	r     *replay
}

// NewRecorder goes on with a match, which may be new. A last game without a winner
// goes on where it stopped, before the roll.
func NewRecorder(m *Match) (*Recorder, error) {
	r := &Recorder{match: m}
	if n := len(m.Games); n > 0 && m.Games[n-1].Winner == None {
		return r, r.Restore(m.Games[n-1].Actions)
	}
	return r, nil
}

// Match returns the match so far; it is valid until the next change.
func (r *Recorder) Match() *Match { return r.match }

// Game returns the game in progress or just ended, nil before the first.
func (r *Recorder) Game() *Game {
	if len(r.match.Games) == 0 {
		return nil
	}
	return &r.match.Games[len(r.match.Games)-1]
}

// Score returns the score after the games that have ended.
func (r *Recorder) Score() [2]int {
	g := r.Game()
	if g == nil {
		return [2]int{}
	}
	score := g.Score
	if g.Winner != None {
		score[g.Winner] += g.Points
	}
	return score
}

// Winner returns who has won the match, None where nobody has.
func (r *Recorder) Winner() int {
	score := r.Score()
	for p := range score {
		if r.match.Length > 0 && score[p] >= r.match.Length {
			return p
		}
	}
	return None
}

// BeginGame begins the next game.
func (r *Recorder) BeginGame() error {
	if r.Playing() {
		return errors.New("the game before has not ended")
	}
	if r.Winner() != None {
		return errors.New("the match is over")
	}
	done := false
	for i := range r.match.Games {
		done = done || r.match.Games[i].Crawford
	}
	g := Game{Number: len(r.match.Games) + 1, Score: r.Score(), Winner: None}
	g.Crawford = crawford(r.match.Length, g.Score, done)
	r.match.Games = append(r.match.Games, g)
	r.r = newReplay(r.Game(), &r.plays, false)
	return nil
}

// Restore makes the actions those of the game in progress, but for rolls that were not played and positions that
// were only looked at. They may be a beginning of those that the game has: that takes the rest back.
func (r *Recorder) Restore(actions []Action) error {
	g := r.Game()
	old := append([]Action(nil), actions...)
	*g = Game{Number: g.Number, Score: g.Score, Crawford: g.Crawford}
	r.r = newReplay(g, &r.plays, false)
	for i := range old {
		a := &old[i]
		var err error
		switch a.Kind {
		case Play:
			err = r.r.rollTo(a.Player, a.Dice[0], a.Dice[1], a.After)
		case Double:
			err = r.r.double(a.Player)
		case Take:
			err = r.r.take(a.Player)
		case Drop:
			err = r.r.drop(a.Player)
		case Beaver:
			err = r.r.beaver(a.Player)
		}
		if err != nil {
			return fmt.Errorf("game %d move %d: %w", g.Number, a.Move, err)
		}
	}
	return nil
}

// Playing reports whether a game is in progress.
func (r *Recorder) Playing() bool { return r.r != nil && !r.r.over }

// Position returns the position of the game in progress, who is on roll there,
// None before the first roll, and the cube.
func (r *Recorder) Position() (bg.Board, int, Cube) { return r.r.board, r.r.turn, r.r.cube }

// Offered returns who has doubled and waits for an answer, or None.
func (r *Recorder) Offered() int { return r.r.offered }

// MayDouble reports whether the rules let a player double now.
func (r *Recorder) MayDouble(player int) bool {
	return r.Playing() && r.r.turn == player && r.r.offered == None && !r.Game().Crawford &&
		r.r.cube.Owner != 1-player && r.r.cube.Value < maxCube
}

// Roll is a roll and the play made of it, whose result has the opponent on roll.
func (r *Recorder) Roll(player, d1, d2 int, after bg.Board) error {
	return r.r.rollTo(player, d1, d2, after)
}

// Double, Take and Drop are cube actions of a player.
func (r *Recorder) Double(player int) error { return r.r.double(player) }

// Take takes a double.
func (r *Recorder) Take(player int) error { return r.r.take(player) }

// Drop drops a double, which ends the game.
func (r *Recorder) Drop(player int) error { return r.r.drop(player) }

// Resign ends the game: the player loses so many times the cube.
func (r *Recorder) Resign(player, points int) error {
	return r.r.win(1-player, points*r.r.cube.Value)
}
