package features

import (
	"bufio"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"bgtrain/internal/bg"
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

func parseBoard(t testing.TB, key string) bg.Board {
	t.Helper()
	b, err := bg.ParsePosition(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// candidates returns the positions after every legal play of one roll each of
// positions of real games, those of the wanted classes only, in the order in which
// a player evaluates them.
func candidates(t testing.TB, want ...bg.Class) []bg.Board {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var boards []bg.Board
	var plays bg.Plays
	for _, f := range readLines(t, "testdata/positions.txt.gz") {
		b := parseBoard(t, f[0])
		for range 6 {
			for _, after := range plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6)) {
				for _, c := range want {
					if bg.Classify(&after) == c {
						boards = append(boards, after)
					}
				}
			}
		}
	}
	return boards
}

// randomGames calls visit with every position of games of random legal plays,
// and with the other candidates of every roll.
func randomGames(seed uint64, games int, visit func(b *bg.Board)) {
	rng := rand.New(rand.NewPCG(seed, 0))
	var plays bg.Plays
	for range games {
		b := bg.Start
		for bg.Classify(&b) != bg.Over {
			after := plays.Generate(&b, 1+rng.IntN(6), 1+rng.IntN(6))
			for i := range after {
				visit(&after[i])
			}
			b = after[rng.IntN(len(after))]
		}
	}
}

// randomBoard returns a valid board as seldom seen in a game: any number of
// checkers a side on few or many points, often on the bar.
func randomBoard(rng *rand.Rand) bg.Board {
	var b bg.Board
	throw := func(s, other *bg.Side) {
		n, spread, bar := bg.Checkers, 1+rng.IntN(bg.Bar), 8+rng.IntN(100)
		if rng.IntN(3) == 0 {
			n = rng.IntN(bg.Checkers + 1)
		}
		for range n {
			i := rng.IntN(spread)
			switch {
			case rng.IntN(bar) == 0:
				s[bg.Bar]++
			case other[23-i] == 0:
				s[i]++
			}
		}
	}
	if rng.IntN(2) == 0 {
		throw(&b.Me, &b.Opp)
		throw(&b.Opp, &b.Me)
	} else {
		throw(&b.Opp, &b.Me)
		throw(&b.Me, &b.Opp)
	}
	return b
}
