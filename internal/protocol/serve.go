package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"bgtrain/internal/setting"
)

// Protocol answers lines. An empty answer is none; one of "\n" is an empty line.
type Protocol interface {
	// Answer returns the answer to a line, of any number of lines without the last
	// line end. ErrQuit ends the conversation after it.
	Answer(line string) (string, error)
}

// MaxLine is the length of the longest line that is read. A longer one is
// answered as unknown.
const MaxLine = 4 << 10

// Talk answers the lines of r on w until r or the conversation ends, or a write
// fails.
func Talk(r io.Reader, w io.Writer, p Protocol) error {
	in := bufio.NewReaderSize(r, MaxLine)
	for {
		line, err := in.ReadSlice('\n')
		tooLong := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if tooLong {
			text = "a line of more than 4096 bytes"
		}
		answer, quit := p.Answer(text)
		if answer != "" {
			if _, err := io.WriteString(w, strings.TrimSuffix(answer, "\n")+"\n"); err != nil {
				return err
			}
		}
		if quit != nil {
			return nil
		}
		if err != nil { // the last line had no end
			return nil
		}
	}
}

// Limits bound what a server does for others.
type Limits struct {
	Connections int           // at once; others wait
	Idle        time.Duration // without a line, before a connection is closed
}

// DefaultLimits are those of the command.
var DefaultLimits = Limits{Connections: 8, Idle: 10 * time.Minute}

// List returns the limits as settings.
func (l *Limits) List() setting.List {
	return setting.List{
		{Name: "connections", To: &l.Connections, Range: setting.From(1, 1e6), Help: "connections at once; others wait"},
		{Name: "idle", To: &l.Idle, Range: setting.Above(0, 1e9), Help: "close a connection that says nothing for so long"},
	}
}

// TalkUntil is Talk that also ends with the context: a read from a terminal does not.
func TalkUntil(ctx context.Context, r io.Reader, w io.Writer, p Protocol) error {
	done := make(chan error, 1)
	go func() { done <- Talk(r, w, p) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Listen serves at an address, HOST:PORT, and logs where.
func Listen(ctx context.Context, address string, limits Limits, protocol func() Protocol, log func(string)) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	log(fmt.Sprintf("listening at %v", l.Addr()))
	return Serve(ctx, l, limits, protocol, log)
}

// Serve answers connections to l until the context ends, each by a protocol of
// its own. log, if not nil, gets connections.
func Serve(ctx context.Context, l net.Listener, limits Limits, protocol func() Protocol, log func(string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	if log == nil {
		log = func(string) {}
	}
	slots := make(chan struct{}, limits.Connections)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept connections: %w", err)
		}
		wg.Go(func() {
			defer func() { <-slots }()
			log(fmt.Sprintf("%v connected", conn.RemoteAddr()))
			err := serveConn(ctx, conn, limits.Idle, protocol())
			if err != nil && ctx.Err() == nil {
				log(fmt.Sprintf("%v: %v", conn.RemoteAddr(), err))
			} else {
				log(fmt.Sprintf("%v disconnected", conn.RemoteAddr()))
			}
		})
	}
}

func serveConn(ctx context.Context, conn net.Conn, idle time.Duration, p Protocol) error {
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	return Talk(&deadlined{conn, idle}, &deadlined{conn, idle}, p)
}

// deadlined is a connection of which every read and write has a time limit.
type deadlined struct {
	net.Conn
	limit time.Duration
}

// Read is that of the connection, in the time that there is.
func (d *deadlined) Read(p []byte) (int, error) {
	if err := d.SetReadDeadline(time.Now().Add(d.limit)); err != nil {
		return 0, err
	}
	return d.Conn.Read(p)
}

// Write is that of the connection, in the time that there is.
func (d *deadlined) Write(p []byte) (int, error) {
	if err := d.SetWriteDeadline(time.Now().Add(d.limit)); err != nil {
		return 0, err
	}
	return d.Conn.Write(p)
}
