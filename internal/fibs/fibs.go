// Package fibs is a bot for FIBS, the First Internet Backgammon Server, and
// servers that speak its client protocol (CLIP): it logs in, plays whoever
// invites it, and comes back when the connection is lost. The protocol is that of
// fibs.com/fibs_interface.html.
package fibs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"bgtrain/internal/protocol"
	"bgtrain/internal/setting"
)

// Settings are those of a bot.
type Settings struct {
	Address  string // HOST:PORT of the server
	User     string
	Password string // never logged

	MaxLength int           // longest match that is accepted; unlimited ones are not
	Matches   int           // so many matches and then stop; 0 for no end
	Retries   int           // lost connections in a row, without a word from the server between, before giving up
	Wait      time.Duration // before the first of them; each next one twice as long, up to 64 times
	Idle      time.Duration // without a line from the server before the connection counts as lost

	Log func(line string) // if not nil, gets what happens
}

// Defaults are the settings of the command, but for address and user.
var Defaults = Settings{MaxLength: 25, Retries: 8, Wait: 5 * time.Second, Idle: 30 * time.Minute}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	switch {
	case s.Address == "":
		return errors.New("no server named")
	case !isWord(s.User):
		return fmt.Errorf("user %q: one word expected", s.User)
	case s.Password == "":
		return errors.New("no password")
	case !isWord(s.Password):
		return errors.New("the password has blanks or control characters in it, which the server cannot read")
	}
	return s.List().Check()
}

// List returns the settings but the password.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "server", To: &s.Address, Help: "HOST:PORT (required)"},
		{Name: "user", To: &s.User, Help: "name of the bot at the server (required)"},
		{Name: "max-length", To: &s.MaxLength, Range: setting.From(1, 1e6),
			Help: "longest match that is accepted, points"},
		{Name: "matches", To: &s.Matches, Range: setting.From(0, 1e9), Help: "stop after so many matches, 0 never"},
		{Name: "retries", To: &s.Retries, Range: setting.From(0, 1e6),
			Help: "lost connections in a row before giving up"},
		{Name: "wait", To: &s.Wait, Range: setting.From(0, 86400),
			Help: "before the first of them; then twice as long each, up to 64 times"},
	}
}

// isWord reports whether the server takes a text for one word.
func isWord(s string) bool {
	for _, c := range s {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return s != ""
}

// ErrLogin is the end of a bot that the server does not let in.
var ErrLogin = errors.New("the server refuses user name or password")

// errDone ends a bot that has played its matches.
var errDone = errors.New("all matches played")

// Run logs in and plays until the context ends, the matches are played, or the
// server does not let it in or cannot be reached any more.
func Run(ctx context.Context, brain *protocol.Brain, s Settings) error {
	if err := s.Check(); err != nil {
		return err
	}
	if s.Log == nil {
		s.Log = func(string) {}
	}
	b := &bot{brain: brain, s: &s}
	for lost := 0; ; {
		b.heard = false
		err := b.session(ctx)
		switch {
		case errors.Is(err, errDone):
			return nil
		case errors.Is(err, ErrLogin):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if b.heard {
			lost = 0
		}
		if lost++; lost > s.Retries {
			return fmt.Errorf("after %d attempts: %w", lost, err)
		}
		wait := s.Wait << min(lost-1, 6)
		s.Log(fmt.Sprintf("connection lost (%v); again in %v", err, wait))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// session is one connection, to its end.
func (b *bot) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const connecting = 30 * time.Second
	conn, err := (&net.Dialer{Timeout: connecting}).DialContext(ctx, "tcp", b.s.Address)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	b.conn = conn
	b.acted, b.board, b.loggedIn, b.sentLogin = "", nil, false, false
	in := &reader{conn: conn, idle: b.s.Idle}
	for {
		line, err := in.next()
		if err != nil {
			return err
		}
		if err := b.line(line); err != nil {
			return err
		}
	}
}
