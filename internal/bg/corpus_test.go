package bg

import (
	"bufio"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// readLines returns the fields of each line of a compressed text file, comment
// lines left out.
func readLines(t testing.TB, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var lines [][]string
	for s := bufio.NewScanner(z); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			lines = append(lines, strings.Fields(s.Text()))
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s: no lines", path)
	}
	return lines
}

// gamePositions returns positions of real games, GNU Backgammon's self-play.
func gamePositions(t testing.TB) []Board {
	t.Helper()
	var boards []Board
	for _, f := range readLines(t, "testdata/positions.txt.gz") {
		b, err := ParsePosition(f[0])
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, b)
	}
	return boards
}

// randomBoard returns a valid board, seldom one of a real game: any number of
// checkers a side, spread over few or many points, often on the bar.
func randomBoard(rng *rand.Rand) Board {
	var b Board
	mine, theirs := &b.Me, &b.Opp
	if rng.IntN(2) == 0 {
		mine, theirs = theirs, mine
	}
	throw := func(s, other *Side) {
		n, spread := Checkers, 1+rng.IntN(Bar)
		if rng.IntN(2) == 0 {
			n = rng.IntN(Checkers + 1)
		}
		barOdds := 8 + rng.IntN(100)
		for range n {
			i := rng.IntN(spread)
			switch {
			case rng.IntN(barOdds) == 0:
				s[Bar]++
			case other[23-i] == 0:
				s[i]++
			}
		}
	}
	throw(mine, theirs)
	throw(theirs, mine)
	return b
}

// selfPlay calls visit with the positions and rolls of games of random legal
// plays until it returns false.
func selfPlay(rng *rand.Rand, visit func(b *Board, d1, d2 int) bool) {
	var p Plays
	b := Start
	for {
		d1, d2 := 1+rng.IntN(6), 1+rng.IntN(6)
		if !visit(&b, d1, d2) {
			return
		}
		results := p.Generate(&b, d1, d2)
		b = results[rng.IntN(len(results))]
		if Classify(&b) == Over {
			b = Start
		}
	}
}
