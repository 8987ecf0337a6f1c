package bg

import (
	"math/rand/v2"
	"testing"
)

// The plays of a roll are siblings where they use as many pips; the positions after the plays of
// the next roll, or of another one, are not.
func TestSiblings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var plays Plays
	b, pairs, foreign, taken := Start, 0, 0, 0
	var before []Board
	for range 5000 {
		if Classify(&b) == Over {
			b, before = Start, nil
		}
		results := append([]Board(nil), plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)...)
		for i := range results {
			x, y := &results[i], &results[rng.IntN(len(results))]
			if Siblings(x, y) != Siblings(y, x) {
				t.Fatalf("%v and %v: siblings one way only", x, y)
			}
			if x.Opp.Pips() == y.Opp.Pips() {
				if pairs++; !Siblings(x, y) || x.Family() != y.Family() {
					t.Fatalf("%v and %v of one roll are no siblings, or of two families", x, y)
				}
			} else if Siblings(x, y) {
				t.Fatalf("%v and %v are siblings, with other pips", x, y)
			}
			if len(before) > 0 {
				foreign++
				if Siblings(x, &before[rng.IntN(len(before))]) {
					taken++
				}
			}
		}
		before, b = results, results[rng.IntN(len(results))]
	}
	if pairs < 10000 || foreign < 10000 || taken > foreign/1000 {
		t.Errorf("%d pairs; of %d of two rolls that follow each other %d are taken for siblings", pairs, foreign, taken)
	}
}
