package main

import (
	"context"
	"fmt"
	"net"

	"bgtrain/benchmark/engine"
)

// engineAddress is where the gnubg protocol is answered without --listen: on this
// machine only.
const engineAddress = "127.0.0.1:8901"

// runEngine is the command engine.
func runEngine(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "engine [NET] --protocol gnubg|ubgi [flags]",
		`Lets other programs play against a net. With the protocol gnubg it answers GNU Backgammon,
which takes it for a player after 'set player 0 external 127.0.0.1:8901', and programs that
speak to GNU Backgammon's own socket. With ubgi, the Universal Backgammon Interface, it
answers positions (XGIDs or FIBS board lines) on standard input, or at --listen.`,
		"bgtrain engine default --protocol gnubg --ply 2")
	var b brainFlags
	protocol := f.String("protocol", "", "gnubg or ubgi (required)")
	listen := f.String("listen", "", "answer connections at HOST:PORT; gnubg without it "+engineAddress)
	limits := engine.DefaultLimits
	f.IntVar(&limits.Connections, "connections", limits.Connections, "connections at once; others wait")
	f.DurationVar(&limits.Idle, "idle", limits.Idle, "close a connection that says nothing for so long")
	b.add(f, false)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := b.netArgument(f); err != nil {
		return err
	}
	switch {
	case *protocol != "gnubg" && *protocol != "ubgi":
		return usagef("--protocol %q: gnubg or ubgi expected", *protocol)
	case limits.Connections < 1 || limits.Idle <= 0:
		return usagef("--connections and --idle: more than 0 expected")
	case *protocol == "gnubg" && *listen == "":
		*listen = engineAddress
	}
	brain, err := b.open(ctx, e)
	if err != nil {
		return err
	}
	speak := func() engine.Protocol {
		if *protocol == "gnubg" {
			return engine.GNUbg{Brain: brain()}
		}
		return engine.UBGI{Brain: brain(), Name: "bgtrain " + b.player.net, Version: version()}
	}
	if *listen == "" {
		done := make(chan error, 1)
		go func() { done <- engine.Talk(e.Stdin, e.Stdout, speak()) }()
		select {
		case err := <-done:
			return err
		case <-ctx.Done(): // a read from a terminal does not end with it
			return ctx.Err()
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", *listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.Stderr, "listening at %v\n", l.Addr())
	return engine.Serve(ctx, l, limits, speak, func(text string) { fmt.Fprintln(e.Stderr, text) })
}
