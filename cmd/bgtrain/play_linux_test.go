package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// play has colors on a terminal, none with NO_COLOR or on a terminal without, and none
// where its output is no terminal.
func TestPlayColors(t *testing.T) {
	const args = "play td --length 1 --ply 0 --seed 2 --two-sided -1"
	for environment, want := range map[string]bool{"TERM=xterm": true, "NO_COLOR=1": false, "TERM=dumb": false} {
		master, slave := terminal(t)
		c := child(t.TempDir(), args)
		c.Env = append(c.Env, "NO_COLOR=", "TERM=xterm", environment)
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader("hint\nquit\n"), slave, slave
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		slave.Close()
		var shown bytes.Buffer
		_, _ = io.Copy(&shown, master) // it ends with an error when the child closes its end
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, &shown)
		}
		if got := strings.Contains(shown.String(), "\x1b[32m X \x1b[0m"); got != want ||
			!strings.Contains(shown.String(), "you roll") {
			t.Errorf("%s: colors %v, want %v:\n%s", environment, got, want, &shown)
		}
	}
	c := child(t.TempDir(), args)
	c.Env = append(os.Environ(), c.Env[len(c.Env)-1], "NO_COLOR=", "TERM=xterm")
	c.Stdin = strings.NewReader("hint\nquit\n")
	if out, err := c.Output(); err != nil || bytes.Contains(out, []byte("\x1b")) || !bytes.Contains(out, []byte("you roll")) {
		t.Errorf("%v: %q", err, out)
	}
}
