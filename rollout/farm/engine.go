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

// EngineSettings say how an engine inside this program runs.
type EngineSettings struct {
	Listen  string // HOST:PORT; port 0 takes a free one
	Store   string // directory of its files
	TLSCert string // files, "" for no TLS
	TLSKey  string
	Keys    []Key // who may come in; none lets everybody in
	Cluster *Cluster

	Log func(line string) `json:"-"` // warnings and errors of the server; may be nil
}

// Cluster makes an engine a node of several.
type Cluster struct {
	Name   string   // of this node
	Listen string   // HOST:PORT for the other nodes
	Routes []string // URLs of the other nodes, nats://HOST:PORT
}

// Check refuses an engine that others could reach unprotected.
func (s *EngineSettings) Check() error {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return fmt.Errorf("address %q: HOST:PORT expected", s.Listen)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("address %q: HOST:PORT expected", s.Listen)
	}
	switch {
	case s.Store == "":
		return errors.New("no directory for the engine's files")
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return errors.New("a TLS certificate and its key belong together")
	case !loopback(host) && (s.TLSCert == "" || len(s.Keys) == 0):
		return fmt.Errorf("%s is not this machine alone: a TLS certificate and keys are needed to listen there",
			s.Listen)
	}
	if s.Cluster != nil {
		if host, _, err := net.SplitHostPort(s.Cluster.Listen); err != nil || !loopback(host) {
			return fmt.Errorf("cluster address %q: only loopback, to try it out; run nats-server for a cluster of "+
				"machines", s.Cluster.Listen)
		}
	}
	return nil
}

// loopback tells whether a host is this machine and nobody else's way to it.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Engine is a running engine.
type Engine struct{ s *server.Server }

// readyWithin is how long an engine may take to start.
const readyWithin = 30 * time.Second

// maxPayload is the size of the largest message. Ours are smaller, see pieceSize,
// so that they fit a server with default settings too.
const maxPayload = 1 << 20

// StartEngine starts an engine. It syncs every write, unlike a nats-server by
// default, but for queues, see ensureStreams.
func StartEngine(ctx context.Context, s EngineSettings) (*Engine, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	o, err := s.options()
	if err != nil {
		return nil, err
	}
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("start engine: %w", err)
	}
	srv.SetLoggerV2(logger{s.Log}, false, false, false)
	srv.Start()
	e := &Engine{srv}
	for begun := time.Now(); !srv.ReadyForConnections(100 * time.Millisecond); {
		if err := ctx.Err(); err != nil || !srv.Running() || time.Since(begun) > readyWithin {
			e.Stop()
			return nil, errors.Join(fmt.Errorf("start engine: it does not listen at %s", s.Listen), err)
		}
	}
	if !srv.JetStreamEnabled() {
		e.Stop()
		return nil, fmt.Errorf("start engine: no storage under %s", s.Store)
	}
	return e, nil
}

// options returns the server's options.
func (s *EngineSettings) options() (*server.Options, error) {
	host, port, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
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
	for _, k := range s.Keys {
		publish, subscribe := permissions(k.Role, k.Public)
		o.Nkeys = append(o.Nkeys, &server.NkeyUser{Nkey: k.Public, Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe},
		}})
	}
	if s.Cluster == nil {
		return o, nil
	}
	o.ServerName = s.Cluster.Name
	host, port, err = net.SplitHostPort(s.Cluster.Listen)
	if err != nil {
		return nil, err
	}
	if o.Cluster.Port, err = strconv.Atoi(port); err != nil {
		return nil, fmt.Errorf("cluster address %q: %w", s.Cluster.Listen, err)
	}
	o.Cluster.Name, o.Cluster.Host = "bgtrain", host
	for _, r := range s.Cluster.Routes {
		u, err := parseURL(r)
		if err != nil {
			return nil, err
		}
		o.Routes = append(o.Routes, u)
	}
	return o, nil
}

// URL returns where clients find the engine.
func (e *Engine) URL() string { return e.s.ClientURL() }

// Stop ends the engine and waits until its files are closed.
func (e *Engine) Stop() {
	e.s.Shutdown()
	e.s.WaitForShutdown()
}

// logger passes on what a server warns of.
type logger struct{ log func(string) }

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
func (l logger) Fatalf(format string, v ...any) { l.say("fatal: ", format, v) }
