package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"bgtrain/data"
	"bgtrain/internal/parallel"
	"bgtrain/internal/serve"
	"bgtrain/rollout"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	player  playerFlags
	listen  string
	matches string
	rollout rollout.Options
	workers int
}

// serveGarbage is how many percent of the heap may be garbage. Most of the heap is the position
// cache, in which there is nothing to collect.
const serveGarbage = 10

func runServe(ctx context.Context, e *env, args []string) error {
	o := serveOptions{rollout: rollout.DefaultOptions()}
	o.rollout.Trials, o.rollout.Seed = 1296, 1
	f := newFlags(e, "serve [flags] [FILE…]",
		`Shows in a browser, and as they change: training runs (curves, rates), runs of grow
(strength against time, rounds, decisions, several over each other), databases by
class, plan and source, decisions of benchmark files with what the player does, and
a board to set up, with the plays of a roll, the cube and rollouts, by one net or by two
beside each other; matches against a net; all that over HTTP as JSON (/api/). A FILE is a
database, a benchmark file, a net (its curve is shown, also while it is trained), a
.curve.jsonl file, a directory of grow or a directory of these; without any, what
ships with the program. The first net judges, unless --net names another.
Only what is named can be read. It listens on this machine alone unless --listen
names another address; then the address that it prints has a token that is needed.`,
		"bgtrain serve my.safetensors train.parquet contact.bm")
	o.player.add(f)
	o.player.addFilters(f)
	f.StringVar(&o.listen, "listen", "127.0.0.1:8017", "address to listen on; port 0 for any that is free")
	f.StringVar(&o.matches, "matches", "", "directory in which the matches that are played are kept, as .mat")
	append(o.rollout.List("position", "the rollouts' dice").Without("ply", "deep-plies", "leaf-ply", "target-se", "luck",
		"picks"), parallel.Setting(&o.workers)).AddFlags(f)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := o.rollout.Check(); err != nil {
		return usageError{err}
	}
	if !f.Changed("net") {
		o.player.Net = serve.FirstNet(f.Args(), o.player.Net)
	}
	return o.serve(ctx, e, f.Args())
}

// serve listens until the context ends, which is how the command is meant to end.
func (o *serveOptions) serve(ctx context.Context, e *env, files []string) error {
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return usagef("--listen %s: HOST:PORT expected", o.listen)
	}
	if o.matches != "" {
		if err := os.MkdirAll(o.matches, 0o755); err != nil {
			return fmt.Errorf("--matches: %w", err)
		}
	}
	own, err := o.open(ctx, e, o.player.Net, o.player.CacheMB)
	if err != nil {
		return err
	}
	o.rollout.Small = own.Small
	s := serve.Settings{Player: own.Player, Name: filepath.Base(o.player.Net), NetPath: o.player.Net, Rollout: o.rollout,
		Matches: o.matches, Nets: data.NetNames(), Files: files, Workers: o.workers}
	s.OpenNet = func(ctx context.Context, path string) (serve.Opened, error) {
		return o.open(ctx, &env{Stdout: io.Discard, Stderr: io.Discard}, path, o.player.CacheMB/4)
	}
	if s.Workers == 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		s.Token = rand.Text()
		s.Hosts = hostNames(host)
	}
	server, err := serve.New(s)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	address := url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/"}
	if s.Token != "" {
		address.RawQuery = url.Values{"token": {s.Token}}.Encode()
	}
	fmt.Fprintf(e.Stdout, "%s\n", &address)
	defer debug.SetGCPercent(debug.SetGCPercent(serveGarbage))
	return server.Serve(ctx, l)
}

// open opens a net as the flags let a player evaluate, with a cache of so many MiB.
func (o *serveOptions) open(ctx context.Context, e *env, net string, cacheMB int) (n serve.Opened, err error) {
	p := o.player
	p.Net, p.CacheMB = net, cacheMB
	if n.Player, err = p.open(ctx, e); err != nil {
		return n, err
	}
	n.Small, err = p.openSmall(n.Player)
	return n, err
}

// hostNames are the names by which a server that listens on host is asked for: its
// own, or where it listens on every address, all addresses of the machine.
func hostNames(host string) []string {
	ip := net.ParseIP(host)
	if host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var names []string
	addresses, _ := net.InterfaceAddrs() // none: only this machine's own names
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok {
			names = append(names, n.IP.String())
		}
	}
	return names
}
