package opponents

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/bg"
)

// GNUbg is a running GNU Backgammon: each mover is a process of its own, which
// plays cubelessly for money without noise, with its pruning nets and normal
// move filters, through GNU Backgammon's Python module.
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
	return &gnubgMover{process: p, timeout: g.timeout()}, nil
}

type gnubgMover struct {
	process *gnubgProcess
	timeout time.Duration
	plays   bg.Plays
	request []byte
}

// Close ends the process.
func (m *gnubgMover) Close() error { return m.process.close() }

// Play asks for the best play. An answer that is not a legal play is an error.
func (m *gnubgMover) Play(b *bg.Board, d1, d2 int) (bg.Board, error) {
	m.request = appendBoard(append(m.request[:0], 'p'), b)
	m.request = fmt.Appendf(m.request, " %d %d\n", d1, d2)
	text, err := m.process.ask(m.request, m.timeout)
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
	text, err := m.process.ask(m.request, m.timeout)
	if err != nil {
		return o, err
	}
	f := strings.Fields(text)
	if len(f) != len(o) {
		return o, fmt.Errorf("gnubg's outputs of %s: %q", b.Key(), text)
	}
	for i := range o {
		p, err := strconv.ParseFloat(f[i], 32)
		if err != nil {
			return o, fmt.Errorf("gnubg's outputs of %s: %w", b.Key(), err)
		}
		o[i] = float32(p)
	}
	return o, nil
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
