package fibs

import (
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/protocol"
)

// bot plays at a server.
type bot struct {
	brain *protocol.Brain
	s     *Settings
	conn  net.Conn
	heard bool // the server has let us in since the last connection

	sentLogin, loggedIn bool
	board               *protocol.FIBSBoard // the last one
	acted               string              // the board line that was answered last
	played              int                 // matches
}

// clip is the version of the client protocol that is asked for.
const clip = "1008"

// Settings of the user at the server, by their place in the line of own
// information, that the bot needs as they are here.
var toggles = []struct {
	place int
	name  string
	want  string
}{
	{3, "autoboard", "1"}, {5, "automove", "0"}, {9, "double", "1"}, {11, "greedy", "0"}, {12, "moreboards",
		"1"}, {17, "ready", "1"},
}

// The server's words that the bot acts on.
var (
	invitation = regexp.MustCompile(`^(?:\*\* )?(\S+) wants to play an? (\d+) point match with you\.`)
	unlimited  = regexp.MustCompile(`^(?:\*\* )?(\S+) wants to play an unlimited match with you\.`)
	resume     = regexp.MustCompile(`^(?:\*\* )?(\S+) wants to resume a saved match with you\.`)
	doubled    = regexp.MustCompile(`^\S+ doubles\. Type 'accept' or 'reject'\.`)
	resigns    = regexp.MustCompile(`^\S+ wants to resign\. You will win (\d+) points?\. Type 'accept' or 'reject'\.`)
	nextGame   = regexp.MustCompile(`^Type 'join' if you want to play the next game`)
	matchOver  = regexp.MustCompile(`^(\S+) wins? the (\d+) point match (\d+)-(\d+)`)
)

// send sends a line; secret ones are not logged.
func (b *bot) send(line string, secret bool) error {
	if !secret {
		b.s.Log("> " + line)
	}
	const patience = time.Minute
	if err := b.conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := b.conn.Write([]byte(line + "\r\n"))
	return err
}

// line acts on a line of the server. Unknown ones are passed over: people talk, and
// servers differ.
func (b *bot) line(line string) error {
	if strings.HasSuffix(line, prompt) {
		if b.sentLogin {
			return ErrLogin
		}
		b.sentLogin = true
		return b.send(fmt.Sprintf("login bgtrain %s %s %s", clip, b.s.User, b.s.Password), true)
	}
	if !b.loggedIn {
		if strings.HasPrefix(line, "1 "+b.s.User+" ") {
			b.loggedIn, b.heard = true, true
			b.s.Log("logged in as " + b.s.User)
			return b.send("set boardstyle 3", false)
		}
		return nil
	}
	if strings.HasPrefix(line, "2 "+b.s.User+" ") {
		return b.ownInfo(strings.Fields(line))
	}
	if strings.HasPrefix(line, "board:") {
		return b.onBoard(line)
	}
	if f := invitation.FindStringSubmatch(line); f != nil {
		return b.invited(f[1], f[2])
	}
	if f := unlimited.FindStringSubmatch(line); f != nil {
		return b.send(fmt.Sprintf("tellx %s I play matches of up to %d points", f[1], b.s.MaxLength), false)
	}
	if f := resume.FindStringSubmatch(line); f != nil {
		return b.send("join "+f[1], false)
	}
	switch {
	case doubled.MatchString(line):
		return b.onDouble()
	case nextGame.MatchString(line):
		b.acted = ""
		return b.send("join", false)
	}
	if f := resigns.FindStringSubmatch(line); f != nil {
		return b.onResign(f[1])
	}
	if f := matchOver.FindStringSubmatch(line); f != nil {
		b.s.Log(line)
		b.board, b.acted = nil, ""
		if b.played++; b.played == b.s.Matches {
			if err := b.send("bye", false); err != nil {
				return err
			}
			return errDone
		}
	}
	return nil
}

// ownInfo puts the user's settings right.
func (b *bot) ownInfo(f []string) error {
	for _, t := range toggles {
		if t.place < len(f) && f[t.place] != t.want {
			if err := b.send("toggle "+t.name, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bot) invited(who, length string) error {
	n, err := strconv.Atoi(length)
	if err != nil || n < 1 || n > b.s.MaxLength {
		return b.send(fmt.Sprintf("tellx %s I play matches of up to %d points", who, b.s.MaxLength), false)
	}
	return b.send("join "+who, false)
}

// onBoard acts on a board line where it is our turn. A line that comes again has
// been answered.
func (b *bot) onBoard(line string) error {
	f, err := protocol.ParseFIBSBoard(line)
	if err != nil {
		b.s.Log("not understood: " + err.Error())
		return nil
	}
	b.board = &f
	if f.Over || !f.Mine || f.Doubled || line == b.acted || f.Board.Me.Back() < 0 || f.Board.Opp.Back() < 0 {
		return nil
	}
	b.acted = line
	s, err := b.brain.FIBSState(&f)
	if err != nil {
		b.s.Log("not understood: " + err.Error())
		return nil
	}
	action, err := b.brain.Act(&f.Board, f.Dice, false, &s)
	switch {
	case err != nil:
		return err
	case action == "": // the server moves on by itself
		return nil
	case action == "double" && !f.MayDouble[0]:
		action = "roll"
	case f.Dice != [2]int{}:
		action = "move " + strings.ReplaceAll(action, "/", "-")
	}
	return b.send(action, false)
}

// theirs returns the last position with the opponent on roll, and the cube and the
// score as the opponent sees them.
func (b *bot) theirs() (bg.Board, cube.State, bool) {
	if b.board == nil {
		return bg.Board{}, cube.State{}, false
	}
	f := *b.board
	if f.Mine {
		f.Mine, f.Board = false, f.Board.Swapped()
	}
	s, err := b.brain.FIBSState(&f)
	if err != nil || f.Board.Me.Back() < 0 || f.Board.Opp.Back() < 0 {
		return bg.Board{}, cube.State{}, false
	}
	return f.Board, s, true
}

// onDouble answers a double: by a take where nothing is known of the position.
func (b *bot) onDouble() error {
	b.acted = ""
	if board, s, ok := b.theirs(); ok && !b.brain.Decide(&board, &s).Action.Takes() {
		return b.send("reject", false)
	}
	return b.send("accept", false)
}

// onResign answers a resignation: the points are taken unless the position is
// worth more.
func (b *bot) onResign(points string) error {
	n, err := strconv.Atoi(points)
	if err != nil {
		return nil
	}
	b.acted = ""
	if board, s, ok := b.theirs(); ok {
		out := b.brain.Evaluator.Evaluate(&board, b.brain.Ply)
		out = out.Inverted()
		if float64(out.Equity())*float64(s.Cube) > float64(n)+0.01 {
			return b.send("reject", false)
		}
	}
	return b.send("accept", false)
}
