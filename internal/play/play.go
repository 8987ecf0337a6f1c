// Package play lets a person play against a net in a terminal: lines in, text
// out, and the match written down as .mat after every action.
package play

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/protocol"
	"bgtrain/internal/setting"
)

// The players of a match: the person is the first.
const (
	you = 0
	net = 1
)

// Settings are those of a match.
type Settings struct {
	Length int    // points; 0 for money
	Seed   uint64 // of the dice: the n-th roll of a game depends on it and on nothing else; 0: one by chance
	File   string // the match, .mat; one that is there goes on
	Name   string // of the person
	Net    string // of the net
}

// Defaults are the settings of the command.
var Defaults = Settings{Name: "You"}

// List returns the settings.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "length", To: &s.Length, Range: setting.From(0, 1e6), Help: "points of the match; 0 plays for money"},
		{Name: "seed", To: &s.Seed, Help: "seed of the dice; without it, or 0, another one each time"},
		{Name: "match", To: &s.File, Help: "the match, .mat: written after every action; one that is there goes on"},
		{Name: "name", To: &s.Name, Help: "your name"},
	}
}

// Play plays a match, or games for money until the person has enough.
func Play(ctx context.Context, in io.Reader, out io.Writer, brain *protocol.Brain, s Settings) error {
	for s.Seed == 0 {
		s.Seed = uint64(rand.Uint32()) // short enough to be typed
	}
	t := &table{ctx: ctx, lines: readLines(in), out: out, brain: brain, s: s}
	if err := t.open(); err != nil {
		return err
	}
	t.say("%s against %s: %s, dice of seed %d. 'help' tells what can be typed.", s.Name, s.Net, t.length(), s.Seed)
	for {
		if !t.rec.Playing() {
			if t.rec.Winner() != matchfile.None {
				return nil
			}
			if err := t.rec.BeginGame(); err != nil {
				return err
			}
			score := t.rec.Score()
			t.say("\nGame %d: %s %d, %s %d%s", t.rec.Game().Number, s.Name, score[you], s.Net, score[net], t.crawford())
		}
		err := t.step()
		switch {
		case errors.Is(err, errQuit):
			if err := t.save(); err != nil {
				return err
			}
			t.sayKept()
			return nil
		case err != nil:
			return err
		}
		if err := t.save(); err != nil {
			return err
		}
		if !t.rec.Playing() {
			t.sayResult()
		}
	}
}

// errQuit ends the session, not the match.
var errQuit = errors.New("quit")

// table is a match in play.
type table struct {
	ctx   context.Context
	lines <-chan string
	out   io.Writer
	brain *protocol.Brain
	s     Settings
	rec   *matchfile.Recorder
	plays bg.Plays
}

func (t *table) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

func (t *table) length() string {
	if t.s.Length == 0 {
		return "for money"
	}
	return fmt.Sprintf("a match to %d", t.s.Length)
}

func (t *table) crawford() string {
	if t.rec.Game().Crawford {
		return ", the Crawford game: no doubling"
	}
	return ""
}

// readLines reads lines in the background, so that a context can end the waiting.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		sc := bufio.NewScanner(in)
		for sc.Scan() {
			lines <- sc.Text()
		}
	}()
	return lines
}

// ask prompts for a line; the end of the input is quitting.
func (t *table) ask(prompt string) (string, error) {
	fmt.Fprint(t.out, prompt)
	select {
	case <-t.ctx.Done():
		fmt.Fprintln(t.out)
		return "", errQuit
	case line, ok := <-t.lines:
		if !ok {
			fmt.Fprintln(t.out)
			return "", errQuit
		}
		return strings.ToLower(strings.TrimSpace(line)), nil
	}
}

// open begins the match, or reads the one in the file.
func (t *table) open() error {
	m := &matchfile.Match{Players: [2]string{t.s.Name, t.s.Net}, Length: t.s.Length}
	if t.s.File != "" {
		ms, err := matchfile.ReadAll(t.s.File)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil:
			return fmt.Errorf("go on with %w", err)
		case len(ms) != 1:
			return fmt.Errorf("go on with %s: %d matches in it, one expected", t.s.File, len(ms))
		default:
			m = ms[0]
			t.s.Length = m.Length
			t.say("Going on with %s.", t.s.File)
		}
	}
	var err error
	t.rec, err = matchfile.NewRecorder(m)
	return err
}

func (t *table) save() error {
	if t.s.File == "" {
		return nil
	}
	return atomicfile.Write(t.s.File, func(w io.Writer) error { return matchfile.WriteMat(w, t.rec.Match()) })
}

// dice returns the n-th roll of a game; the first is no double.
func (t *table) dice() (d1, d2 int) {
	game, n := t.rec.Game().Number, 0
	for _, a := range t.rec.Game().Actions {
		if a.Kind == matchfile.Play {
			n++
		}
	}
	rng := rand.New(rand.NewPCG(t.s.Seed, uint64(game)<<32|uint64(n)))
	for {
		d1, d2 = rng.IntN(6)+1, rng.IntN(6)+1
		if n > 0 || d1 != d2 {
			return d1, d2
		}
	}
}

// state returns cube and score as a player sees them.
func (t *table) state(player int) (cube.State, error) {
	_, _, c := t.rec.Position()
	owner := cube.Centered
	switch c.Owner {
	case player:
		owner = cube.Owned
	case 1 - player:
		owner = cube.OpponentOwned
	}
	away := [2]int{}
	if t.s.Length > 0 {
		score := t.rec.Game().Score
		away = [2]int{t.s.Length - score[player], t.s.Length - score[1-player]}
	}
	return t.brain.State(away[0], away[1], c.Value, owner, t.rec.Game().Crawford)
}

// step lets whoever has to act do so.
func (t *table) step() error {
	_, turn, _ := t.rec.Position()
	if turn == matchfile.None { // the larger die of the first roll begins
		if d1, d2 := t.dice(); d1 > d2 {
			return t.yourRoll()
		}
		return t.netRoll()
	}
	switch {
	case t.rec.Offered() == net:
		return t.yourAnswer()
	case t.rec.Offered() == you:
		return t.netAnswer()
	case turn == net:
		return t.netTurn()
	}
	return t.yourTurn()
}

func (t *table) netTurn() error {
	b, _, _ := t.rec.Position()
	s, err := t.state(net)
	if err != nil {
		return err
	}
	if t.rec.MayDouble(net) && s.MayDouble() && t.brain.Decide(&b, &s).Action.Doubles() {
		t.say("%s doubles to %d.", t.s.Net, 2*s.Cube)
		return t.rec.Double(net)
	}
	return t.netRoll()
}

func (t *table) netRoll() error {
	b, _, _ := t.rec.Position()
	s, err := t.state(net)
	if err != nil {
		return err
	}
	d1, d2 := t.dice()
	after := t.brain.Play(&b, d1, d2, &s)
	t.say("%s rolls %d%d: %s", t.s.Net, d1, d2, bg.Notation(&b, &after, d1, d2))
	return t.rec.Roll(net, d1, d2, after)
}

func (t *table) netAnswer() error {
	b, _, _ := t.rec.Position()
	s, err := t.state(you)
	if err != nil {
		return err
	}
	if t.brain.Decide(&b, &s).Action.Takes() {
		t.say("%s takes.", t.s.Net)
		return t.rec.Take(net)
	}
	t.say("%s passes.", t.s.Net)
	return t.rec.Drop(net)
}

func (t *table) yourTurn() error {
	s, err := t.state(you)
	if err != nil {
		return err
	}
	if !t.rec.MayDouble(you) || !s.MayDouble() { // or a double could win nothing
		return t.yourRoll()
	}
	t.draw()
	for {
		line, err := t.ask("roll (Enter) or double? ")
		if err != nil {
			return err
		}
		switch line {
		case "", "r", "roll":
			return t.yourRoll()
		case "d", "double":
			return t.rec.Double(you)
		case "hint", "h":
			b, _, _ := t.rec.Position()
			t.hintCube(&b, &s)
		default:
			if done, err := t.common(line, "roll, double"); done || err != nil {
				return err
			}
		}
	}
}

func (t *table) hintCube(b *bg.Board, s *cube.State) {
	d := t.brain.Decide(b, s)
	t.say("  %s: no double %+.3f, double/take %+.3f, double/pass %+.3f", d.Action, d.NoDouble, d.DoubleTake,
		d.DoublePass)
}

func (t *table) yourAnswer() error {
	t.draw()
	b, _, _ := t.rec.Position()
	s, err := t.state(net)
	if err != nil {
		return err
	}
	for {
		line, err := t.ask(fmt.Sprintf("take or pass %d? ", 2*s.Cube))
		if err != nil {
			return err
		}
		switch line {
		case "t", "take":
			return t.rec.Take(you)
		case "p", "pass", "d", "drop":
			return t.rec.Drop(you)
		case "hint", "h":
			t.hintCube(&b, &s)
		default:
			if done, err := t.common(line, "take, pass"); done || err != nil {
				return err
			}
		}
	}
}

func (t *table) yourRoll() error {
	b, turn, _ := t.rec.Position()
	if turn == matchfile.None {
		b = bg.Start
	}
	d1, d2 := t.dice()
	legal := t.plays.Generate(&b, d1, d2)
	if len(legal) == 1 && legal[0] == b.Swapped() {
		t.draw()
		t.say("You roll %d%d and cannot move.", d1, d2)
		return t.rec.Roll(you, d1, d2, legal[0])
	}
	t.draw()
	for {
		line, err := t.ask(fmt.Sprintf("you roll %d%d: ", d1, d2))
		if err != nil {
			return err
		}
		switch line {
		case "hint", "h":
			t.hintPlay(&b, d1, d2)
			continue
		case "legal", "l":
			t.sayLegal(&b, d1, d2)
			continue
		case "":
			t.say("  your play, as in 13/11 6/5; 'hint' shows the best")
			continue
		}
		steps, err := bg.ParseSteps(nil, line)
		if err != nil {
			if done, err := t.common(line, "a play such as 13/11 6/5"); done || err != nil {
				return err
			}
			continue
		}
		after, err := t.plays.Find(&b, d1, d2, steps)
		if err != nil {
			t.say("  %v", err)
			t.sayLegal(&b, d1, d2)
			continue
		}
		return t.rec.Roll(you, d1, d2, after)
	}
}

const help = `  hint          the best plays, or what to do with the cube
  undo          takes your last action back
  board         draws the board again
  legal         lists the legal plays after a roll
  resign [N]    loses the game: N 1, 2 for a gammon, 3 for a backgammon
  quit          ends the session; with --match the match is kept`

// common does what can be typed anywhere. It reports whether the step is over.
func (t *table) common(line, expected string) (bool, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false, nil
	}
	switch words[0] {
	case "help", "?":
		t.say("  %-13s as the question asks\n%s", expected, help)
	case "board", "b":
		t.draw()
	case "quit", "q", "exit":
		return true, errQuit
	case "undo", "u":
		return t.undo()
	case "resign":
		return t.resign(words[1:])
	default:
		t.say("  %q? %s expected, or help", line, expected)
	}
	return false, nil
}

// undo takes back all since the person's last action, and that one.
func (t *table) undo() (bool, error) {
	actions := t.rec.Game().Actions
	for i := len(actions) - 1; i >= 0; i-- {
		if actions[i].Player == you {
			return true, t.rec.Restore(actions[:i])
		}
	}
	t.say("  there is nothing of yours to take back in this game")
	return false, nil
}

// resign offers the net so many points, who takes them if it expects no more.
func (t *table) resign(words []string) (bool, error) {
	points := 1
	if len(words) > 0 {
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > 3 {
			t.say("  resign 1, 2 for a gammon, or 3 for a backgammon")
			return false, nil
		}
		points = n
	}
	b, turn, _ := t.rec.Position()
	if turn == matchfile.None {
		t.say("  the game has not begun")
		return false, nil
	}
	out := t.brain.Evaluator.Evaluate(&b, t.brain.Ply)
	if turn == you {
		out = out.Inverted()
	}
	if float64(out.Equity()) > float64(points)+0.01 {
		t.say("  %s expects more than %d.", t.s.Net, points)
		return false, nil
	}
	return true, t.rec.Resign(you, points)
}
