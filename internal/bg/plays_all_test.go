package bg

import (
	"slices"
	"testing"
)

// GenerateAll gives what Generate gives roll by roll.
func TestGenerateAll(t *testing.T) {
	var all, one Plays
	var first [len(Rolls) + 1]int
	for _, b := range gamePositions(t) {
		results := all.GenerateAll(&b, &first)
		if first[0] != 0 || first[len(Rolls)] != len(results) {
			t.Fatalf("%s: from %d to %d of %d", b.Key(), first[0], first[len(Rolls)], len(results))
		}
		for r, roll := range Rolls {
			if want := one.Generate(&b, roll.Hi, roll.Lo); !slices.Equal(results[first[r]:first[r+1]], want) {
				t.Fatalf("%s, roll %d%d: %d plays, %d expected", b.Key(), roll.Hi, roll.Lo, first[r+1]-first[r],
					len(want))
			}
		}
	}
}
