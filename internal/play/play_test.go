package play

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/protocol/braintest"
)

var testBrain = sync.OnceValues(braintest.Open)

// person is both ends of a session: it reads what is shown and answers prompts.
type person struct {
	mu     sync.Mutex
	more   *sync.Cond
	text   string // since the last answer
	rest   string // of an answer that was too long for one read
	all    strings.Builder
	answer func(shown string) string // "" ends the input
}

func newPerson(answer func(string) string) *person {
	p := &person{answer: answer}
	p.more = sync.NewCond(&p.mu)
	return p
}

func (p *person) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text += string(b)
	p.all.Write(b)
	p.more.Broadcast()
	return len(b), nil
}

var prompt = regexp.MustCompile(`(\? |you roll \d\d: )$`)

func (p *person) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest != "" {
		n := copy(b, p.rest)
		p.rest = p.rest[n:]
		return n, nil
	}
	for !prompt.MatchString(p.text) {
		p.more.Wait()
	}
	line := p.answer(p.text)
	p.text = ""
	if line == "" {
		return 0, fmt.Errorf("no more")
	}
	p.all.WriteString("«" + line + "»\n")
	n := copy(b, line+"\n")
	p.rest = (line + "\n")[n:]
	return n, nil
}

var hinted = regexp.MustCompile(`(?m)^  1\. (\S.*?)  +[+-]\d`)

// follow answers as the net would in the person's place.
func follow(shown string) string {
	switch {
	case strings.HasSuffix(shown, "double? "):
		return "roll"
	case strings.Contains(shown, "take or pass"):
		return "take"
	}
	if f := hinted.FindStringSubmatch(shown); f != nil {
		return strings.TrimSpace(f[1])
	}
	return "hint"
}

// TestPlayMatch plays a match through with everything typed that can be, and
// again in sessions of a few lines each: the same dice, the same match.
func TestPlayMatch(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Length: 3, Seed: 4, Name: "Zoë", Net: "td", File: filepath.Join(t.TempDir(), "whole.mat")}
	step := 0
	extra := []string{"help", "board", "24/1", "13/12 13/1", "nonsense here", "legal", "undo"}
	p := newPerson(func(shown string) string {
		if step++; step%5 == 0 && step/5 <= len(extra) {
			return extra[step/5-1]
		}
		return follow(shown)
	})
	if err := Play(context.Background(), p, p, brain, s); err != nil {
		t.Fatal(err)
	}
	all := p.all.String()
	for _, want := range []string{"wins the match", "illegal play", "legal: ", "undo          takes",
		"cube 1, in the middle", "Game 1: Zoë 0, td 0", "0 of 3 points", "your game: ER 0.00 in ", "your 2 games: ER ",
		"The match is in " + s.File + "; 'bgtrain analyze"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q was never shown", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
	whole, err := matchfile.ReadAll(s.File)
	if err != nil {
		t.Fatal(err)
	}
	last := whole[0].Games[len(whole[0].Games)-1]
	if last.Winner == matchfile.None || last.Score[last.Winner]+last.Points < 3 {
		t.Errorf("the match stopped at %v", last.Score)
	}

	s.File = filepath.Join(t.TempDir(), "parts.mat")
	for range 400 {
		left := 7
		p := newPerson(func(shown string) string {
			if left--; left == 0 {
				return "quit"
			}
			return follow(shown)
		})
		if err := Play(context.Background(), p, p, brain, s); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.all.String(), "wins the match") {
			break
		}
	}
	a, _ := os.ReadFile(filepath.Join(filepath.Dir(s.File), "parts.mat"))
	parts, err := matchfile.ReadAll(s.File)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := fmt.Sprint(parts[0].Games), fmt.Sprint(whole[0].Games); x != y {
		t.Errorf("in parts it is another match:\n%s", a)
	}
}

func TestResignAndMoney(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	p := newPerson(func(shown string) string {
		if strings.Contains(shown, "wins 3 points") {
			return "" // the end of the input
		}
		if n++; n > 4 {
			return "resign 3"
		}
		return follow(shown)
	})
	s := Settings{Seed: 4, Name: "A", Net: "td", File: filepath.Join(t.TempDir(), "money.mat")}
	if err := Play(context.Background(), p, p, brain, s); err != nil {
		t.Fatal(err)
	}
	ms, err := matchfile.ReadAll(s.File)
	if err != nil || ms[0].Length != 0 || !ms[0].Games[0].Resigned || ms[0].Games[0].Points != 3 {
		t.Errorf("%+v, %v", ms, err)
	}
}

// Where a double could win nothing, as in a match to one point, nobody is asked.
func TestNoDoubleWhereItWinsNothing(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	p := newPerson(follow)
	if err := Play(context.Background(), p, p, brain, Settings{Length: 1, Seed: 5, Name: "Zoë", Net: "td"}); err != nil {
		t.Fatal(err)
	}
	if all := p.all.String(); strings.Contains(all, "double? ") || !strings.Contains(all, "you roll") {
		t.Errorf("a match to one point:\n%s", all)
	}
}

// Without a seed every session has dice of its own, whose seed it prints: with that, the
// same dice come again. What is said of keeping the match is true.
func TestSeedAndKeeping(t *testing.T) {
	brain, err := testBrain()
	if err != nil {
		t.Fatal(err)
	}
	session := func(s Settings) (seed uint64, text string) {
		left := 3
		p := newPerson(func(shown string) string {
			if left--; left == 0 {
				return "quit"
			}
			return follow(shown)
		})
		s.Name, s.Net = "Zoë", "td"
		if err := Play(context.Background(), p, p, brain, s); err != nil {
			t.Fatal(err)
		}
		text = p.all.String()
		_, rest, ok := strings.Cut(text, "dice of seed ")
		if _, err := fmt.Sscan(strings.SplitN(rest, ".", 2)[0], &seed); !ok || err != nil {
			t.Fatalf("no seed in\n%s", text)
		}
		return seed, text
	}
	one, first := session(Settings{})
	two, _ := session(Settings{})
	if one == two || one == 0 {
		t.Errorf("seeds %d and %d", one, two)
	}
	if again, text := session(Settings{Seed: one}); again != one || text != first {
		t.Errorf("with seed %d:\n%s\nat first:\n%s", one, text, first)
	}
	if !strings.Contains(first, "The match is not kept; 'save FILE' in the game or --match FILE keeps it.") {
		t.Errorf("nothing is kept, and it says\n%s", first)
	}
	missing := filepath.Join(t.TempDir(), "no", "m.mat")
	var shown strings.Builder
	if err := Play(context.Background(), strings.NewReader(""), &shown, brain, Settings{File: missing}); err == nil ||
		shown.Len() > 0 {
		t.Errorf("a match that cannot be kept: %v\n%s", err, shown.String())
	}
	file := filepath.Join(t.TempDir(), "m.mat")
	if _, text := session(Settings{Seed: 3, File: file}); !strings.Contains(text, "The match is in "+file) {
		t.Errorf("%s", text)
	}
}
