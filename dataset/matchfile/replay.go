package matchfile

import (
	"errors"
	"fmt"
	"slices"

	"bgtrain/internal/bg"
)

// Limits of a game and of a match, far above what people play. They keep a hostile file from growing in memory.
const (
	maxActions = 20000
	maxGames   = 10000
	maxCube    = 1 << 12
	maxLength  = 9999 // points of a match
)

var (
	errOver    = errors.New("the game is over")
	errOffered = errors.New("a double waits for an answer")
	errNoOffer = errors.New("nobody has doubled")
	errTooLong = fmt.Errorf("more than %d actions in a game", maxActions)
)

// replay plays a game from its file, checks that the rules allow it and writes it down. It serves all formats.
type replay struct {
	game  *Game
	plays *bg.Plays

	board   bg.Board // turn on roll
	turn    int      // None before the first action
	cube    Cube
	offered int // who doubled and waits for an answer, or None
	beavers int // answers to the double so far that turned the cube again
	rolled  bool
	over    bool // by bearing off or by a drop

	first int // who began
	guess bool
}

// newReplay begins a game from the opening position. guess is for a file that does not mark the Crawford game: a
// double then shows that it is not.
func newReplay(g *Game, plays *bg.Plays, guess bool) *replay {
	g.Winner = None
	return &replay{
		game: g, plays: plays, board: bg.Start, turn: None,
		cube: Cube{1, None}, offered: None, first: None, guess: guess,
	}
}

// next returns who has to act, or None before the first action.
func (r *replay) next() int {
	if r.offered != None {
		if r.beavers%2 == 1 {
			return r.offered
		}
		return 1 - r.offered
	}
	return r.turn
}

// move returns the number of the row of a .mat file that the next action of a player stands in.
func (r *replay) move(player int) int {
	first := r.first
	if first == None {
		first = max(player, 0)
	}
	return (len(r.game.Actions)+first)/2 + 1
}

// act checks that a player may act and writes the action down.
func (r *replay) act(a Action) error {
	switch next := r.next(); {
	case r.over:
		return errOver
	case r.rolled:
		last := &r.game.Actions[len(r.game.Actions)-1]
		return fmt.Errorf("no play follows the roll of %d%d before", last.Dice[0], last.Dice[1])
	case len(r.game.Actions) == maxActions:
		return errTooLong
	case next != None && next != a.Player:
		return errors.New("it is the other player's turn")
	}
	if r.turn == None {
		r.turn, r.first = a.Player, a.Player
	}
	a.Move, a.Board, a.Cube = r.move(a.Player), r.board, r.cube
	r.game.Actions = append(r.game.Actions, a)
	return nil
}

// setUp makes board, with a player on roll, the position to go on from.
func (r *replay) setUp(board bg.Board, player int) error {
	if err := board.Check(); err != nil {
		return err
	}
	if board.Me.Back() < 0 || board.Opp.Back() < 0 {
		return errOver
	}
	r.board, r.turn = board, player
	if r.first == None {
		r.first = player
	}
	return nil
}

func checkDice(d1, d2 int) error {
	if d1 < 1 || d1 > 6 || d2 < 1 || d2 > 6 {
		return fmt.Errorf("dice %d and %d", d1, d2)
	}
	return nil
}

// mayRoll refuses a roll where a double waits for an answer. One by the doubler accepts a beaver.
func (r *replay) mayRoll(player int) error {
	switch {
	case r.offered == None:
		return nil
	case r.beavers == 1 && player == r.offered:
		r.offered = None
		return nil
	}
	return errOffered
}

// roll is a roll and the play made of it; none of the steps mean that no checker could move.
func (r *replay) roll(player, d1, d2 int, steps []bg.Step) error {
	return r.play(player, d1, d2, func() (bg.Board, error) { return r.plays.Find(&r.board, d1, d2, steps) })
}

// rollTo is roll for a play of which the result is known.
func (r *replay) rollTo(player, d1, d2 int, after bg.Board) error {
	return r.play(player, d1, d2, func() (bg.Board, error) {
		if !slices.Contains(r.plays.Generate(&r.board, d1, d2), after) {
			return after, fmt.Errorf("%w of %d%d", bg.ErrIllegalPlay, d1, d2)
		}
		return after, nil
	})
}

// play is a roll and the play that find returns the result of.
func (r *replay) play(player, d1, d2 int, find func() (bg.Board, error)) error {
	if err := r.throw(Play, player, d1, d2); err != nil {
		return err
	}
	last := len(r.game.Actions) - 1
	after, err := find()
	if err != nil {
		r.game.Actions = r.game.Actions[:last]
		return fmt.Errorf("%w, from %s", err, r.board.Key().PositionID())
	}
	r.game.Actions[last].After = after
	r.board, r.turn = after, 1-player
	if points := after.Points(); points > 0 {
		r.end(player, points*r.cube.Value)
	}
	return nil
}

// throw writes a roll down, of the kind Play or Roll.
func (r *replay) throw(kind Kind, player, d1, d2 int) error {
	if err := checkDice(d1, d2); err != nil {
		return err
	}
	if err := r.mayRoll(player); err != nil {
		return err
	}
	return r.act(Action{Kind: kind, Player: player, Dice: [2]int{d1, d2}})
}

// dice is a roll without a play: nothing but the end of the game may follow.
func (r *replay) dice(player, d1, d2 int) error {
	err := r.throw(Roll, player, d1, d2)
	r.rolled = r.rolled || err == nil
	return err
}

func (r *replay) double(player int) error {
	switch {
	case r.offered != None:
		return errOffered
	case r.game.Crawford && !r.guess:
		return errors.New("no doubling in the Crawford game")
	case r.cube.Owner == 1-player:
		return errors.New("the other player owns the cube")
	case r.cube.Value >= maxCube:
		return fmt.Errorf("the cube is at %d already", r.cube.Value)
	}
	if err := r.act(Action{Kind: Double, Player: player}); err != nil {
		return err
	}
	r.game.Crawford = false
	r.offered, r.beavers = player, 0
	return nil
}

func (r *replay) take(player int) error {
	if r.offered == None {
		return errNoOffer
	}
	if err := r.act(Action{Kind: Take, Player: player}); err != nil {
		return err
	}
	if r.beavers > 0 { // the cube has been turned; whoever took it first keeps it
		r.cube.Owner = 1 - r.offered
	} else {
		r.cube = Cube{2 * r.cube.Value, player}
	}
	r.offered = None
	return nil
}

// beaver is a take that turns the cube again; the other player answers it by a
// take, a drop or another beaver, which is a raccoon. A roll is a take, too.
func (r *replay) beaver(player int) error {
	switch {
	case r.offered == None:
		return errNoOffer
	case r.cube.Value >= maxCube/4:
		return fmt.Errorf("the cube is at %d already", r.cube.Value)
	}
	if err := r.act(Action{Kind: Beaver, Player: player}); err != nil {
		return err
	}
	if r.beavers == 0 {
		r.cube.Value *= 2 // the double that is being answered
	}
	r.beavers++
	r.cube.Value *= 2
	r.cube.Owner = 1 - r.offered
	return nil
}

func (r *replay) drop(player int) error {
	if r.offered == None {
		return errNoOffer
	}
	if err := r.act(Action{Kind: Drop, Player: player}); err != nil {
		return err
	}
	lost := r.cube.Value
	if r.beavers > 0 {
		lost /= 2
	}
	r.offered = None
	r.end(1-player, lost)
	return nil
}

func (r *replay) end(winner, points int) {
	r.over = true
	r.game.Winner, r.game.Points = winner, points
}

// win is the end of the game by its file; points are 0 where their number is not given. Where neither a play nor a
// drop ended it, the loser has resigned.
func (r *replay) win(winner, points int) error {
	if points < 0 || points > 3*maxCube {
		return fmt.Errorf("%d points", points)
	}
	if !r.over {
		r.look()
		r.over = true
		r.game.Winner, r.game.Resigned = winner, true
		if points == 0 {
			points = r.cube.Value
		}
	} else if r.game.Winner != winner {
		return errors.New("the file gives the win to the player who lost")
	}
	if points > 0 {
		r.game.Points = points
	}
	return nil
}

// look writes down the position that a game stops at, unless that is written down already.
func (r *replay) look() {
	g := r.game
	if r.over || r.rolled || r.offered != None || r.turn == None || len(g.Actions) == maxActions {
		return
	}
	g.Actions = append(g.Actions, Action{Kind: Look, Player: r.turn, Move: r.move(r.turn), Board: r.board,
		Cube: r.cube})
}

// crawford reports whether a game at a score must be the Crawford game, as far as the games before it tell: done
// reports whether it has been.
func crawford(length int, score [2]int, done bool) bool {
	return length > 1 && !done && max(score[0], score[1]) == length-1
}

// canMove reports whether a player who is about to roll can move a checker by this roll.
func (r *replay) canMove(player, d1, d2 int) bool {
	if r.turn != None && r.turn != player {
		return false
	}
	results := r.plays.Generate(&r.board, d1, d2)
	return len(results) > 1 || results[0] != r.board.Swapped()
}
