package protocol

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bgtrain/internal/bg"
)

// Conversations with a session: > is what a controller says, < an answer, in which * stands
// for any rest of a line. The first is what 'bgci check' of 0.2 sends, the second what bgci
// of 0.1 sends for the first plays of a duel, the others are by the specifications.
var dialogues = []string{`
> ubgi
< id name bgtrain td
< id author the bgtrain authors
< id version 1
< proto 0.2
< key game.variant enum backgammon backgammon
< key engine.ply int 0..3 0 look-ahead
< key engine.deterministic bool true ! the same answers again
< option name Variant type combo default backgammon var backgammon
< option name Ply type spin min 0 max 3
< option name Deterministic type check default true
< ubgiok
> isready
< readyok
> newgame
> isready
< readyok
> set game.variant backgammon
> isready
< readyok
> position gnubgid 4HPwATDgc/ABMA
> dice 6 1
> go chequer
< bestmove 13/7 8/7
> position gnubgid Np7BQSCYZ/AAWA
> dice 5 3
> go chequer
< bestmove bar/*
> position gnubgid /z0AADDeaxsAAA
> dice 5 5
> go chequer
< bestmove 7/2 7/2 5/off 5/off
> position gnubgid t02oASACAAAAAA
> dice 5 1
> go chequer
< bestmove *
> quit
! quit
`, `
> ubgi
< id name bgtrain td
< id author *
< id version *
< proto 0.2
< key *
< key *
< key *
< option *
< option *
< option *
< ubgiok
> setoption name Ply value 0
> isready
< readyok
> newgame
> isready
< readyok
> position gnubgid 4HPwATDgc/ABMA
> dice 3 1
> go role chequer
< bestmove 8/5 6/5
> position gnubgid 4HPwATDgc/ABMA
> dice 6 5
> go role chequer movetime 100 depth 2
< bestmove 24/18 18/13
`, `
> keys
< key game.variant enum backgammon backgammon
< key engine.ply int 0..3 0 look-ahead
< key engine.deterministic bool true ! the same answers again
> get engine.ply
< value engine.ply 0
> set engine.ply 1
> get engine.ply
< value engine.ply 1
> set engine.ply 0
> get game.variant
< value game.variant backgammon
> get engine.deterministic
< value engine.deterministic true
> set engine.ply 9
< error bad_value engine.ply must_be 0..3
> set engine.ply
< error bad_command expected: set <key> <value>
> set game.variant hypergammon
< error bad_value game.variant must_be backgammon
> set engine.threads 4
< error unsupported key
> setoption name Threads value 4
< error unsupported key
> setoption Threads 4
< error bad_command expected: setoption name <Name> value <Value>
> get engine.hash
< error unsupported key
> get
< error bad_command expected: get <key>
> UBGI
< error bad_command unknown*
> nonsense
< error bad_command unknown*
> isready
< readyok
`, `
> go
< error bad_state missing position
> dice 6 1
> go chequer
< error bad_state missing position
> newgame
> go
< error bad_state missing dice
> dice 7 1
< error bad_value dice must_be 1..6
> dice 6
< error bad_value dice must_be 1..6
> dice
< error bad_command expected: dice <d1> <d2>
> dice 1 6
> go
< bestmove 13/7 8/7
> position gnubgid nonsense
< error bad_value position: *
> go chequer
< bestmove 13/7 8/7
> position startpos
< error bad_command expected: position *
> go fish
< error bad_command expected: go chequer, go cube or go turn
> go chequer now
< error bad_command expected: go chequer
> stop
> position gnubgid AAAAAAAAAAAAAA
< error bad_value position: *
> position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10
> go chequer
< bestmove 8/5 6/5
> position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10
> go chequer
< error bad_state missing dice
> go cube
< bestcube nodouble
> position xgid XGID=aBBBBBB-----------------bA:0:0:-1:66:0:0:0:0:10
> go chequer
< bestmove pass
> position xgid XGID=-BBBBBB---------------A-b-:0:0:1:D:0:0:0:7:10
> go cube
< error unsupported answer to a double
`, `
> newgame
> position xgid XGID=-BBBBBB-----------------bA:0:0:1:66:0:0:0:0:10
> go turn
< bestturn cube=*
`}

// TestSessionDialogues holds conversations, each with a session of its own.
func TestSessionDialogues(t *testing.T) {
	for i, text := range dialogues {
		u := &Session{Brain: newBrain(t), Name: "bgtrain td", Version: "1"}
		var waiting []string
		said := ""
		for line := range strings.Lines(strings.TrimSpace(text)) {
			kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch kind {
			case ">":
				if len(waiting) > 0 {
					t.Fatalf("dialogue %d: after %q also %q", i, said, waiting)
				}
				said = rest
				answer, err := u.Answer(rest)
				if answer != "" {
					waiting = strings.Split(answer, "\n")
				}
				if err != nil {
					waiting = append(waiting, "quit")
				}
			default:
				if len(waiting) == 0 {
					t.Fatalf("dialogue %d: no answer to %q, want %q", i, said, rest)
				}
				want, any := strings.CutSuffix(rest, "*")
				if got := waiting[0]; got != rest && !(any && strings.HasPrefix(got, want)) {
					t.Errorf("dialogue %d: %q is answered by %q, want %q", i, said, got, rest)
				}
				waiting = waiting[1:]
			}
		}
		if len(waiting) > 0 {
			t.Errorf("dialogue %d: after %q also %q", i, said, waiting)
		}
	}
}

// ask says lines, of which only the last is answered.
func ask(t *testing.T, u *Session, lines ...string) string {
	t.Helper()
	for i, line := range lines {
		answer, err := u.Answer(line)
		if err != nil || i+1 < len(lines) && answer != "" {
			t.Fatalf("%q: %q, %v", line, answer, err)
		}
		if i+1 == len(lines) {
			return answer
		}
	}
	return ""
}

// applied makes the steps of an answer as bgci does: each by one die that is left, none that
// is left may be playable, and the result must be a legal one.
func applied(t *testing.T, b bg.Board, d1, d2 int, answer string) bg.Board {
	t.Helper()
	text, ok := strings.CutPrefix(answer, "bestmove ")
	if !ok {
		t.Fatalf("%q", answer)
	}
	after, dice := b, []int{d1, d2}
	if d1 == d2 {
		dice = []int{d1, d1, d1, d1}
	}
	if text == "pass" {
		text = ""
	}
	for _, step := range strings.Fields(text) {
		from, to, _ := strings.Cut(step, "/")
		f, err1 := strconv.Atoi(strings.Replace(from, "bar", "25", 1))
		n, err2 := strconv.Atoi(strings.Replace(to, "off", "0", 1))
		if err1 != nil || err2 != nil || from == "25" || to == "0" || after.Me[f-1] == 0 {
			t.Fatalf("%q of %q", step, answer)
		}
		i := slices.IndexFunc(dice, func(d int) bool { return f-n == d || n == 0 && f <= d })
		if i < 0 {
			t.Fatalf("no die for %q of %q, %d%d", step, answer, d1, d2)
		}
		dice = slices.Delete(dice, i, i+1)
		after.Me[f-1]--
		if n == 0 {
			continue
		}
		after.Me[n-1]++
		if there := &after.Opp[24-n]; *there == 1 {
			*there, after.Opp[bg.Bar] = 0, after.Opp[bg.Bar]+1
		}
	}
	var plays bg.Plays
	if !slices.Contains(plays.Generate(&b, d1, d2), after.Swapped()) {
		t.Fatalf("%q of %d%d is not legal from %s", answer, d1, d2, b.Key().PositionID())
	}
	return after.Swapped()
}

// TestSessionDuel plays games as bgci does, each engine asked for its own plays.
func TestSessionDuel(t *testing.T) {
	engines := []*Session{{Brain: newBrain(t)}, {Brain: newBrain(t)}}
	rng := rand.New(rand.NewPCG(3, 4))
	passes := 0
	for range 6 {
		for _, u := range engines {
			if got := ask(t, u, "newgame", "isready"); got != "readyok" {
				t.Fatalf("%q", got)
			}
		}
		b := bg.Start
		for turn := 0; !over(&b); turn++ {
			if turn > 500 {
				t.Fatal("the game does not end")
			}
			d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
			answer := ask(t, engines[turn%2], "position gnubgid "+b.Key().PositionID(), "dice "+strconv.Itoa(d1)+" "+
				strconv.Itoa(d2), "go chequer")
			if answer == "bestmove pass" {
				passes++
			}
			b = applied(t, b, d1, d2, answer)
		}
	}
	if passes == 0 {
		t.Error("nobody ever passed")
	}
}

// Cube, score and turn of 0.1 reach the decision: who owns the cube, the Crawford game and
// the one after it, what wins the match.
func TestSessionContext(t *testing.T) {
	// The player on roll is far ahead in a race.
	b := bg.Board{Me: bg.Side{0: 3, 1: 2}, Opp: bg.Side{5: 4, 4: 4}}
	position := "position gnubgid " + b.Key().PositionID()
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"money", nil, "double"},
		{"a cube of one's own", []string{"setcube value 2 owner p0"}, "double"},
		{"the opponent's cube", []string{"setcube value 2 owner p1"}, "nodouble"},
		{"the other player on roll", []string{"setcube value 2 owner p1", "setturn p1"}, "double"},
		{"a match", []string{"newsession type match length 7"}, "double"},
		{"the cube wins the match", []string{"newsession type match length 7", "setscore 5 0",
			"setcube value 2 owner p0"}, "nodouble"},
		{"Crawford", []string{"newsession type match length 7 crawford on", "setscore 0 6"}, "nodouble"},
		{"that rule off", []string{"newsession type match length 7 crawford off", "setscore 0 6"}, "double"},
		{"a new session", []string{"newsession type match length 7", "setscore 0 6", "newsession type money jacoby on"},
			"double"},
	} {
		u := &Session{Brain: newBrain(t)}
		lines := append(append([]string{"newgame"}, c.lines...), position, "go cube")
		if got := ask(t, u, lines...); got != "bestcube "+c.want {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
	}
	// After the Crawford game, whether the score comes before the new game or after it.
	for _, second := range [][]string{{"newgame", "setscore 1 6"}, {"setscore 1 6", "newgame"}} {
		u := &Session{Brain: newBrain(t)}
		ask(t, u, "newsession type match length 7", "setscore 0 6", "newgame", "isready")
		for _, want := range []string{"nodouble", "nodouble"} {
			if got := ask(t, u, position, "go role cube"); got != "bestcube "+want {
				t.Errorf("in the Crawford game: %q", got)
			}
		}
		if got := ask(t, u, append(second, position, "go role cube")...); got != "bestcube double" {
			t.Errorf("%v after it: %q", second, got)
		}
	}
	u := &Session{Brain: newBrain(t)}
	answer := ask(t, u, "newgame", position, "dice 2 1", "go role turn")
	id, ok := strings.CutPrefix(answer, "bestturn cube=double moveid=")
	after, err := bg.ParsePosition(id)
	var plays bg.Plays
	if !ok || err != nil || !slices.Contains(plays.Generate(&b, 2, 1), after) {
		t.Errorf("%q, %v", answer, err)
	}
	answer = ask(t, u, "go turn")
	play, ok := strings.CutPrefix(answer, "bestturn cube=double move=")
	if got := applied(t, b, 2, 1, "bestmove "+play); !ok || got != after {
		t.Errorf("%q leads elsewhere than %s", answer, id)
	}
	for _, bad := range []string{"newsession", "newsession type chess", "newsession type match", "newsession type match length x",
		"newsession type match length 7 crawford", "newsession type match length 7 beavers on", "setscore 1", "setscore -1 2",
		"setcube value 2", "setcube value x owner p0", "setcube value 2 owner me", "setturn", "setturn center"} {
		if got := ask(t, u, bad); !strings.HasPrefix(got, "error bad_command expected: "+strings.Fields(bad)[0]) {
			t.Errorf("%q: %q", bad, got)
		}
	}
	for _, bad := range [][]string{{"setcube value 3 owner p0"}, {"newsession type match length 3", "setscore 3 0"},
		{"newsession type match length 1000000", "setscore 0 0"}} {
		u := &Session{Brain: newBrain(t)}
		if got := ask(t, u, append(append([]string{"newgame"}, bad...), position, "go cube")...); !strings.HasPrefix(got,
			"error bad_state ") {
			t.Errorf("%q: %q", bad, got)
		}
	}
}

// FuzzSession takes anything: it never panics, and it always answers isready.
func FuzzSession(f *testing.F) {
	for _, text := range dialogues {
		f.Add(strings.ReplaceAll(text, "> ", ""))
	}
	brain := newBrain(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "ly") && strings.ContainsAny(text, "23") || strings.Count(text, "\n") > 60 {
			return // a deeper look-ahead takes its time
		}
		brain.Ply = 0
		u := &Session{Brain: brain}
		for line := range strings.Lines(text) {
			if _, err := u.Answer(line); err != nil {
				return
			}
		}
		if got, _ := u.Answer("isready"); got != "readyok" {
			t.Errorf("%q", got)
		}
	})
}
