package matchfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// readBytes reads one match of a text or file.
func readBytes(t *testing.T, name string, data []byte) *Match {
	t.Helper()
	ms, err := readSlice(name, data)
	if err != nil {
		t.Fatal(err)
	}
	if len(ms) != 1 {
		t.Fatalf("%s: %d matches", name, len(ms))
	}
	return ms[0]
}

func readSlice(name string, data []byte) (ms []*Match, err error) {
	err = Read(bytes.NewReader(data), name, Unknown, Handler{Match: func(m *Match) error {
		ms = append(ms, m)
		return nil
	}})
	return ms, err
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFormatsAgree reads a match as GNU Backgammon wrote it in two formats, and
// written again as .mat, as .xg of two versions, with CRLF, a byte-order mark.
func TestFormatsAgree(t *testing.T) {
	mat := fixture(t, "gnubg.mat")
	want := readBytes(t, "gnubg.mat", mat)
	if len(want.Games) < 4 || want.Length != 7 {
		t.Fatalf("%d games of a match of %d points", len(want.Games), want.Length)
	}
	want.Line, want.Date = 0, ""
	var again bytes.Buffer
	if err := WriteMat(&again, want); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"gnubg.sgf": fixture(t, "gnubg.sgf"),
		"again.mat": again.Bytes(),
		"crlf.mat":  append([]byte("\ufeff"), bytes.ReplaceAll(mat, []byte("\n"), []byte("\r\n"))...),
		"new.xg":    xgFile(want, 32),
		"old.xg":    xgFile(want, 20),
	}
	for name, data := range files {
		got := readBytes(t, name, data)
		got.Line, got.Date = 0, ""
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s", name, firstDifference(got, want))
		}
	}
}

func firstDifference(got, want *Match) string {
	for i := range min(len(got.Games), len(want.Games)) {
		g, w := &got.Games[i], &want.Games[i]
		for k := range min(len(g.Actions), len(w.Actions)) {
			if g.Actions[k] != w.Actions[k] {
				return fmt.Sprintf("game %d action %d: %+v, want %+v", i+1, k, g.Actions[k], w.Actions[k])
			}
		}
		if len(g.Actions) != len(w.Actions) || g.Winner != w.Winner || g.Points != w.Points ||
			g.Resigned != w.Resigned ||
			g.Crawford != w.Crawford || g.Score != w.Score {
			return fmt.Sprintf("game %d: %d actions, winner %d, %d points, resigned %t, Crawford %t, score %v; "+
				"want %d, %d, %d, %t, %t, %v",
				i+1, len(g.Actions), g.Winner, g.Points, g.Resigned, g.Crawford, g.Score,
				len(w.Actions), w.Winner, w.Points, w.Resigned, w.Crawford, w.Score)
		}
	}
	return fmt.Sprintf("%+v, want %+v", Match{Players: got.Players, Length: got.Length, Event: got.Event},
		Match{Players: want.Players, Length: want.Length, Event: want.Event})
}

// game is a game of a test, as text.
func matText(rows string) []byte {
	return []byte(" 3 point match\n\n Game 1\n Zoë Ω : 0                    Bob the 2nd : 0\n" + rows)
}

func TestMatDialects(t *testing.T) {
	tests := []struct {
		name, rows string
		want       string // kinds of actions with players and moves
		winner     int
		points     int
	}{
		{"the left begins", "  1) 31: 8/5 6/5                 52: 13/11 13/8\n", "play0@1 play1@1 look0@2", None, 0},
		{"the right begins", "  1)                             31: 8/5 6/5\n  2) 52: 13/11 13/8\n",
			"play1@1 play0@2 look1@2", None, 0},
		{"words for plays", "  1) 31: 8/5(1) 6/5            61: 13/7 8/7\n  2) 66: Cannot Move\n", "problem", None, 0},
		{"capitals and stars", "  1) 21: 13/11 6/5              41: 24/20* 24/23\n  2) 31: Bar/22 6/5\n",
			"play0@1 play1@1 play0@2 look1@2", None, 0},
		{"a play in one move", "  1) 65: 24/13                61: 13/7 8/7\n", "play0@1 play1@1 look0@2", None, 0},
		{"doubles and drops", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops                       " +
			"Wins 1 point\n", "play0@1 double1@1 drop0@2", 1, 1},
		{"the win in a line of its own",
			"  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n                                  Wins " +
				"1 point\n", "play0@1 double1@1 drop0@2", 1, 1},
		{"other words for the cube", "  1) 31: 8/5 6/5                  Redoubles => 2\n  2)  Accepts              " +
			"     52: 13/11 13/8\n", "play0@1 double1@1 take0@2 play1@2 look0@3", None, 0},
		{"words without an s", "  1) 31: 8/5 6/5                  Double => 2\n  2)  Pass                        " +
			"Win 1 point\n", "play0@1 double1@1 drop0@2", 1, 1},
		{"resignation", "  1) 31: 8/5 6/5                 52: 13/11 13/8\n  2) 33: ????\n                          " +
			"        Wins 2 points\n", "play0@1 play1@1 roll0@2", 1, 2},
		{"resignation before a roll", "  1) 31: 8/5 6/5                 52: 13/11 13/8\n      Wins 3 points and " +
			"the match\n", "play0@1 play1@1 look0@2", 0, 3},
		{"dice and no play yet", "  1) 31: 8/5 6/5                 52: \n", "play0@1 roll1@1", None, 0},
		{"no blank after the number", "  1)31: 8/5 6/5                 52:13/11 13/8\n", "play0@1 play1@1 look0@2",
			None, 0},
		{"beaver", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4              52: 13/11 13/8\n",
			"play0@1 double1@1 beaver0@2 play1@2 look0@3", None, 0},
		{"beaver and raccoon", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4                " +
			"Raccoons => 8\n  3)  Takes                     52: 13/11 13/8\n", "play0@1 double1@1 beaver0@2 " +
			"beaver1@2 take0@3 play1@3 look0@4", None, 0},
		{"a beaver dropped", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Beavers => 4               " +
			" Drops\n", "play0@1 double1@1 beaver0@2 drop1@2", 0, 2},
	}
	for _, tt := range tests {
		ms, err := readSlice(tt.name, matText(tt.rows))
		got := "problem"
		if err == nil {
			g := &ms[0].Games[0]
			var kinds []string
			for i := range g.Actions {
				kinds = append(kinds, fmt.Sprintf("%v%d@%d", g.Actions[i].Kind, g.Actions[i].Player, g.Actions[i].Move))
			}
			got = strings.Join(kinds, " ")
			if g.Winner != tt.winner || g.Points != tt.points || ms[0].Players != [2]string{"Zoë Ω", "Bob the 2nd"} {
				t.Errorf("%s: winner %d, %d points, players %q", tt.name, g.Winner, g.Points, ms[0].Players)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestProblems checks what errors say: file, line, byte, game, move and player.
func TestProblems(t *testing.T) {
	tests := []struct{ name, rows, want string }{
		{"illegal", "  1) 31: 8/5 6/5                 52: 13/11 13/9\n",
			`a.mat:5 (byte 72): game 1 move 1 (Bob the 2nd): "13/11 13/9": illegal play of 52, from sGfwATDgc/ABMA`},
		{"moved twice", "  1) 31: 8/5 6/5\n  2) 52: 13/11 13/8             31: 8/5 6/5\n",
			"a.mat:6 (byte 89): game 1 move 1 (Zoë Ω): it is the other player's turn"},
		{"no play", "  1) 31: ????                    52: 13/11 13/8\n",
			"game 1 move 1 (Bob the 2nd): no play follows the roll of 31 before"},
		{"take of nothing", "  1) 31: 8/5 6/5                  Takes\n", "nobody has doubled"},
		{"roll instead of an answer", "  1) 31: 8/5 6/5                  Doubles => 2\n  2) 52: 13/11 13/8\n",
			"a double waits for an answer"},
		{"double twice", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes                       " +
			"Doubles => 4\n", "the other player owns the cube"},
		{"words", "  1) 31: 8/5 6/5                 52: eight five\n", `"eight" is no point`},
		{"not a row", "  1) 31: 8/5 6/5\n and then?\n", `a.mat:6 (byte 89): "and then?" is no row of a game`},
		{"three in a row", "  1) 31: 8/5 6/5    52: 13/11 13/8   41: 6/1\n", "3 actions in a row"},
		{"the wrong winner", "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n      Wins 1 point\n",
			"the file gives the win to the player who lost"},
	}
	for _, tt := range tests {
		_, err := readSlice("a.mat", matText(tt.rows))
		var p *Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := readSlice("a.mat", matText(tests[0].rows)); !errors.Is(err, bg.ErrIllegalPlay) {
		t.Errorf("%v is no illegal play", err)
	}
}

// TestGoOnAfterProblem leaves the rest of a game out, and reads the next one.
func TestGoOnAfterProblem(t *testing.T) {
	text := matText("  1) 31: 8/5 6/5                 52: 13/11 13/9\n  2) 31: 8/5 6/5\n\n Game 2\n A : 0   B : " +
		"1\n  1) 31: 8/5 6/5\n")
	problems := 0
	var m *Match
	err := Read(bytes.NewReader(text), "a.mat", Unknown, Handler{
		Match:   func(got *Match) error { m = got; return nil },
		Problem: func(*Problem) error { problems++; return nil },
	})
	if err != nil || problems != 1 || len(m.Games) != 2 || len(m.Games[0].Actions) != 1 ||
		len(m.Games[1].Actions) != 2 {
		t.Fatalf("%v, %d problems, match %+v", err, problems, m)
	}
}

// TestCrawford looks at the games of a match to 3: doubling is off in the first
// one in which a player needs a point, and in no other.
func TestCrawford(t *testing.T) {
	game := func(n, a, b int, rows string) string {
		return fmt.Sprintf("\n Game %d\n A : %d      B : %d\n%s", n, a, b, rows)
	}
	text := " 3 point match\n" + game(1, 0, 0, "      Wins 2 points\n") + game(2, 2, 0,
		"            Wins 1 point\n") + game(3, 2, 1, "")
	m := readBytes(t, "c.mat", []byte(text))
	if m.Games[0].Crawford || !m.Games[1].Crawford || m.Games[2].Crawford {
		t.Errorf("Crawford %t %t %t", m.Games[0].Crawford, m.Games[1].Crawford, m.Games[2].Crawford)
	}
	m = readBytes(t, "c.mat", []byte("; [Crawford \"Off\"]\n"+text))
	if m.Games[1].Crawford {
		t.Error("Crawford game in a match without")
	}
}

func TestSGF(t *testing.T) {
	head := "(;FF[4]GM[6]MI[length:5][game:0][ws:1][bs:2]PW[A\\]b]PB[C]RU[Crawford]"
	tests := []struct{ name, text, want string }{
		{"plays", head + ";W[31hefe];B[64aglp])", "play0 play1 look0"},
		{"dice set", head + ";PL[B]DI[31])", "roll1"},
		{"dice set and played", head + ";PL[B]DI[31];B[31qtst])", "play1 look0"},
		{"the first variation", head + ";W[31hefe](;B[64aglp](;W[double];B[drop])(;W[52]))(;B[double]))",
			"play0 play1 double0 drop1"},
		{"a position set up", head + ";AE[a:y]AW[f][f][y]AB[s][s]PL[W];W[61yxxr])", "play0 look1"},
		{"a beaver", head + ";W[31hefe];B[double];W[double];B[take])", "play0 double1 beaver0 take1 look1"},
		{"not backgammon", "(;FF[4]GM[1])", "error"},
		{"cut off", head + ";W[31hefe", "error"},
		{"cut off in the tree", head + ";W[31hefe]", "error"},
		{"illegal", head + ";W[31hehe])", "error"},
		{"no letters", head + ";W[31h1fe])", "error"},
		{"the point is held", head + ";AW[a][a][a];W[31hefe])", "error"},
		{"dice", head + ";W[71hefe])", "error"},
		{"more than one game", head + ";W[31hefe])" + strings.Replace(head, "game:0", "game:1", 1) + ";B[31qtst])",
			"play0 look1 | play1 look0"},
	}
	for _, tt := range tests {
		ms, err := readSlice(tt.name, []byte(tt.text))
		got := "error"
		if err == nil {
			var games []string
			for i := range ms[0].Games {
				var kinds []string
				for _, a := range ms[0].Games[i].Actions {
					kinds = append(kinds, fmt.Sprintf("%v%d", a.Kind, a.Player))
				}
				games = append(games, strings.Join(kinds, " "))
			}
			got = strings.Join(games, " | ")
			if ms[0].Players != [2]string{"A]b", "C"} || ms[0].Games[0].Score != [2]int{1, 2} {
				t.Errorf("%s: %q at %v", tt.name, ms[0].Players, ms[0].Games[0].Score)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestXGDamage flips bytes of an .xg file all over its archive, and cuts it off:
// each time the reader has to notice.
func TestXGDamage(t *testing.T) {
	m := readBytes(t, "gnubg.mat", fixture(t, "gnubg.mat"))
	m.Games = m.Games[:1]
	data := xgFile(m, 32)
	if _, err := readSlice("a.xg", data); err != nil {
		t.Fatal(err)
	}
	for i := xgHeaderSize + len("a picture"); i < len(data)-xgTailSize+20; i += 1 + len(data)/400 {
		bad := bytes.Clone(data)
		bad[i] ^= 0x10
		if _, err := readSlice("a.xg", bad); err == nil && i != len(data)-xgTailSize+8 {
			t.Errorf("byte %d of %d changed, and nothing noticed", i, len(data))
		}
	}
	for n := 4; n < len(data); n += 1 + len(data)/50 {
		if _, err := readSlice("a.xg", data[:n]); err == nil {
			t.Errorf("cut off after %d of %d bytes, and nothing noticed", n, len(data))
		}
	}
}

// TestXGWrongRecords changes the game data under right checksums.
func TestXGWrongRecords(t *testing.T) {
	m := readBytes(t, "gnubg.mat", fixture(t, "gnubg.mat"))
	m.Games = m.Games[:1]
	var w xgWriter
	head := w.record(xgMatchHead)
	put(head, 92, 7)
	put(head, 552, 32)
	put(head, 556, xgRecordMagic)
	w.game(&m.Games[0])
	move := -1
	for at := 0; at < len(w.data); at += xgRecordSize {
		if w.data[at+8] == xgMove {
			move = at
			break
		}
	}
	tests := []struct {
		name   string
		at     int
		change byte
		want   string
	}{
		{"kind", move + 8, 9, "unknown kind 9"},
		{"dice", move + 100, 9, "dice 9"},
		{"position", move + 9 + 6, 4, "does not follow"},
		{"result", move + 35 + 6, 16, "16 checkers"},
		{"mark", 556, 0, "record mark"},
		{"hypergammon", 96, 2, "hypergammon"},
		{"length", 93, 0x7f, "points"},
		{"player", move + 64, 7, "player 7"},
	}
	for _, tt := range tests {
		bad := bytes.Clone(w.data)
		bad[tt.at] = tt.change
		if _, err := readSlice("a.xg", xgContainer(bad)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestXGPosition reads a single position, as .xgp files hold: set up, rolled, not
// played, the cube turned.
func TestXGPosition(t *testing.T) {
	board, err := bg.ParsePosition("b5sFABI59zYAAA")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Action{
		{Kind: Roll, Player: 1, Move: 1, Board: board, Cube: Cube{2, 0}, Dice: [2]int{4, 2}},
		{Kind: Look, Player: 0, Move: 1, Board: board, Cube: Cube{4, 1}},
	} {
		m := &Match{Length: 5, Games: []Game{{Number: 1, Actions: []Action{want}, Winner: None}}}
		got := readBytes(t, "a.xgp", xgFile(m, 32)).Games[0]
		if len(got.Actions) != 1 || got.Actions[0] != want || got.Winner != None {
			t.Errorf("%+v, want %+v", got.Actions, want)
		}
	}
}

func TestIDs(t *testing.T) {
	text := `# positions
4HPwATDgc/ABMA
4HPwATDgc/ABMA:cAkVAAAAAAAA with a comment
OAHDPAABDAOAHDPAABDA
XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10
`
	ms, err := readSlice("ids.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range ms {
		a := &m.Games[0].Actions[0]
		if a.Board != bg.Start {
			t.Errorf("line %d: %s", m.Line, a.Board.Key())
		}
		got = append(got, fmt.Sprintf("%d %v %d%d", m.Line, a.Kind, a.Dice[0], a.Dice[1]))
	}
	if want := "2 look 00, 3 roll 25, 4 look 00, 5 roll 52"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
	if _, err := readSlice("ids.txt", []byte("4HPwATDgc/ABMA\n4HPwATDgc/ABM!\n")); err == nil ||
		!strings.Contains(err.Error(), "ids.txt:2 (byte 15)") {
		t.Errorf("bad ID: %v", err)
	}
}

func TestNotAMatch(t *testing.T) {
	for _, text := range []string{"", "hello\n", "(;", "7 point match\n", "RGMH",
		strings.Repeat("7 point match\n Game 1\n", 2)} {
		if ms, err := readSlice("x", []byte(text)); err == nil && len(ms) > 0 && len(ms[0].Games[0].Actions) > 0 {
			t.Errorf("%q read as a match", text)
		}
	}
	if _, err := readSlice("x.mat", append(matText("  1) "), bytes.Repeat([]byte("x"), 2*maxLine)...)); err == nil ||
		!strings.Contains(err.Error(), "longer than") {
		t.Errorf("long line: %v", err)
	}
}

func TestWriteBoards(t *testing.T) {
	rec, err := NewRecorder(&Match{Players: [2]string{"Ann", "Bob"}, Length: 3, Round: "game 1"})
	if err != nil {
		t.Fatal(err)
	}
	var plays bg.Plays
	b := bg.Start
	for _, err := range []error{rec.BeginGame(), rec.Roll(1, 6, 5, plays.Generate(&b, 6, 5)[0])} {
		if err != nil {
			t.Fatal(err)
		}
	}
	after, _, _ := rec.Position()
	reply, err := plays.Find(&after, 3, 1, []bg.Step{{From: 8, To: 5}, {From: 6, To: 5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{rec.Roll(0, 3, 1, reply), rec.Double(1), rec.Drop(0)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	if err := WriteBoards(&text, rec.Match()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	for i, want := range map[int]string{
		0:  "X Ann against O Bob, game 1, game 1 of a match to 3, 0-0",
		15: "  2. X Ann 31: 8/5 6/5",
		27: "| O           X    |   | X  X           O |  X Ann: 163 pips, 0 off",
		28: "+12-11-10--9--8--7-------6--5--4--3--2--1-+",
		29: "  2. O Bob doubles to 2",
		30: "  3. X Ann drops",
		31: "O Bob wins 1 point",
	} {
		if i >= len(lines) || strings.TrimSpace(lines[i]) != strings.TrimSpace(want) {
			t.Errorf("line %d is %q, want %q\n%s", i, lines[i], want, text.String())
		}
	}
}
