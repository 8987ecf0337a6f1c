package bg

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// ErrIllegalPlay is what errors of Plays.Find about plays that the rules do not allow wrap.
var ErrIllegalPlay = errors.New("illegal play")

// ParseSteps reads a play as people and match files write it and appends its steps to dst: "13/11 6/5",
// "24/18*/13", "bar/22 6/4(2)", "8-5 6-5", "25/22", "6/off", "6/0", in letters of either case. A step may stand
// for several dice (24/13). Plays.Find checks whether the play is legal.
func ParseSteps(dst []Step, text string) ([]Step, error) {
	for _, word := range strings.Fields(text) {
		var err error
		if dst, err = parsePath(dst, word); err != nil {
			return dst, fmt.Errorf("play %q: %w", text, err)
		}
	}
	return dst, nil
}

// maxSteps bounds a play as written: no play moves more than four checkers by four dice.
const maxSteps = 16

// parsePath reads one word of a play, such as 24/18*/13(2).
func parsePath(dst []Step, word string) ([]Step, error) {
	path, times := word, 1
	if i := strings.IndexByte(word, '('); i >= 0 {
		n, err := strconv.Atoi(strings.TrimSuffix(word[i+1:], ")"))
		if err != nil || !strings.HasSuffix(word, ")") || n < 1 || n > 4 {
			return dst, fmt.Errorf("%q: a number from 1 to 4 expected in brackets", word)
		}
		path, times = word[:i], n
	}
	first := len(dst)
	from := -1
	for path != "" {
		point := path
		if i := strings.IndexAny(path, "/-"); i >= 0 {
			point, path = path[:i], path[i+1:]
			if path == "" {
				return dst, fmt.Errorf("%q: a point is missing at the end", word)
			}
		} else {
			path = ""
		}
		hit := strings.HasSuffix(point, "*")
		to, err := parsePoint(strings.TrimSuffix(point, "*"))
		if err != nil {
			return dst, fmt.Errorf("%q: %w", word, err)
		}
		if from >= 0 {
			if to >= from {
				return dst, fmt.Errorf("%q does not move forward", word)
			}
			dst = append(dst, Step{from, to, hit})
		}
		from = to
	}
	if len(dst) == first {
		return dst, fmt.Errorf("%q: two points expected, as in 13/11", word)
	}
	once := dst[first:]
	for range times - 1 {
		dst = append(dst, once...)
	}
	if len(dst) > maxSteps {
		return dst, fmt.Errorf("more than %d steps", maxSteps)
	}
	return dst, nil
}

// parsePoint reads a point from 0 (off) to 25 (the bar).
func parsePoint(s string) (int, error) {
	switch strings.ToLower(s) {
	case "bar", "b":
		return Bar + 1, nil
	case "off", "o":
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > Bar+1 {
		return 0, fmt.Errorf("%q is no point: 1 to 24, bar or off expected", s)
	}
	return n, nil
}

// Find returns the result, the opponent on roll, of the legal play of the roll d1, d2 that the steps describe;
// none of them means that the player cannot move. Steps may come in any order and stand for several dice. What is
// hit on the way of such a step need not be said where the play is clear without; of two ways, one of which hits
// more than is said, it is the other.
//
// The error of a play that the rules do not allow wraps ErrIllegalPlay. The board must pass Check.
func (p *Plays) Find(b *Board, d1, d2 int, steps []Step) (Board, error) {
	mine, reached, starred, err := b.moved(steps)
	if err != nil {
		return Board{}, err
	}
	blots := heldBy(&b.Opp) &^ madeBy(&b.Opp)
	var found *Board
	fewest, same := 0, 0
	results := p.Generate(b, d1, d2)
	for i := range results {
		r := &results[i]
		if r.Opp != mine {
			continue
		}
		hits := blots &^ heldBy(&r.Me)
		if reached&blots&^hits != 0 || starred && hits == 0 {
			continue
		}
		switch n := bits.OnesCount32(hits); {
		case found == nil || n < fewest:
			found, fewest, same = r, n, 1
		case n == fewest:
			same++
		}
	}
	switch {
	case found == nil && len(steps) == 0:
		return Board{}, fmt.Errorf("%w: no checker moved, but %d%d can be played", ErrIllegalPlay, d1, d2)
	case found == nil:
		return Board{}, fmt.Errorf("%w of %d%d", ErrIllegalPlay, d1, d2)
	case same > 1:
		return Board{}, fmt.Errorf("%w: it can hit on one point or another on the way", ErrIllegalPlay)
	}
	return *found, nil
}

// moved returns the checkers of the player on roll after the steps, the points
// that they reach, and whether any is said to hit.
func (b *Board) moved(steps []Step) (mine Side, reached uint32, starred bool, err error) {
	var change [Bar + 1]int
	for _, s := range steps {
		if s.From < 1 || s.From > Bar+1 || s.To < 0 || s.To >= s.From {
			return mine, 0, false, fmt.Errorf("%w: from %d to %d", ErrIllegalPlay, s.From, s.To)
		}
		change[s.From-1]--
		if s.To > 0 {
			change[s.To-1]++
			reached |= 1 << (s.To - 1)
		}
		starred = starred || s.Hit
	}
	for i, c := range change {
		n := int(b.Me[i]) + c
		if n < 0 || n > Checkers {
			return mine, 0, false, fmt.Errorf("%w: no such checker on the %s", ErrIllegalPlay, pointName(i+1))
		}
		mine[i] = uint8(n)
	}
	return mine, reached, starred, nil
}

func pointName(n int) string {
	if n == Bar+1 {
		return "bar"
	}
	return fmt.Sprintf("%d-point", n)
}
