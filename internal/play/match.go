package play

import (
	"fmt"
	"math/rand/v2"

	"bgtrain/benchmark/analyze"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/protocol"
)

// Match is a match of a person against a net wherever it is shown: whose turn it is, the
// dice, the net's actions, what the person's cost. The person is player 0. It serves one
// goroutine.
type Match struct {
	brain  *protocol.Brain
	s      Settings
	rec    *matchfile.Recorder
	plays  bg.Plays
	rolled bool // the person has chosen to roll, and not yet played
}

// NewMatch begins a match, or goes on with m. The brain plays the net's side and judges the
// person's; its evaluator is used by Act, Resign, Candidates and Cube only. The seed of the settings must not be 0.
func NewMatch(brain *protocol.Brain, s Settings, m *matchfile.Match) (*Match, error) {
	if m == nil {
		m = &matchfile.Match{Players: [2]string{s.Name, s.Net}, Length: s.Length}
	}
	s.Length = m.Length
	rec, err := matchfile.NewRecorder(m)
	return &Match{brain: brain, s: s, rec: rec}, err
}

// Record returns the match so far, which only Match may change.
func (m *Match) Record() *matchfile.Recorder { return m.rec }

// Settings returns those of the match.
func (m *Match) Settings() Settings { return m.s }

// SetTutor turns the tutor on or off.
func (m *Match) SetTutor(on bool) { m.s.Tutor = on }

// Due is what has to be done next.
type Due string

// What may be due.
const (
	ToRoll    Due = "roll"   // the person may double, or roll
	ToPlay    Due = "play"   // the person has rolled Dice
	ToAnswer  Due = "answer" // the person takes or passes
	ToNet     Due = "net"
	GameOver  Due = "next" // the next game begins
	MatchOver Due = "over"
)

// Due returns what has to be done next.
func (m *Match) Due() Due {
	if !m.rec.Playing() {
		if m.rec.Winner() != matchfile.None {
			return MatchOver
		}
		return GameOver
	}
	_, turn, _ := m.rec.Position()
	switch {
	case turn == matchfile.None: // the larger die of the first roll begins
		if d1, d2 := m.Dice(); d1 < d2 {
			return ToNet
		}
		return ToPlay
	case m.rec.Offered() == net:
		return ToAnswer
	case m.rec.Offered() == you, turn == net:
		return ToNet
	case !m.rolled && m.mayDouble():
		return ToRoll
	}
	return ToPlay
}

// mayDouble reports whether the person may double, and could win something by it.
func (m *Match) mayDouble() bool {
	s, err := m.state(you)
	return err == nil && m.rec.MayDouble(you) && s.MayDouble()
}

// Board returns the position as the person counts, and reports whether there is one: not
// before the first game.
func (m *Match) Board() (bg.Board, bool) {
	if m.rec.Game() == nil {
		return bg.Start, false
	}
	b, turn, _ := m.rec.Position()
	switch turn {
	case matchfile.None:
		return bg.Start, true
	case net:
		b = b.Swapped()
	}
	return b, true
}

// Dice returns the n-th roll of a game; the first is no double.
func (m *Match) Dice() (d1, d2 int) {
	game, n := m.rec.Game().Number, 0
	for _, a := range m.rec.Game().Actions {
		if a.Kind == matchfile.Play {
			n++
		}
	}
	rng := rand.New(rand.NewPCG(m.s.Seed, uint64(game)<<32|uint64(n)))
	for {
		d1, d2 = rng.IntN(6)+1, rng.IntN(6)+1
		if n > 0 || d1 != d2 {
			return d1, d2
		}
	}
}

// state returns cube and score as a player sees them.
func (m *Match) state(player int) (cube.State, error) {
	_, _, c := m.rec.Position()
	owner := cube.Centered
	switch c.Owner {
	case player:
		owner = cube.Owned
	case 1 - player:
		owner = cube.OpponentOwned
	}
	away := [2]int{}
	if m.s.Length > 0 {
		score := m.rec.Game().Score
		away = [2]int{m.s.Length - score[player], m.s.Length - score[1-player]}
	}
	return m.brain.State(away[0], away[1], c.Value, owner, m.rec.Game().Crawford)
}

// Act is something that the net has done.
type Act struct {
	Did  string // roll, double, take or pass
	Dice [2]int // of a roll
	Play string // then, as people write it
}

// Act lets the net do what is due.
func (m *Match) Act() (Act, error) {
	b, turn, _ := m.rec.Position()
	if m.rec.Offered() == you {
		s, err := m.state(you)
		if err != nil {
			return Act{}, err
		}
		if m.brain.Decide(&b, &s).Action.Takes() {
			return Act{Did: "take"}, m.rec.Take(net)
		}
		return Act{Did: "pass"}, m.rec.Drop(net)
	}
	s, err := m.state(net)
	if err != nil {
		return Act{}, err
	}
	if turn == net && m.rec.MayDouble(net) && s.MayDouble() && m.brain.Decide(&b, &s).Action.Doubles() {
		return Act{Did: "double"}, m.rec.Double(net)
	}
	d1, d2 := m.Dice()
	after := m.brain.Play(&b, d1, d2, &s)
	return Act{Did: "roll", Dice: [2]int{d1, d2}, Play: bg.Notation(&b, &after, d1, d2)}, m.rec.Roll(net, d1, d2, after)
}

// NotDueError is the error of an action that is not due.
type NotDueError struct {
	Did string
	Due Due
}

// Error says what is due instead.
func (e *NotDueError) Error() string {
	what := map[Due]string{ToRoll: "to roll or to double", ToPlay: "to play", ToAnswer: "to take or to pass",
		ToNet: "the net's turn", GameOver: "to begin the next game", MatchOver: "nothing: the match is over"}
	return fmt.Sprintf("%s is not possible now; what is due is %s", e.Did, what[e.Due])
}

// Roll chooses to roll where the person may double, Next begins the next game.
func (m *Match) Roll() error {
	if m.Due() != ToRoll {
		return &NotDueError{"to roll", m.Due()}
	}
	m.rolled = true
	return nil
}

// Next begins the next game.
func (m *Match) Next() error {
	if m.Due() != GameOver {
		return &NotDueError{"the next game", m.Due()}
	}
	m.rolled = false
	return m.rec.BeginGame()
}

// Double offers the cube.
func (m *Match) Double() error {
	if m.Due() != ToRoll {
		return &NotDueError{"to double", m.Due()}
	}
	return m.rec.Double(you)
}

// Answer takes a double, or passes it.
func (m *Match) Answer(takes bool) error {
	switch {
	case m.Due() != ToAnswer:
		return &NotDueError{"an answer", m.Due()}
	case takes:
		return m.rec.Take(you)
	}
	return m.rec.Drop(you)
}

// Find returns what a play leads to, the net on roll; nothing written is to stay.
func (m *Match) Find(text string) (bg.Board, error) {
	if m.Due() != ToPlay {
		return bg.Board{}, &NotDueError{"a play", m.Due()}
	}
	steps, err := bg.ParseSteps(nil, text)
	if err != nil {
		return bg.Board{}, err
	}
	b, _ := m.Board()
	d1, d2 := m.Dice()
	return m.plays.Find(&b, d1, d2, steps)
}

// Play makes a play that Find found.
func (m *Match) Play(after bg.Board) error {
	d1, d2 := m.Dice()
	m.rolled = false
	return m.rec.Roll(you, d1, d2, after)
}

// Undo takes back all since the person's last action, and that one; it reports whether
// there is one in this game.
func (m *Match) Undo() (bool, error) {
	if !m.rec.Playing() {
		return false, nil
	}
	actions := m.rec.Game().Actions
	for i := len(actions) - 1; i >= 0; i-- {
		if actions[i].Player == you {
			m.rolled = false
			return true, m.rec.Restore(actions[:i])
		}
	}
	return false, nil
}

// Resign offers the net so many points, who takes them if it expects no more: taken. The
// game must have begun.
func (m *Match) Resign(points int) (taken bool, err error) {
	b, turn, _ := m.rec.Position()
	out := m.brain.Evaluator.Evaluate(&b, m.brain.Ply)
	if turn == you {
		out = out.Inverted()
	}
	if float64(out.Equity()) > float64(points)+0.01 {
		return false, nil
	}
	return true, m.rec.Resign(you, points)
}

// judge are the settings by which the person's decisions are judged at a ply.
func (m *Match) judge(ply int) *analyze.Settings {
	return &analyze.Settings{Ply: ply, Candidates: mostHints, Model: m.brain.Model, Table: m.brain.Table}
}

// Candidates judges the plays of the person's roll: the best, and the one that leads to
// made, nil for none.
func (m *Match) Candidates(made *bg.Board) ([]analyze.Candidate, error) {
	s, err := m.state(you)
	if err != nil {
		return nil, err
	}
	b, _ := m.Board()
	d1, d2 := m.Dice()
	a := &matchfile.Action{Kind: matchfile.Roll, Player: you, Board: b, Dice: [2]int{d1, d2}}
	if made != nil {
		a.Kind, a.After = matchfile.Play, *made
	}
	return m.judge(m.brain.Ply).Plays(m.brain.Evaluator, m.rec.Match(), a, &s), nil
}

// Cube judges what the person does with the cube: double, no double, take or pass. The
// decision is as the player on roll sees it: of the last two that is the net.
func (m *Match) Cube(did string) (analyze.Decision, cube.Position, error) {
	onRoll := you
	if did == "take" || did == "pass" {
		onRoll = net
	}
	s, err := m.state(onRoll)
	if err != nil {
		return analyze.Decision{}, cube.Position{}, err
	}
	b, _, _ := m.rec.Position()
	d, p := m.judge(m.brain.Ply).Cube(m.brain.Evaluator, &b, &s, did)
	return d, p, nil
}

// Judges reports whether the person's cube actions can be judged: the net has a model.
func (m *Match) Judges() bool { return m.brain.Model != nil }
