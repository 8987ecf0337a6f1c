package fibs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/protocol/braintest"
)

var testBrain = sync.OnceValues(braintest.Open)

const (
	theBot  = 0
	visitor = 1
	secret  = "s3cr3t-pa55"
)

// server is a small FIBS on loopback: it lets the bot in, has a visitor invite it
// to a match, who plays at random, and cuts the connection now and then.
type server struct {
	t     *testing.T
	rec   *matchfile.Recorder
	rng   *rand.Rand
	conn  net.Conn
	lines *bufio.Scanner
	count map[string]int // of the bot's commands
	color int

	cutAfter int // lines of the bot until the connection is cut; 0: never
}

func newServer(t *testing.T, length int) *server {
	rec, err := matchfile.NewRecorder(&matchfile.Match{Players: [2]string{"bgbot", "visitor"}, Length: length})
	if err != nil {
		t.Fatal(err)
	}
	return &server{t: t, rec: rec, rng: rand.New(rand.NewPCG(3, 4)), count: map[string]int{}, color: 1}
}

var errCut = errors.New("cut")

func (s *server) say(format string, args ...any) { fmt.Fprintf(s.conn, format+"\r\n", args...) }

// hear returns the bot's next command.
func (s *server) hear() (string, error) {
	if s.cutAfter > 0 {
		if s.cutAfter--; s.cutAfter == 0 {
			s.cutAfter = 25
			return "", errCut
		}
	}
	s.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if !s.lines.Scan() {
		return "", fmt.Errorf("the bot is gone: %v", s.lines.Err())
	}
	line := s.lines.Text()
	word, _, _ := strings.Cut(line, " ")
	s.count[word]++
	return line, nil
}

// board sends the position as the bot sees it.
func (s *server) board(d [2]int) {
	b, turn, c := s.rec.Position()
	if turn == visitor {
		b = b.Swapped()
	}
	dir := -s.color // the two colors move in opposite directions
	points := make([]string, 26)
	for i := range points {
		points[i] = "0"
	}
	for i := range 25 {
		mine, theirs := i+1, 24-i
		if dir > 0 {
			mine, theirs = 25-mine, 25-theirs
		}
		if b.Me[i] > 0 {
			points[mine] = fmt.Sprint(s.color * int(b.Me[i]))
		}
		if b.Opp[i] > 0 {
			points[theirs] = fmt.Sprint(-s.color * int(b.Opp[i]))
		}
	}
	who := s.color
	dice := [4]int{d[0], d[1], 0, 0}
	if turn == visitor {
		who, dice = -s.color, [4]int{0, 0, d[0], d[1]}
	}
	may := [2]int{1, 1}
	if c.Owner != matchfile.None {
		may[1-c.Owner] = 0
	}
	game := s.rec.Game()
	post := 0
	for _, g := range s.rec.Match().Games {
		if g.Crawford && g.Number < game.Number {
			post = 1
		}
	}
	s.say("board:You:visitor:%d:%d:%d:%s:%d:%d:%d:%d:%d:%d:%d:%d:0:%d:%d:0:25:0:0:0:0:2:0:%d:0",
		s.rec.Match().Length, game.Score[theBot], game.Score[visitor], strings.Join(points, ":"), who,
		dice[0], dice[1], dice[2], dice[3], c.Value, may[0], may[1], s.color, dir, post)
}

// serve plays on one connection until the match is over or it is cut.
func (s *server) serve(conn net.Conn) error {
	defer conn.Close()
	s.conn, s.lines = conn, bufio.NewScanner(conn)
	fmt.Fprint(conn, "\xff\xfd\x03Welcome to a test.\r\nlogin: ")
	line, err := s.hear()
	if err != nil {
		return err
	}
	if line != "login bgtrain 1008 bgbot "+secret {
		fmt.Fprint(conn, "login: ")
		return fmt.Errorf("login with %q", line)
	}
	s.say("1 bgbot 1041253132 127.0.0.1")
	s.say("2 bgbot 1 1 0 0 0 0 1 0 2396 0 1 0 1 3457.85 0 0 0 0 0 UTC")
	s.say("3\r\n+----+\r\n| board:nothing |\r\n4")
	for range 3 { // set boardstyle, toggle double, toggle ready
		if line, err = s.hear(); err != nil {
			return err
		}
		if !strings.HasPrefix(line, "set ") && !strings.HasPrefix(line, "toggle ") {
			return fmt.Errorf("%q before any game", line)
		}
	}
	s.say("12 visitor hello, visitor doubles. Type 'accept' or 'reject'.")
	s.say("board:You:visitor:garbage:1:2\r\nboard::::::\r\n%s\r\nboard:You:visitor:5:0:0:99:99",
		strings.Repeat("x", 9000))
	if s.rec.Game() == nil {
		s.say("somebody wants to play an unlimited match with you.")
		s.say("somebody wants to play a 99 point match with you.")
		for range 2 {
			if line, err = s.hear(); err != nil {
				return err
			}
			if !strings.HasPrefix(line, "tellx somebody ") {
				return fmt.Errorf("%q to an invitation that is too long", line)
			}
		}
		s.say("visitor wants to play a %d point match with you.", s.rec.Match().Length)
	} else {
		s.say("visitor wants to resume a saved match with you.")
	}
	if line, err = s.hear(); err != nil || line != "join visitor" {
		return fmt.Errorf("%q to an invitation: %w", line, err)
	}
	for s.rec.Winner() == matchfile.None {
		if !s.rec.Playing() {
			if s.rec.Game() != nil {
				s.say("Type 'join' if you want to play the next game, type 'leave' if you don't.")
				if line, err = s.hear(); err != nil || line != "join" {
					return fmt.Errorf("%q after a game: %w", line, err)
				}
			}
			if err := s.rec.BeginGame(); err != nil {
				return err
			}
			s.color = -s.color
		}
		if err := s.turn(); err != nil {
			return err
		}
	}
	score := s.rec.Score()
	s.say("visitor wins the %d point match %d-%d .", s.rec.Match().Length, score[visitor], score[theBot])
	if line, err = s.hear(); err != nil || line != "bye" {
		return fmt.Errorf("%q after the match: %w", line, err)
	}
	return nil
}

// turn plays one turn of whoever is on roll.
func (s *server) turn() error {
	_, turn, c := s.rec.Position()
	d := [2]int{1 + s.rng.IntN(6), 1 + s.rng.IntN(6)}
	if turn == matchfile.None {
		turn = s.rng.IntN(2)
	} else if turn == visitor {
		switch {
		case s.rec.MayDouble(visitor) && s.rng.IntN(12) == 0:
			return s.visitorDoubles(2 * c.Value)
		case s.rng.IntN(60) == 0:
			s.board([2]int{})
			s.say("visitor wants to resign. You will win %d points. Type 'accept' or 'reject'.", c.Value)
			line, err := s.hear()
			if line == "accept" {
				return s.rec.Resign(visitor, 1)
			}
			return err
		}
	} else if line, err := s.rollOrDouble(); err != nil || line {
		return err
	}
	b, on, _ := s.rec.Position()
	if on == matchfile.None {
		b = bg.Start
		// The server tells who begins by the board line: put it on that side.
		return s.play(turn, b, d)
	}
	return s.play(turn, b, d)
}

// rollOrDouble asks the bot; done shows that a double took the turn.
func (s *server) rollOrDouble() (done bool, err error) {
	s.board([2]int{})
	s.board([2]int{}) // again: it must be answered once
	line, err := s.hear()
	if err != nil {
		return false, err
	}
	if line == "roll" {
		return false, nil
	}
	if line != "double" {
		return false, fmt.Errorf("%q where the bot may roll or double", line)
	}
	if err := s.rec.Double(theBot); err != nil {
		return false, err
	}
	if s.rng.IntN(2) == 0 {
		s.say("visitor gives up. You win some points.")
		return true, s.rec.Drop(visitor)
	}
	s.say("visitor accepts the double. The cube shows more.")
	if err := s.rec.Take(visitor); err != nil {
		return false, err
	}
	return false, nil
}

func (s *server) visitorDoubles(to int) error {
	s.board([2]int{})
	s.say("visitor doubles. Type 'accept' or 'reject'.")
	line, err := s.hear()
	if err != nil {
		return err // before it is written down: asked again after the connection is back
	}
	if err := s.rec.Double(visitor); err != nil {
		return err
	}
	switch line {
	case "accept":
		return s.rec.Take(theBot)
	case "reject":
		return s.rec.Drop(theBot)
	}
	return fmt.Errorf("%q to a double to %d", line, to)
}

// play lets whoever has rolled move.
func (s *server) play(turn int, b bg.Board, d [2]int) error {
	var plays bg.Plays
	legal := plays.Generate(&b, d[0], d[1])
	if turn == visitor || len(legal) == 1 && legal[0] == b.Swapped() {
		return s.rec.Roll(turn, d[0], d[1], legal[s.rng.IntN(len(legal))])
	}
	if _, on, _ := s.rec.Position(); on == matchfile.None {
		return s.rec.Roll(turn, d[0], d[1], legal[0]) // the first play is of no interest here
	}
	s.board(d)
	line, err := s.hear()
	if err != nil {
		return err
	}
	text, ok := strings.CutPrefix(line, "move ")
	if !ok {
		return fmt.Errorf("%q after a roll of %v", line, d)
	}
	steps, err := bg.ParseSteps(nil, text)
	if err != nil {
		return err
	}
	after, err := plays.Find(&b, d[0], d[1], steps)
	if err != nil {
		return fmt.Errorf("%q of %v: %w", line, d, err)
	}
	return s.rec.Roll(theBot, d[0], d[1], after)
}

// TestMatchOnServer plays a match on a server that cuts the connection every so
// often, speaks nonsense between, and must never see a wrong command.
func TestMatchOnServer(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := newServer(t, 5)
	s.cutAfter = 40
	served := make(chan error, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				served <- err
				return
			}
			if err := s.serve(conn); !errors.Is(err, errCut) {
				served <- err
				return
			}
		}
	}()
	var log strings.Builder
	settings := Defaults
	settings.Address, settings.User, settings.Password = l.Addr().String(), "bgbot", secret
	settings.Matches, settings.Wait = 1, time.Millisecond
	settings.Log = func(line string) { fmt.Fprintln(&log, line) }
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := Run(ctx, brain, settings); err != nil {
		t.Errorf("bot: %v", err)
	}
	if err := <-served; err != nil {
		t.Errorf("server: %v", err)
	}
	if s.count["move"] < 20 || s.count["roll"] < 10 || s.count["login"] < 2 {
		t.Errorf("commands %v", s.count)
	}
	if strings.Contains(log.String(), secret) {
		t.Error("the password is in the log")
	}
	if !strings.Contains(log.String(), "connection lost") || !strings.Contains(log.String(), "not understood") {
		t.Errorf("log:\n%s", log.String())
	}
	if s.rec.Winner() == matchfile.None || t.Failed() {
		t.Log(s.count, s.rec.Score())
	}
}

// TestWrongPassword ends without another attempt.
func TestWrongPassword(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err == nil {
			newServer(t, 1).serve(conn)
		}
	}()
	s := Defaults
	s.Address, s.User, s.Password = l.Addr().String(), "bgbot", "wrong"
	err = Run(context.Background(), nil, s)
	if !errors.Is(err, ErrLogin) || strings.Contains(err.Error(), "wrong") {
		t.Errorf("%v", err)
	}
	l.Close()
	s.Retries, s.Wait = 2, time.Millisecond
	if err := Run(context.Background(), nil, s); err == nil || !strings.Contains(err.Error(), "after 3 attempts") {
		t.Errorf("no server: %v", err)
	}
	s.Password = "two words"
	if err := Run(context.Background(), nil, s); err == nil || strings.Contains(err.Error(), "two words") {
		t.Errorf("a password of two words: %v", err)
	}
}

// endless sends a line without end.
type endless struct {
	net.Conn
	sent int
}

func (e *endless) SetReadDeadline(time.Time) error { return nil }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.sent += len(p)
	return len(p), nil
}

// A line has an end: what sends more, without one or of what is passed over, is left.
func TestLineWithoutEnd(t *testing.T) {
	conn := &endless{}
	in := &reader{conn: conn, idle: time.Second}
	if line, err := in.next(); err == nil || !strings.Contains(err.Error(), "65536 bytes") || conn.sent > 1<<17 {
		t.Errorf("%d bytes of a line of %d sent, %v", len(line), conn.sent, err)
	}
	long := strings.Repeat("x", maxSent-1) + "\n"
	in = &reader{left: []byte(long + long + "short\n")}
	for _, want := range []int{maxLine, maxLine, 5} {
		if line, err := in.next(); err != nil || len(line) != want {
			t.Errorf("%d bytes, %d expected, %v", len(line), want, err)
		}
	}
}

// nowhere is a connection that takes everything.
type nowhere struct{ net.Conn }

func (nowhere) Write(b []byte) (int, error)      { return len(b), nil }
func (nowhere) SetWriteDeadline(time.Time) error { return nil }

func FuzzLine(f *testing.F) {
	for _, line := range []string{
		"login:", "1 bgbot 1 x", "2 bgbot 1 1 0", "visitor wants to play a 5 point match with you.",
		"visitor doubles. Type 'accept' or 'reject'.", "visitor wants to resign. You will win 2 points. Type " +
			"'accept' or 'reject'.",
		"board:You:visitor:5:4:2:0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0:1:6:3:0:0:1:1:1:0:1:1:25:0:0:0:0:0:2:0:0:0",
	} {
		f.Add(line)
	}
	brain, err := testBrain()
	if err != nil {
		f.Fatal(err)
	}
	s := Defaults
	s.User, s.Password, s.Log = "bgbot", secret, func(string) {}
	f.Fuzz(func(t *testing.T, line string) {
		b := &bot{brain: brain, s: &s, conn: nowhere{}, loggedIn: true}
		b.line("board:You:visitor:5:4:2:0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0:1:6:3:0:0:1:1:1:0:1:1:25:0:0:0:0:0:2:0:0:0")
		b.line(line)
	})
}
