package protocol

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"bgtrain/data"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/internal/player"
)

// testPlayer is the embedded starting net, which is small.
var testPlayer = sync.OnceValues(func() (*player.Player, error) {
	set, _, err := data.Net("td")
	if err != nil {
		return nil, err
	}
	db, err := bearoff.Open(context.Background(), bearoff.Options{TwoSidedCheckers: 4})
	if err != nil {
		return nil, err
	}
	return player.New(set, db, player.Options{})
})

func newBrain(t testing.TB) *Brain {
	t.Helper()
	p, err := testPlayer()
	if err != nil {
		t.Fatal(err)
	}
	table, err := met.Open("")
	if err != nil {
		t.Fatal(err)
	}
	return &Brain{Evaluator: p.NewEvaluator(), Model: cube.GNUbg{}, Table: table}
}

// Lines that GNU Backgammon 1.07 sent.
const (
	gnubgDance   = "board:gnubg:root:5:1:2:-1:-1:0:0:2:0:4:0:3:0:0:0:-4:4:0:0:0:-4:0:-5:1:0:0:1:0:0:-1:6:6:6:6:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
	gnubgRoll    = "\x00board:gnubg:root:3:0:0:0:-1:-1:0:0:0:5:0:3:0:0:0:-4:6:0:0:-1:-3:0:-5:0:0:0:0:1:0:-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
	gnubgPlay    = "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
	gnubgDoubled = "board:root:gnubg:3:0:0:0:-2:2:5:2:2:2:1:0:0:0:0:0:0:0:-1:-1:0:-2:-3:-2:-2:-2:0:1:0:-1:0:0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1"
)

func TestParseFIBSBoard(t *testing.T) {
	f, err := ParseFIBSBoard(strings.Trim(gnubgRoll, "\x00"))
	if err != nil {
		t.Fatal(err)
	}
	want := bg.Start
	want.Me[23], want.Me[22], want.Me[12], want.Me[8] = 1, 1, 4, 1 // has played 13/9 24/23
	want.Opp[23], want.Opp[12] = 1, 6                              // 24/13
	if f.Board != want || f.Mine || f.Dice != [2]int{} || f.Length != 3 || f.Cube != 1 || f.Doubled || f.Crawford {
		t.Errorf("%+v\n%s", f, f.Board.Draw())
	}
	f, err = ParseFIBSBoard(gnubgDoubled)
	if err != nil || !f.Doubled || f.Cube != 2 || f.MayDouble != [2]bool{false, true} {
		t.Errorf("%+v, %v", f, err)
	}
	// The other direction and color, as the server itself may choose.
	you := "board:You:opp:5:4:2:0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0:1:6:3:0:0:1:1:1:0:1:1:25:0:0:0:0:0:2:0:0:0"
	f, err = ParseFIBSBoard(you)
	if err != nil || f.Board != bg.Start || !f.Mine || f.Dice != [2]int{6, 3} || !f.Crawford ||
		f.Names != [2]string{"You", "opp"} {
		t.Errorf("%+v, %v", f, err)
	}
	for _, bad := range []string{
		"", "board:", "board:a:b", "board:a:b:1:0", strings.Replace(you, ":5:", ":x:", 1), strings.Replace(you,
			"0:2:0", "0:16:0", 1),
		strings.Replace(you, "6:3", "7:3", 1), strings.Replace(you, "6:3", "6:0", 1), strings.Replace(you, "5:4:2",
			"5:5:2", 1),
		strings.Replace(you, "0:0:1:1:1:0:1:1", "0:0:3:1:1:0:1:1", 1), strings.Replace(you, "1:0:1:1:25",
			"1:0:2:1:25", 1),
	} {
		if _, err := ParseFIBSBoard(bad); err == nil {
			t.Errorf("%q read", bad)
		}
	}
}

func TestGNUbgAnswers(t *testing.T) {
	g := GNUbg{newBrain(t)}
	for _, tt := range []struct{ line, want string }{
		{gnubgPlay, "8/5 6/5"},
		{gnubgRoll, "roll"},
		{gnubgDoubled, "take"},
		{"fibsboard " + gnubgPlay, "8/5 6/5"},
		{"", ""},
		{gnubgDance, "\n"},
		{"version", "bgtrain: *"},
		{"evaluation fibsboard " + gnubgPlay + " plies 1 cube off prune", "0.*"},
		{"evaluation fibsboard " + gnubgPlay + " plies 9", "Error (*"},
		{"evaluation", "Error (*"},
		{"what?", "Error (*"},
		{"board:a:b:c", "Error (*"},
		{strings.Repeat("x", 3000), "Error (*"},
	} {
		got, err := g.Answer(tt.line)
		if prefix, ok := strings.CutSuffix(tt.want, "*"); err != nil || !ok && got != tt.want ||
			!strings.HasPrefix(got, prefix) {
			t.Errorf("%.60q: %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
	if _, err := g.Answer("exit"); err != ErrQuit {
		t.Errorf("exit: %v", err)
	}
}

func TestUBGIAnswers(t *testing.T) {
	u := UBGI{newBrain(t), "bgtrain td", "1"}
	for _, tt := range []struct{ line, want string }{
		{"ubgi", "id name bgtrain td\nid author the bgtrain authors\nid version 1\nreadyok"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "8/5 6/5"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "roll"},
		{"XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10", "take"},
		{gnubgPlay, "8/5 6/5"},
		{"XGID=bBBBBBB-----------------aA:0:0:1:52:0:0:0:0:10", "bar/20 20/18*"},
		{"XGID=ABBB--------------abbbbbb-:0:0:-1:66:0:0:0:0:10", "*"},
		{"nonsense", "sorry*"},
		{"XGID=nonsense", "sorry*"},
		{"position", "sorry*"},
		{"stop", "readyok"},
	} {
		got, err := u.Answer(tt.line)
		if prefix, ok := strings.CutSuffix(tt.want, "*"); err != nil || !ok && got != tt.want ||
			!strings.HasPrefix(got, prefix) {
			t.Errorf("%q: %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
	// A player who cannot move answers with an empty line.
	var out bytes.Buffer
	in := "XGID=-BBBBBB-----------------ab:0:0:-1:00:0:0:0:0:10\nquit\nubgi\n"
	in = "XGID=-BBBBBB---------------A-b-:0:0:1:66:0:0:0:0:10\n" + in
	if err := Talk(strings.NewReader(in), &out, u); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "id name") {
		t.Errorf("answered after quit: %q", out.String())
	}
	out.Reset()
	dance := "XGID=aBBBBBB-----------------bA:0:0:-1:66:0:0:0:0:10\nstop\n"
	if err := Talk(strings.NewReader(dance), &out, u); err != nil || out.String() != "\nreadyok\n" {
		t.Errorf("dance: %q, %v", out.String(), err)
	}
}

func TestTalkLongLine(t *testing.T) {
	var out bytes.Buffer
	in := strings.Repeat("board:", 5000) + "\nversion\n"
	if err := Talk(strings.NewReader(in), &out, GNUbg{newBrain(t)}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "Error (") || !strings.HasPrefix(lines[1], "bgtrain") {
		t.Errorf("%q", lines)
	}
}

// TestServeLimits connects more often than the server lets at once, and idles.
func TestServeLimits(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	limits := Limits{Connections: 1, Idle: 200 * time.Millisecond}
	go func() { done <- Serve(ctx, l, limits, func() Protocol { return GNUbg{newBrain(t)} }, nil) }()
	var conns []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
		fmt.Fprintln(c, "version")
	}
	// Each is answered in its turn: the one before is closed when it has idled.
	for i, c := range conns {
		c.SetReadDeadline(time.Now().Add(time.Minute))
		buf := make([]byte, 100)
		if n, err := c.Read(buf); err != nil || !strings.HasPrefix(string(buf[:n]), "bgtrain") {
			t.Fatalf("connection %d: %q, %v", i, buf[:n], err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func FuzzFIBSBoard(f *testing.F) {
	f.Add(gnubgPlay)
	f.Add(gnubgDoubled)
	f.Fuzz(func(t *testing.T, line string) {
		b, err := ParseFIBSBoard(line)
		if err != nil {
			return
		}
		if err := b.Board.Check(); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzUBGI(f *testing.F) {
	f.Add("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
	f.Add(gnubgDoubled)
	f.Add("ubgi")
	u := UBGI{Brain: newBrain(f)}
	f.Fuzz(func(t *testing.T, line string) { u.Answer(line) })
}

func FuzzGNUbg(f *testing.F) {
	f.Add(gnubgRoll)
	f.Add("evaluation fibsboard " + gnubgPlay + " plies 0")
	g := GNUbg{newBrain(f)}
	f.Fuzz(func(t *testing.T, line string) {
		if !strings.Contains(line, "plies 2") {
			g.Answer(line)
		}
	})
}
