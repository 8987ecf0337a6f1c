package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// ubgiEngine is a process of 'bgtrain engine --protocol ubgi', as a user interface
// sees it.
type ubgiEngine struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startUBGI(t *testing.T, dir string) *ubgiEngine {
	t.Helper()
	u := &ubgiEngine{t: t, cmd: child(dir, "engine td --protocol ubgi --ply 0 --two-sided 4")}
	var err error
	if u.in, err = u.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := u.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	u.out = bufio.NewReader(out)
	if err := u.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { u.cmd.Process.Kill() }) // it may have ended
	u.send("ubgi")
	for {
		switch line := u.line(); {
		case line == "readyok":
			return u
		case !strings.HasPrefix(line, "id "):
			t.Fatalf("%q between ubgi and readyok", line)
		}
	}
}

func (u *ubgiEngine) send(line string) {
	u.t.Helper()
	if _, err := io.WriteString(u.in, line+"\n"); err != nil {
		u.t.Fatal(err)
	}
}

func (u *ubgiEngine) line() string {
	u.t.Helper()
	line, err := u.out.ReadString('\n')
	if err != nil {
		u.t.Fatalf("%v\n%s", err, u.cmd.Stderr)
	}
	return strings.TrimSuffix(line, "\n")
}

func (u *ubgiEngine) ask(line string) string {
	u.t.Helper()
	u.send(line)
	return u.line()
}

// ubgiMatch is a match as the test keeps it, by itself: seats 0 and 1.
type ubgiMatch struct {
	t        *testing.T
	engines  [2]*ubgiEngine
	length   int
	score    [2]int
	crawford bool // this is the Crawford game
	played   bool // it has been
	cube     int
	owner    int // seat, or -1
	board    bg.Board
	turn     int
	rng      *rand.Rand
	legal    bg.Plays
	said     map[string]int
}

// xgid is the position, seat 0 at the bottom: dice "00", "31" or "D".
func (m *ubgiMatch) xgid(dice string) string {
	bottom := m.board
	if m.turn == 1 {
		bottom = bottom.Swapped()
	}
	points := []byte(strings.Repeat("-", 26))
	for i, n := range bottom.Me {
		if n > 0 {
			points[i+1] = 'A' + n - 1
		}
	}
	for i, n := range bottom.Opp {
		if n > 0 {
			points[24-i] = 'a' + n - 1
		}
	}
	exponent, owner := 0, map[int]int{-1: 0, 0: 1, 1: -1}[m.owner]
	for 1<<exponent < m.cube {
		exponent++
	}
	crawford := 0
	if m.crawford {
		crawford = 1
	}
	return fmt.Sprintf("XGID=%s:%d:%d:%d:%s:%d:%d:%d:%d:10", points, exponent, owner, 1-2*m.turn, dice,
		m.score[0], m.score[1], crawford, m.length)
}

// fibs is the position as a board line for the seat on roll, which plays from 24 to 1.
func (m *ubgiMatch) fibs(d1, d2 int) string {
	var points [26]int
	for i, n := range m.board.Me {
		points[i+1] += int(n)
	}
	for i, n := range m.board.Opp {
		points[24-i] -= int(n)
	}
	words := []string{"board:You:other", strconv.Itoa(m.length), strconv.Itoa(m.score[m.turn]),
		strconv.Itoa(m.score[1-m.turn])}
	for _, n := range points {
		words = append(words, strconv.Itoa(n))
	}
	may := func(seat int) int {
		if m.owner == seat || m.owner == -1 {
			return 1
		}
		return 0
	}
	after := 0
	if m.played {
		after = 1
	}
	for _, n := range []int{1, d1, d2, 0, 0, m.cube, may(m.turn), may(1 - m.turn), 0, 1, -1, 0, 25, 0, 0,
		0, 0, 0, 0, after, 0} {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ":")
}

// apply makes the steps of an answer, one checker and one die at a time, and looks for
// what comes out among the legal plays.
func (m *ubgiMatch) apply(answer string, d1, d2 int) bg.Board {
	m.t.Helper()
	after := m.board
	number := func(s string) int {
		switch s {
		case "bar":
			return 25
		case "off":
			return 0
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 25 {
			m.t.Fatalf("%q in %q", s, answer)
		}
		return n
	}
	for _, step := range strings.Fields(answer) {
		from, to, ok := strings.Cut(step, "/")
		f, n := number(from), number(to)
		if !ok || f <= n || f-n > 6 || after.Me[f-1] == 0 {
			m.t.Fatalf("%q of %q, %d%d, from %s", step, answer, d1, d2, m.board.Key().PositionID())
		}
		after.Me[f-1]--
		if n == 0 {
			continue
		}
		after.Me[n-1]++
		if there := &after.Opp[24-n]; *there == 1 {
			*there = 0
			after.Opp[24]++
		}
	}
	results := m.legal.Generate(&m.board, d1, d2)
	if !slices.Contains(results, after.Swapped()) {
		m.t.Fatalf("%q of %d%d is not legal from %s", answer, d1, d2, m.board.Key().PositionID())
	}
	return after.Swapped()
}

// game plays a game and returns who won how many points.
func (m *ubgiMatch) game() (winner, points int) {
	m.board, m.cube, m.owner = bg.Start, 1, -1
	m.turn = m.rng.IntN(2)
	for turns := 0; ; turns++ {
		if turns > 2000 {
			m.t.Fatal("the game does not end")
		}
		e := m.engines[m.turn]
		if turns > 0 {
			switch answer := e.ask(m.xgid("00")); answer {
			case "roll":
			case "double":
				m.said[answer]++
				if m.crawford || m.owner == 1-m.turn {
					m.t.Fatalf("a double that the rules forbid: %s", m.xgid("00"))
				}
				reply := m.engines[1-m.turn].ask(m.xgid("D"))
				m.said[reply]++
				switch reply {
				case "drop":
					return m.turn, m.cube
				case "take":
					m.cube, m.owner = 2*m.cube, 1-m.turn
				default:
					m.t.Fatalf("%q answers a double", reply)
				}
			default:
				m.t.Fatalf("%q before the roll", answer)
			}
		}
		d1, d2 := 1+m.rng.IntN(6), 1+m.rng.IntN(6)
		for turns == 0 && d1 == d2 {
			d2 = 1 + m.rng.IntN(6)
		}
		line := m.xgid(fmt.Sprintf("%d%d", d1, d2))
		if m.rng.IntN(2) == 0 {
			line = m.fibs(d1, d2)
		}
		e.send(line)
		if m.rng.IntN(20) == 0 { // the answer comes all the same
			e.send("stop")
			answer := e.line()
			if ready := e.line(); ready != "readyok" {
				m.t.Fatalf("%q after stop", ready)
			}
			m.board = m.apply(answer, d1, d2)
		} else {
			answer := e.line()
			if answer == "" {
				m.said["blank"]++
			}
			m.board = m.apply(answer, d1, d2)
		}
		if p := m.board.Points(); p > 0 {
			return m.turn, p * m.cube
		}
		m.turn = 1 - m.turn
		if m.rng.IntN(10) == 0 {
			m.nonsense(m.engines[m.turn])
		}
	}
}

// nonsense says something that cannot be answered: that is said, and changes nothing.
func (m *ubgiMatch) nonsense(e *ubgiEngine) {
	lines := []string{"setoption name Ply value 3", "XGID=-b----E-C---eE---c-e----P-:0:0:1:31:0:0:0:0:10", "board:a:b",
		"XGID=" + strings.Repeat("-", 26) + ":0:0:1:31:0:0:0:0:10", "go", strings.Repeat("x", 9000), "\x00\xff",
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:99:0:0:0:0:10"}
	line := lines[m.rng.IntN(len(lines))]
	if answer := e.ask(line); !strings.HasPrefix(answer, "sorry") {
		m.t.Fatalf("%.60q is answered by %q", line, answer)
	}
	m.said["sorry"]++
}

// TestUBGIMatches plays matches between two engine processes. The test keeps the game
// by itself: every answer has to be one that the rules allow.
func TestUBGIMatches(t *testing.T) {
	dir := t.TempDir()
	m := &ubgiMatch{t: t, rng: rand.New(rand.NewPCG(16, 3)), said: map[string]int{}}
	for seat := range m.engines {
		m.engines[seat] = startUBGI(t, dir)
	}
	games := 0
	for _, length := range []int{3, 7, 11} {
		m.length, m.score, m.crawford, m.played = length, [2]int{}, false, false
		for max(m.score[0], m.score[1]) < length {
			winner, points := m.game()
			m.score[winner] += points
			games++
			m.played = m.played || m.crawford
			m.crawford = !m.played && max(m.score[0], m.score[1]) == length-1
		}
	}
	m.length, m.score, m.crawford = 0, [2]int{}, false
	m.game() // for money
	for _, e := range m.engines {
		e.send("quit")
		if err := e.cmd.Wait(); err != nil {
			t.Errorf("quit: %v", err)
		}
	}
	t.Logf("%d games of matches, %v", games, m.said)
	for _, word := range []string{"double", "take", "drop", "sorry", "blank"} {
		if m.said[word] == 0 {
			t.Errorf("no %s in %d games: %v", word, games, m.said)
		}
	}
}

// The engine speaks UBGI 0.2 where that is asked for.
func TestUBGISession(t *testing.T) {
	c := child(t.TempDir(), "engine td --protocol ubgi-0.2 --ply 0 --two-sided -1")
	c.Stdin = strings.NewReader("ubgi\nisready\nnewgame\nposition gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo chequer\nset engine.ply 1\n" +
		"go\nwhat\nquit\nubgi\n")
	out, err := c.Output()
	text := string(out)
	if err != nil || !strings.HasPrefix(text, "id name bgtrain td\n") || !strings.Contains(text, "\nproto 0.2\n") ||
		!strings.Contains(text, "\nkey engine.ply int 0..3 0 look-ahead\n") || strings.Count(text, "ubgiok\n") != 1 ||
		!strings.Contains(text, "\nubgiok\nreadyok\nbestmove 8/5 6/5\nbestmove 8/5 6/5\nerror bad_command unknown") {
		t.Errorf("%v: %s", err, text)
	}
}
