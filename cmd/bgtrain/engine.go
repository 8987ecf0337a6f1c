package main

import (
	"context"
	"fmt"

	"bgtrain/internal/protocol"
	"bgtrain/internal/setting"
)

// engineAddress is where the gnubg protocol is answered without --listen: on this
// machine only.
const engineAddress = "127.0.0.1:8901"

func runEngine(ctx context.Context, e *env, args []string) error {
	f := newFlags(e, "engine [NET] --protocol gnubg|ubgi|ubgi-0.2 [flags]",
		`Lets other programs play against a net. With the protocol gnubg it answers GNU Backgammon,
which takes it for a player after 'set player 0 external 127.0.0.1:8901', and programs that
speak to GNU Backgammon's own socket. With ubgi, the Universal Backgammon Interface, it
answers positions (XGIDs or FIBS board lines) on standard input, or at --listen; ubgi-0.2 is
that interface as the arena bgci has it (0.1 and 0.2), with newgame, position, dice and go.`,
		"bgtrain engine default --protocol gnubg --ply 2")
	var b brainFlags
	var name string
	setting.List{{Name: "protocol", To: &name, Known: []string{"gnubg", "ubgi", "ubgi-0.2"},
		Help: "gnubg, ubgi or ubgi-0.2 (required)"}}.AddFlags(f)
	listen := f.String("listen", "", "answer connections at HOST:PORT; gnubg without it "+engineAddress)
	limits := protocol.DefaultLimits
	limits.List().AddFlags(f)
	b.add(f, false)
	if err := parseFlags(e, f, args); err != nil {
		return err
	}
	if err := b.netArgument(f); err != nil {
		return err
	}
	switch {
	case name == "":
		return usagef("--protocol gnubg, ubgi or ubgi-0.2 expected")
	case name == "gnubg" && *listen == "":
		*listen = engineAddress
	}
	brain, err := b.open(ctx, e)
	if err != nil {
		return err
	}
	speak := func() protocol.Protocol {
		switch name {
		case "gnubg":
			return protocol.GNUbg{Brain: brain()}
		case "ubgi":
			return protocol.UBGI{Brain: brain(), Name: "bgtrain " + b.player.Net, Version: version()}
		}
		return &protocol.Session{Brain: brain(), Name: "bgtrain " + b.player.Net, Version: version()}
	}
	if *listen == "" {
		return protocol.TalkUntil(ctx, e.Stdin, e.Stdout, speak())
	}
	return protocol.Listen(ctx, *listen, limits, speak, func(text string) { fmt.Fprintln(e.Stderr, text) })
}
