package play

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"bgtrain/benchmark/analyze"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
)

// scripted plays what the lines say at each prompt of which they are the answers, and quits
// after them; it returns what was shown, with the lines in it.
func scripted(t *testing.T, s Settings, lines ...string) string {
	t.Helper()
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	p := newPerson(func(string) string {
		if len(lines) == 0 {
			return "quit"
		}
		line := lines[0]
		lines = lines[1:]
		return line
	})
	s.Name, s.Net = "Zoë", "td"
	if err := Play(context.Background(), p, p, brain, s); err != nil {
		t.Fatal(err)
	}
	return p.all.String()
}

// after returns what a text has between a line that was typed and the next one.
func after(t *testing.T, all, line string) string {
	t.Helper()
	_, rest, ok := strings.Cut(all, "«"+line+"»\n")
	if !ok {
		t.Fatalf("%q was not asked for in\n%s", line, all)
	}
	shown, _, _ := strings.Cut(rest, "«")
	return shown
}

// Plays are understood in steps or in pairs of points, in any order, and the errors say
// what was expected.
func TestReadPlay(t *testing.T) {
	table := &table{}
	bar := bg.Board{Me: bg.Side{bg.Bar: 1, 5: 3, 0: 1}, Opp: bg.Side{3: 1, 0: 2}} // a blot on 21
	home := bg.Board{Me: bg.Side{5: 1, 4: 1, 1: 2}, Opp: bg.Side{0: 2}}
	for _, tt := range []struct {
		board  *bg.Board
		d1, d2 int
		typed  []string
		want   string
	}{
		{&bg.Start, 5, 2, []string{"13/11 13/8", "13 11 13 8", "13 8 13 11", "13/8, 13 11", "13-11 13-8", "13/8 13/11",
			"13 11, 13 8"}, "13/11 13/8"},
		{&bg.Start, 3, 1, []string{"8/5 6/5", "6 5 8 5", "8 5 6 5"}, "8/5 6/5"},
		{&bg.Start, 6, 5, []string{"24/13", "24 13", "24/18/13", "18 13 24 18"}, "24/13"},
		{&bg.Start, 1, 1, []string{"8/7(2) 6/5(2)", "6 5 8 7 6 5 8 7"}, "8/7(2) 6/5(2)"},
		{&bar, 4, 2, []string{"bar/21* 6/4", "bar 21 6 4", "6/4 bar/21", "b/21 6/4", "b 21 6 4", "bar/21 6 4", "25 21 6 4"},
			"bar/21* 6/4"},
		{&home, 6, 5, []string{"6/off 5/off", "6 off 5 off", "5 0 6 0", "5/off 6/0", "6 o 5 o"}, "6/off 5/off"},
	} {
		r := &roll{board: *tt.board, d1: tt.d1, d2: tt.d2}
		for _, line := range tt.typed {
			result, err := table.readPlay(r, line)
			if got := bg.Notation(tt.board, &result, tt.d1, tt.d2); err != nil || got != tt.want {
				t.Errorf("%q: %q, %v, want %q", line, got, err, tt.want)
			}
		}
	}
	r := &roll{board: bg.Start, d1: 5, d2: 2}
	for line, want := range map[string]string{
		"13 11 13": `"13" stands alone: points in pairs expected`, "13/11 13": `"13" stands alone`,
		"13/x 6/5": `"x" is no point: 1 to 24, bar or off expected`, "11/13": "does not move forward",
		"13/11": "illegal play of 52", "13/12 13/8": "illegal play of 52", "7 5 8 3": "no such checker on the 7-point",
		"1": "'hint' lists plays by number", "bar": `"bar" stands alone`, "13//8": "is no point",
	} {
		if _, err := table.readPlay(r, line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
	for _, line := range []string{"foo", "b", "board", "resign 2", "tutor 0.1"} {
		if _, err := table.readPlay(r, line); err != errNoPlay {
			t.Errorf("%q: %v, want that it is no play", line, err)
		}
	}
}

// first is a match that the person begins.
var first = Settings{Length: 3, Seed: 2, Threshold: 0.04}

// A hint lists plays with what they lose and win, and a number then plays one; without
// a hint, and beyond the list, the number is refused.
func TestHintByNumber(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.mat")
	s := first
	s.File = file
	all := scripted(t, s, "2", "hint", "9", "0", "2")
	if got := after(t, all, "2"); !strings.Contains(got, "'hint' lists plays by number") {
		t.Errorf("2 before a hint: %s", got)
	}
	rows := regexp.MustCompile(`(?m)^  ([1-5])\. (\S.*?) +([+-]\d\.\d{3}) +(\d\.\d{3})? +(\d+\.\d)%`).
		FindAllStringSubmatch(after(t, all, "hint"), -1)
	if len(rows) != 5 || rows[0][4] != "" || rows[1][4] == "" {
		t.Fatalf("%q in\n%s", rows, all)
	}
	if got := after(t, all, "9"); !strings.Contains(got, "a hint from 1 to 5 expected") {
		t.Errorf("9: %s", got)
	}
	ms, err := matchfile.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	a := &ms[0].Games[0].Actions[0]
	if got := bg.Notation(&a.Board, &a.After, a.Dice[0], a.Dice[1]); a.Player != you || got != rows[1][2] {
		t.Errorf("2 played %q, hint 2 was %q\n%s", got, rows[1][2], all)
	}
}

// worstFirst is a bad legal play of the first roll of a match.
func worstFirst(t *testing.T) string {
	t.Helper()
	all := scripted(t, first, "legal")
	dice := regexp.MustCompile(`you roll (\d)(\d): `).FindStringSubmatch(all)
	if dice == nil {
		t.Fatalf("the person does not begin\n%s", all)
	}
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	d1, d2 := int(dice[1][0]-'0'), int(dice[2][0]-'0')
	plays := brain.Evaluator.Plays(&bg.Start, d1, d2, 0)
	return bg.Notation(&bg.Start, &plays[len(plays)-1].Result, d1, d2)
}

// The tutor asks before a bad play, may be overruled or heeded, and is silent about
// the best play, below its threshold, and when it is off.
func TestTutorOfPlays(t *testing.T) {
	bad := worstFirst(t)
	s := first
	s.Tutor = true
	all := scripted(t, s, bad, "perhaps", "n", "hint", "1")
	for line, want := range map[string]string{bad: "tutor: " + bad + " loses 0.", "perhaps": "yes or no expected",
		"n": "you roll ", "1": "td rolls "} {
		if got := after(t, all, line); !strings.Contains(got, want) {
			t.Errorf("%q after %q:\n%s", got, line, all)
		}
	}
	if got := after(t, scripted(t, s, bad, "yes"), "yes"); !strings.Contains(got, "td rolls ") {
		t.Errorf("yes does not play: %s", got)
	}
	for _, before := range []string{"tutor", "tutor off", "tutor 3"} {
		all := scripted(t, s, "tutor on", before, bad)
		if got := after(t, all, bad); strings.Contains(got, "tutor:") || !strings.Contains(got, "td rolls ") {
			t.Errorf("%s: %s", before, got)
		}
	}
	s.Tutor = false
	all = scripted(t, s, "tutor maybe", "tutor 11", "tutor 0.01", bad, "quit")
	if got := after(t, all, "tutor maybe"); !strings.Contains(got, "such as tutor 0.04 expected") ||
		!strings.Contains(after(t, all, "tutor 0.01"), "more than 0.010") ||
		!strings.Contains(after(t, all, bad), "Do it anyway") {
		t.Errorf("%s", all)
	}
}

// The tutor asks before a bad double, a missed one, and a bad answer.
func TestTutorOfCubes(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	var right string
	deny := false
	answer := func(shown string) string {
		if m := regexp.MustCompile(`tutor: (double|no double|take|pass) loses`).FindStringSubmatch(shown); m != nil {
			asked[m[1]], deny = true, true
			return "no"
		}
		prompt := strings.HasSuffix(shown, "double? ") || strings.Contains(shown, "take or pass")
		m := regexp.MustCompile(`right: ([a-z ]+)`).FindStringSubmatch(shown)
		switch {
		case !prompt:
			return follow(shown)
		case m != nil:
			right = m[1]
			wrong := map[string]string{"no double": "double", "double": "roll", "take": "pass", "pass": "take"}[right]
			if wrong == "" || right == "no double" && asked["double"] {
				return "roll"
			}
			return wrong
		case deny:
			deny = false
			return map[string]string{"no double": "roll", "double": "double", "take": "take", "pass": "pass"}[right]
		}
		return "hint"
	}
	for seed := uint64(1); seed <= 20 && len(asked) < 4; seed++ {
		p := newPerson(answer)
		s := Settings{Length: 5, Seed: seed, Name: "Zoë", Net: "td", Tutor: true, Threshold: 0.001}
		if err := Play(context.Background(), p, p, brain, s); err != nil {
			t.Fatal(err)
		}
	}
	for _, what := range []string{"double", "no double", "take", "pass"} {
		if !asked[what] {
			t.Errorf("the tutor never asked about %s", what)
		}
	}
}

// No line that is typed ends the match or changes it, but those that mean to.
func TestWrongLinesEndNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.mat")
	s := first
	s.File = file
	lines := []string{"foo", "12", "13/", "13 11 13", "take", "double", "resign 4", "resign x", "tutor x", "save", "/", "*",
		"24/18(9)", "b b", strings.Repeat("x", 200000), "\x00\x1b[31m", "undo", "0", "-1", "help me", "yes"}
	all := scripted(t, s, lines...)
	if n := strings.Count(all, "«"); n != len(lines)+1 {
		t.Errorf("%d lines were asked for, of %d and quit", n, len(lines))
	}
	if strings.Contains(all, "\x1b") && !strings.Contains(all, "«\x00\x1b") {
		t.Error("a control character was shown")
	}
	ms, err := matchfile.ReadAll(file)
	if err != nil || len(ms) != 1 || len(ms[0].Games) != 1 || len(ms[0].Games[0].Actions) != 0 {
		t.Errorf("%+v, %v", ms, err)
	}
}

// A match that was begun without a file is kept by a command, which replaces none.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	there, file := filepath.Join(dir, "there.mat"), filepath.Join(dir, "Mine.mat")
	if err := os.WriteFile(there, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	all := scripted(t, first, "save "+there, "save "+filepath.Join(dir, "no", "such"), "save "+file, "hint", "1")
	for line, want := range map[string]string{there: "the name of a new file expected", file: "The match is in " + file,
		filepath.Join(dir, "no", "such"): "no such file"} {
		if got := after(t, all, "save "+line); !strings.Contains(got, want) {
			t.Errorf("save %s: %s", line, got)
		}
	}
	if text, err := os.ReadFile(there); err != nil || string(text) != "mine" {
		t.Errorf("%s, %v", text, err)
	}
	if ms, err := matchfile.ReadAll(file); err != nil || len(ms[0].Games[0].Actions) == 0 {
		t.Errorf("%v, %v", ms, err)
	}
}

// What a match ends with is what analyze has of its file.
func TestSumsAreThoseOfAnalyze(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	// The third best play each time, and the cube as it comes.
	p := newPerson(func(shown string) string {
		switch {
		case strings.HasSuffix(shown, "double? "):
			return "roll"
		case strings.Contains(shown, "take or pass"):
			return "take"
		case strings.Contains(shown, "a hint from 1"), strings.Contains(shown, "  2. ") && !strings.Contains(shown, "  3. "):
			return "1"
		case strings.Contains(shown, "  3. "):
			return "3"
		case strings.Contains(shown, "equity  loses"):
			return "1"
		}
		return "hint"
	})
	s := Settings{Length: 3, Seed: 4, Name: "Zoë", Net: "td", File: filepath.Join(t.TempDir(), "m.mat")}
	if err := Play(context.Background(), p, p, brain, s); err != nil {
		t.Fatal(err)
	}
	ms, err := matchfile.ReadAll(s.File)
	if err != nil {
		t.Fatal(err)
	}
	by := analyze.Settings{Model: brain.Model, Table: brain.Table, Candidates: 5}
	a, err := analyze.Match(t.Context(), brain.Evaluator.Player(), ms[0], by)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(what string, s *analyze.Sum) {
		want := fmt.Sprintf("%s: ER %.2f in %d plays, PR %.2f (%s)\n  %d errors, %d of them blunders, luck %+.3f", what, s.ER(),
			s.Plays, s.PR(), analyze.Level(s.PR()), s.Errors, s.Blunders, s.Luck)
		if s.Errors < 2 || s.Blunders < 2 {
			t.Fatalf("too few errors to tell: %+v", s)
		}
		if !strings.Contains(p.all.String(), want) {
			t.Errorf("no %q in\n%s", want, p.all.String())
		}
	}
	sum("your game", &a.Games[0][you])
	if len(a.Games) < 2 {
		t.Fatal("one game only")
	}
	sum(fmt.Sprintf("your %d games", len(a.Games)), &a.Players[you].Sum)
}

// Color adds to what is shown and changes none of it.
func TestColor(t *testing.T) {
	s := first
	plain := scripted(t, s, "hint", "1")
	s.Color = true
	colored := scripted(t, s, "hint", "1")
	if strings.Contains(plain, "\x1b") {
		t.Error("colors where there should be none")
	}
	for _, want := range []string{"\x1b[32m X \x1b[0m", "\x1b[36m O \x1b[0m", "\x1b[32m  1. "} {
		if !strings.Contains(colored, want) {
			t.Errorf("no %q in\n%s", want, colored)
		}
	}
	if got := regexp.MustCompile("\x1b\\[\\d+m").ReplaceAllString(colored, ""); got != plain {
		t.Errorf("without the colors:\n%s\nwant\n%s", got, plain)
	}
}

// What is shown by itself has room in 80 columns: plays, hints, sums.
func TestWidth(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	p := newPerson(func(shown string) string {
		if n++; n%9 == 0 && strings.Contains(shown, "you roll") {
			return "legal"
		}
		return follow(shown)
	})
	if err := Play(context.Background(), p, p, brain, Settings{Length: 3, Seed: 4, Name: "Zoë from here", Net: "default"}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(p.all.String(), "\n")
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	if !strings.Contains(p.all.String(), "  legal: ") || len(lines) < 500 {
		t.Errorf("%d lines", len(lines))
	}
}

// Names cannot control the terminal, and beside the board stand score, cube and pips.
func TestBoard(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s := Settings{Length: 3, Seed: 2, Name: "Zoë\x1b[31m", Net: "td"}
	if err := Play(context.Background(), strings.NewReader("quit\n"), &out, brain, s); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("a name's control characters:\n%q", out.String())
	}
	for _, want := range []string{"|  O td: 167 pips, 0 off\n", "|    0 of 3 points\n", "|  cube 1, in the middle\n",
		"|  X Zoë\uFFFD[31m: 167 pips, 0 off\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
