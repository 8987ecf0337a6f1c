package play

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
)

// readLines reads lines in the background, so that a context can end the waiting.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// ask prompts for a line; the end of the input is quitting.
func (t *table) ask(prompt string) (string, error) {
	fmt.Fprint(t.out, prompt)
	select {
	case <-t.ctx.Done():
		fmt.Fprintln(t.out)
		return "", errQuit
	case line, ok := <-t.lines:
		if !ok {
			fmt.Fprintln(t.out)
			return "", errQuit
		}
		t.typed = strings.TrimSpace(line)
		return strings.ToLower(t.typed), nil
	}
}

const help = `  hint          the best plays, what each loses and wins, or what to do with the
                cube; 1 then plays the first of them, 2 the second
  tutor         asks before what loses much, or stops that; tutor 0.02 asks
                before what loses more than 0.02 points
  undo          takes your last action back
  board         draws the board again
  legal         lists the legal plays after a roll
  resign [N]    loses the game: N 1, 2 for a gammon, 3 for a backgammon
  save FILE     keeps the match as a .mat file from now on, as --match does
  quit          ends the session; a match that is kept goes on later`

// common does what can be typed anywhere. It reports whether the step is over.
func (t *table) common(line, expected string) (bool, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false, nil
	}
	switch words[0] {
	case "help", "?":
		t.say("  here: %s\n%s", expected, help)
	case "board", "b":
		t.draw()
	case "quit", "q", "exit":
		return true, errQuit
	case "undo", "u":
		return t.takeBack()
	case "resign":
		return t.resign(words[1:])
	case "tutor":
		t.setTutor(words[1:])
	case "save":
		t.keep(strings.TrimSpace(t.typed[len("save"):]))
	default:
		t.say("  %q? %s expected, or help", line, expected)
	}
	return false, nil
}

// takeBack undoes the person's last action.
func (t *table) takeBack() (bool, error) {
	done, err := t.Undo()
	if !done {
		t.say("  there is nothing of yours to take back in this game")
	}
	return done, err
}

// resign offers the net so many points, who takes them if it expects no more.
func (t *table) resign(words []string) (bool, error) {
	points := 1
	if len(words) > 0 {
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > 3 {
			t.say("  resign 1, 2 for a gammon, or 3 for a backgammon expected")
			return false, nil
		}
		points = n
	}
	if _, turn, _ := t.rec.Position(); turn == matchfile.None {
		t.say("  the game has not begun")
		return false, nil
	}
	taken, err := t.Resign(points)
	if err == nil && !taken {
		t.say("  %s expects more than %d.", t.s.Net, points)
	}
	return taken, err
}

// keep writes the match to a file, now and after every action.
func (t *table) keep(path string) {
	switch _, err := os.Lstat(path); {
	case path == "":
		t.say("  save FILE expected, such as save mine.mat")
		return
	case path == t.s.File: // written all the time
	case !errors.Is(err, os.ErrNotExist):
		t.say("  there is a %s already: the name of a new file expected", plain(path))
		return
	}
	before := t.s.File
	t.s.File = path
	if err := t.save(); err != nil {
		t.say("  %s", plain(err.Error()))
		t.s.File = before
		return
	}
	t.sayKept()
}

// errNoPlay is the error of a line that was not meant as a play.
var errNoPlay = errors.New("no play")

// readPlay reads a play of a roll as it was typed: the number of a hint, or steps.
func (t *table) readPlay(r *roll, line string) (bg.Board, error) {
	words := strings.Fields(strings.ReplaceAll(line, ",", " "))
	if len(words) == 0 {
		return bg.Board{}, errNoPlay
	}
	first := strings.TrimSuffix(words[0], ".")
	if n, err := strconv.Atoi(first); err == nil && len(words) == 1 {
		switch {
		case len(r.hints) == 0:
			return bg.Board{}, fmt.Errorf("'hint' lists plays by number, and has not yet; a play such as %s expected",
				anyPlay)
		case n < 1 || n > len(r.hints):
			return bg.Board{}, fmt.Errorf("a hint from 1 to %d expected, or a play such as %s", len(r.hints), anyPlay)
		}
		return r.hints[n-1], nil
	}
	if !isPlay(words) {
		return bg.Board{}, errNoPlay
	}
	text, err := paired(words)
	if err != nil {
		return bg.Board{}, err
	}
	steps, err := bg.ParseSteps(nil, text)
	if err != nil {
		return bg.Board{}, fmt.Errorf("%w; a play such as %s expected", err, anyPlay)
	}
	return t.plays.Find(&r.board, r.d1, r.d2, steps)
}

// isPlay reports whether words look like a play, right or wrong: b alone is the board.
func isPlay(words []string) bool {
	w := words[0]
	return w[0] >= '0' && w[0] <= '9' || strings.Contains(w, "/") || strings.HasPrefix(w, "bar") ||
		w == "b" && len(words) > 1
}

// paired joins points that stand alone in pairs: 13 11 13 8 is 13/11 13/8.
func paired(words []string) (string, error) {
	single := func(i int) bool { return !strings.ContainsAny(words[i], "/-") }
	var out []string
	for i := 0; i < len(words); i++ {
		switch {
		case !single(i):
			out = append(out, words[i])
		case i+1 == len(words) || !single(i+1):
			return "", fmt.Errorf("%q stands alone: points in pairs expected, such as %s", words[i], anyPlay)
		default:
			out = append(out, words[i]+"/"+words[i+1])
			i++
		}
	}
	return strings.Join(out, " "), nil
}
