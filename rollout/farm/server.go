package farm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerSettings are those of a server inside this program.
type ServerSettings struct {
	Listen  string // HOST:PORT; port 0 takes a free one
	Store   string // directory of its files
	TLSCert string // files, "" for no TLS
	TLSKey  string
	Keys    []Key // who may come in; none lets everybody in

	Log func(line string) `json:"-"` // warnings and errors of the server; may be nil
}

// Check refuses a server that others could reach unprotected.
func (s *ServerSettings) Check() error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("address %q: HOST:PORT expected", s.Listen)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("address %q: HOST:PORT expected", s.Listen)
	}
	switch {
	case s.Store == "":
		return errors.New("no directory for the server's files")
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return errors.New("a TLS certificate and its key belong together")
	case !loopback(host) && (s.TLSCert == "" || len(s.Keys) == 0):
		return fmt.Errorf("%s is not this machine alone: a TLS certificate and keys are needed to listen there",
			s.Listen)
	}
	return nil
}

// loopback reports whether a host is this machine and nobody else's way to it.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Server is a running NATS server.
type Server struct{ s *server.Server }

// readyWithin is how long a server may take to start.
const readyWithin = 30 * time.Second

// maxPayload is the size of the largest message. Ours are smaller, see pieceSize,
// so that they fit a server with default settings too.
const maxPayload = 1 << 20

// StartServer starts a server. It syncs every write, unlike a nats-server by
// default, but for queues, see makeStreams.
func StartServer(ctx context.Context, s ServerSettings) (*Server, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	o, err := s.options()
	if err != nil {
		return nil, err
	}
	return s.start(ctx, o)
}

// start starts a server with these options.
func (s *ServerSettings) start(ctx context.Context, o *server.Options) (*Server, error) {
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	l := logger{s.Log, make(chan error, 1)}
	srv.SetLoggerV2(l, false, false, false)
	srv.Start()
	e := &Server{srv}
	fail := func(err error) (*Server, error) {
		e.Stop()
		return nil, errors.Join(fmt.Errorf("start server: it does not listen at %s", s.Listen), err)
	}
	for begun := time.Now(); !srv.ReadyForConnections(100*time.Millisecond) && len(l.fatal) == 0; {
		if err := ctx.Err(); err != nil || !srv.Running() || time.Since(begun) > readyWithin {
			return fail(err)
		}
	}
	select {
	case err := <-l.fatal:
		return fail(err)
	case l.fatal <- nil: // there is no more room, and later errors are told
	}
	if !srv.JetStreamEnabled() {
		e.Stop()
		return nil, fmt.Errorf("start server: no storage under %s", s.Store)
	}
	return e, nil
}

// options returns the options of settings that Check takes.
func (s *ServerSettings) options() (*server.Options, error) {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, err
	}
	n, _ := strconv.Atoi(port)
	if n == 0 {
		n = server.RANDOM_PORT
	}
	o := &server.Options{
		ServerName: "bgtrain", Host: host, Port: n, NoSigs: true, MaxPayload: maxPayload,
		JetStream: true, StoreDir: s.Store, SyncAlways: true,
	}
	if s.TLSCert != "" {
		cert, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
		if err != nil {
			return nil, fmt.Errorf("TLS certificate: %w", err)
		}
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
		o.TLS, o.TLSTimeout = true, 5
	}
	if len(s.Keys) > 0 {
		if err := o.ProcessConfigString(Accounts(s.Keys)); err != nil {
			return nil, fmt.Errorf("accounts of the keys: %w", err)
		}
	}
	return o, nil
}

// URL returns where clients find the server.
func (s *Server) URL() string { return s.s.ClientURL() }

// Stop ends the server and waits until its files are closed.
func (s *Server) Stop() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}

// logger passes on what a server warns of. An error that it cannot go on after goes to fatal, if there is room.
type logger struct {
	log   func(string)
	fatal chan error
}

func (l logger) say(kind, format string, v []any) {
	if l.log != nil {
		l.log(kind + fmt.Sprintf(format, v...))
	}
}

// The methods of the server's interface Logger: notices and traces are dropped.

// Noticef does nothing.
func (l logger) Noticef(string, ...any) {}

// Debugf does nothing.
func (l logger) Debugf(string, ...any) {}

// Tracef does nothing.
func (l logger) Tracef(string, ...any) {}

// Warnf passes on a warning.
func (l logger) Warnf(format string, v ...any) { l.say("warning: ", format, v) }

// Errorf passes on an error.
func (l logger) Errorf(format string, v ...any) { l.say("error: ", format, v) }

// Fatalf passes on an error that ends the server.
func (l logger) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- fmt.Errorf(format, v...):
	default:
		l.say("fatal: ", format, v)
	}
}
