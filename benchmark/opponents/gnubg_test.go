//go:build unix

package opponents

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bgtrain/internal/bg"
)

// fakeGNUbg is a shell script in the place of GNU Backgammon: requests come on
// descriptor 3, answers go to descriptor 4.
func fakeGNUbg(t *testing.T, script string) *GNUbg {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gnubg")
	// No process may be started meanwhile: it would hold the file open for writing,
	// and then it could not be executed.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return &GNUbg{Binary: path, Timeout: 5 * time.Second}
}

func TestGNUbgProtocol(t *testing.T) {
	g := fakeGNUbg(t, `test "$1 $2 $3 $4" = "-t -q -r -p" || exit
test "$PLY" = 2 || exit
test -s "$5" || exit
echo ready >&4
while read kind rest <&3; do
	case $kind in
	p) echo "8 5 6 5" >&4;;
	e) echo "0.5 0.25 0.125 0.0625 0" >&4;;
	esac
done
`)
	g.Ply = 2
	m, err := g.NewMover()
	if err != nil {
		t.Fatal(err)
	}
	after, err := m.Play(&bg.Start, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if after.Opp != (bg.Side{4: 2, 5: 4, 7: 2, 12: 5, 23: 2}) {
		t.Errorf("played %v", after.Opp)
	}
	o, err := m.(Evaluator).Evaluate(&bg.Start)
	if err != nil || o != (bg.Outputs{0.5, 0.25, 0.125, 0.0625, 0}) {
		t.Errorf("%v, %v", o, err)
	}
	// The same answer to another roll is no legal play.
	if _, err := m.Play(&bg.Start, 6, 5); err == nil || !strings.Contains(err.Error(), "not legal") {
		t.Errorf("error %v", err)
	}
	script := m.(*gnubgMover).process.script
	if err := m.(Closer).Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := os.Stat(script); !os.IsNotExist(err) {
		t.Errorf("script left behind: %v", err)
	}
}

func TestGNUbgTrouble(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"dies", "echo ready >&4; read x <&3; echo out of luck; exit 3",
			"the process ended: exit status 3; it said: out of luck"},
		{"hangs", "echo ready >&4; exec sleep 60", "no answer within 200ms"},
		{"error", "echo ready >&4; read x <&3; echo '! ValueError: bad' >&4; read x <&3",
			"error inside it: ValueError: bad"},
		{"nonsense", "echo ready >&4; read x <&3; echo 'a b' >&4; read x <&3", "no checker moves a/b"},
		{"no checker", "echo ready >&4; read x <&3; echo '10 9' >&4; read x <&3", "no checker moves 10/9"},
		{"never ready", "echo 'no Python in here' >&2; exit 1", "no Python in here"},
		{"greets", "echo hello >&4; read x <&3", `greeted with "hello"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := fakeGNUbg(t, c.script)
			g.Timeout = 200 * time.Millisecond
			if c.name != "hangs" {
				g.Timeout = 10 * time.Second
			}
			m, err := g.NewMover()
			if err == nil {
				_, err = m.Play(&bg.Start, 3, 1)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, %q expected", err, c.want)
			}
		})
	}
}

// A GNU Backgammon that ends in the middle of a match is started again, once.
func TestGNUbgIsStartedAgain(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	g := fakeGNUbg(t, "echo ready >&4; read x <&3; if test -e "+mark+"; then echo '8 5 6 5' >&4; read x <&3; "+
		"else touch "+mark+"; exit 1; fi")
	m, err := g.NewMover()
	if err != nil {
		t.Fatal(err)
	}
	defer m.(Closer).Close()
	after, err := m.Play(&bg.Start, 3, 1)
	if err != nil || after.Opp[4] != 2 {
		t.Errorf("%v, %v", after, err)
	}
}

// Several start one after another: each makes folders in a new home directory, and ends if they are there suddenly.
func TestGNUbgStartsOneByOne(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	g := fakeGNUbg(t, "mkdir "+folder+" || exit 1; sleep 0.05; rmdir "+folder+"; echo ready >&4; read x <&3; exit 0")
	errs := make(chan error)
	for range 4 {
		go func() {
			m, err := g.NewMover()
			if err == nil {
				err = m.(Closer).Close()
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestGNUbgMissing(t *testing.T) {
	g := &GNUbg{Binary: filepath.Join(t.TempDir(), "nothing")}
	if _, err := g.NewMover(); err == nil {
		t.Error("no error")
	}
}

func TestApplyPlay(t *testing.T) {
	b := bg.Board{Me: bg.Side{5: 1, 24: 1}, Opp: bg.Side{3: 1}}
	after, err := applyPlay(&b, "25 21 6 0")
	if err != nil || after.Opp != (bg.Side{20: 1}) || after.Me[bg.Bar] != 1 || after.Me[3] != 0 {
		t.Errorf("%v, %v", after, err)
	}
	if after, err := applyPlay(&b, ""); err != nil || after != b.Swapped() {
		t.Errorf("no play: %v, %v", after, err)
	}
	for _, bad := range []string{"25", "25 21 25 21", "26 20", "6 25", "6 -1", "x y", "6 5 5 4 4 3 3 2 2 1"} {
		if _, err := applyPlay(&b, bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
