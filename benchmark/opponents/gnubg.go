package opponents

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
)

// GNUbg is a running GNU Backgammon: each mover is a process of its own, which
// plays cubelessly for money, or cubefully at a score, without noise, with its
// pruning nets and normal move filters, through GNU Backgammon's Python module.
//
// Each of its answers takes at least ten milliseconds, nearly all of them spent
// waiting, so use several times as many workers as there are processors.
type GNUbg struct {
	Ply     int
	Binary  string        // "": gnubg in PATH, or where Debian installs it
	DataDir string        // "": its own; else where it finds its weights (-P)
	Timeout time.Duration // for an answer; 0: a minute for 0-ply to 2-ply, an hour beyond
}

// Name returns "gnubg:" and the ply.
func (g *GNUbg) Name() string { return fmt.Sprintf("gnubg:%d", g.Ply) }

// gnubgStart is how long a process may take to become ready.
const gnubgStart = time.Minute

func (g *GNUbg) timeout() time.Duration {
	switch {
	case g.Timeout > 0:
		return g.Timeout
	case g.Ply <= 2:
		return time.Minute
	}
	return time.Hour
}

// Workers returns how many goroutines play for players where so many are asked for: where
// none are, more than processors for a running GNU Backgammon.
func Workers(workers int, players ...Player) int {
	for _, p := range players {
		if _, ok := p.(*GNUbg); ok && workers == 0 {
			return 8 * runtime.GOMAXPROCS(0)
		}
	}
	return workers
}

// find returns the path of the program.
func (g *GNUbg) find() (string, error) {
	if g.Binary != "" {
		return exec.LookPath(g.Binary)
	}
	path, err := exec.LookPath("gnubg")
	if err == nil {
		return path, nil
	}
	const debian = "/usr/games/gnubg"
	if _, e := os.Stat(debian); e == nil {
		return debian, nil
	}
	return "", fmt.Errorf("GNU Backgammon is not installed (Debian: apt install gnubg), or name its program: %w", err)
}

// NewMover starts a process and waits until it is ready.
func (g *GNUbg) NewMover() (Mover, error) {
	path, err := g.find()
	if err != nil {
		return nil, err
	}
	p, err := startGNUbg(path, g)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return &gnubgMover{process: p, timeout: g.timeout(), start: func() (*gnubgProcess,
		error) {
		return startGNUbg(path, g)
	}}, nil
}

type gnubgMover struct {
	process *gnubgProcess
	timeout time.Duration
	start   func() (*gnubgProcess, error)
	plays   bg.Plays
	request []byte
}

// Close ends the process.
func (m *gnubgMover) Close() error { return m.process.close() }

// ask asks m.request. Where the process has ended or is stuck, another is asked
// once: what it answers depends on the request alone.
func (m *gnubgMover) ask() (string, error) {
	text, err := m.process.ask(m.request, m.timeout)
	if err == nil {
		return text, nil
	}
	again, e := m.start()
	if e != nil {
		return "", fmt.Errorf("%w; started again: %w", err, e)
	}
	m.process = again
	if text, e = again.ask(m.request, m.timeout); e != nil {
		return "", fmt.Errorf("%w; started again: %w", err, e)
	}
	return text, nil
}

// Play asks for the best play. An answer that is not a legal play is an error.
func (m *gnubgMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	m.request = appendBoard(append(m.request[:0], 'p'), b)
	return m.play(b, d1, d2)
}

// play sends the request of a play, but for the dice, and reads the answer.
func (m *gnubgMover) play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	m.request = fmt.Appendf(m.request, " %d %d\n", d1, d2)
	text, err := m.ask()
	if err != nil {
		return bg.Board{}, err
	}
	after, err := applyPlay(b, text)
	if err != nil {
		return bg.Board{}, fmt.Errorf("gnubg's play %q of %d-%d in %s: %w", text, d1, d2, b.Key(), err)
	}
	for _, legal := range m.plays.Generate(b, d1, d2) {
		if legal == after {
			return after, nil
		}
	}
	return bg.Board{}, fmt.Errorf("gnubg's play %q of %d-%d in %s is not legal", text, d1, d2, b.Key())
}

// Evaluate asks for the outputs of a position.
func (m *gnubgMover) Evaluate(b *bg.Board) (o bg.Outputs, err error) {
	m.request = append(appendBoard(append(m.request[:0], 'e'), b), '\n')
	numbers, err := m.numbers(b, len(o))
	for i, v := range numbers {
		o[i] = float32(v)
	}
	return o, err
}

// numbers sends the request and reads so many numbers about a position.
func (m *gnubgMover) numbers(b *bg.Board, n int) ([]float64, error) {
	text, err := m.ask()
	if err != nil {
		return nil, err
	}
	f := strings.Fields(text)
	if len(f) != n {
		return nil, fmt.Errorf("gnubg's evaluation of %s: %q", b.Key(), text)
	}
	values := make([]float64, n)
	for i := range f {
		if values[i], err = strconv.ParseFloat(f[i], 64); err != nil {
			return nil, fmt.Errorf("gnubg's evaluation of %s: %w", b.Key(), err)
		}
	}
	return values, nil
}

// PlayAt implements ScoreMover: GNU Backgammon's own cubeful choice at the state,
// whatever the model.
func (m *gnubgMover) PlayAt(b *bg.Board, d1, d2 int, s *cube.State, _ cube.Model) (bg.Board, error) {
	if s.Table == nil {
		return m.Play(b, d1, d2)
	}
	m.request = appendState(appendBoard(append(m.request[:0], 'P'), b), s)
	return m.play(b, d1, d2)
}

// Decide implements CubeMover: for the model gnubg it is GNU Backgammon's own
// decision, at its ply and with its match equity table, for others one by its
// outputs.
func (m *gnubgMover) Decide(b *bg.Board, s *cube.State, model cube.Model) (cube.Decision, error) {
	if _, own := model.(cube.GNUbg); !own {
		return decideByOutputs(m, b, s, model)
	}
	m.request = append(appendState(appendBoard(append(m.request[:0], 'C'), b), s), '\n')
	v, err := m.numbers(b, 4)
	if err != nil {
		return cube.Decision{}, err
	}
	return cube.Judge(v[0], v[1], v[2], s, v[3] > 0), nil
}

// appendState appends the six numbers of a state, each after a blank.
func appendState(dst []byte, s *cube.State) []byte {
	owner := map[cube.Holder]int{cube.Centered: -1, cube.Owned: 1, cube.OpponentOwned: 0}[s.Owner]
	length, mine, theirs, crawford := 0, 0, 0, 0
	if s.Table != nil {
		// Scores count up: any length does that is long enough for both.
		length = max(s.Away, s.Opponent)
		mine, theirs = length-s.Away, length-s.Opponent
	}
	if s.Crawford {
		crawford = 1
	}
	return fmt.Appendf(dst, " %d %d %d %d %d %d", s.Cube, owner, length, theirs, mine, crawford)
}

// appendBoard appends the 50 numbers of a board, each after a blank.
func appendBoard(dst []byte, b *bg.Board) []byte {
	for _, s := range [2]*bg.Side{&b.Opp, &b.Me} {
		for _, n := range s {
			dst = strconv.AppendUint(append(dst, ' '), uint64(n), 10)
		}
	}
	return dst
}

// applyPlay moves checkers as "from to from to …" says and returns the position
// with the opponent on roll.
func applyPlay(b *bg.Board, text string) (bg.Board, error) {
	after := *b
	f := strings.Fields(text)
	if len(f)%2 != 0 || len(f) > 8 {
		return after, fmt.Errorf("%d numbers", len(f))
	}
	for i := 0; i < len(f); i += 2 {
		from, err1 := strconv.Atoi(f[i])
		to, err2 := strconv.Atoi(f[i+1])
		if err1 != nil || err2 != nil || from < 1 || from > 25 || to < 0 || to > 24 || after.Me[from-1] == 0 {
			return after, fmt.Errorf("no checker moves %s/%s", f[i], f[i+1])
		}
		after.Me[from-1]--
		if to > 0 {
			after.Me[to-1]++
			if after.Opp[24-to] > 0 {
				after.Opp[24-to]--
				after.Opp[bg.Bar]++
			}
		}
	}
	return after.Swapped(), nil
}
