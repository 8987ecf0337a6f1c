package matchfile

import (
	"fmt"
	"strings"
)

// Problem is a mistake in a file and where it is. Its zero fields are not known.
type Problem struct {
	File   string
	Line   int   // from 1; 0 in a binary file
	Byte   int64 // offset in the file; in an .xg file that of the record in its game data
	Game   int   // number in the match, from 1
	Move   int   // as Action.Move
	Player string
	Err    error
}

// Error returns the place of the mistake and what it is:
//
//	a.mat:57 (byte 2412): game 3 move 12 (Alice): illegal play of 52: "8/1 3/2"
func (p *Problem) Error() string {
	var t strings.Builder
	t.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&t, ":%d", p.Line)
	}
	fmt.Fprintf(&t, " (byte %d): ", p.Byte)
	if p.Game > 0 {
		fmt.Fprintf(&t, "game %d", p.Game)
		if p.Move > 0 {
			fmt.Fprintf(&t, " move %d", p.Move)
		}
		if p.Player != "" {
			fmt.Fprintf(&t, " (%s)", p.Player)
		}
		t.WriteString(": ")
	}
	t.WriteString(p.Err.Error())
	return t.String()
}

// Unwrap returns what is wrong.
func (p *Problem) Unwrap() error { return p.Err }
