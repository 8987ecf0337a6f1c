package rollout

import (
	"math/rand/v2"

	"bgtrain/internal/bg"
)

// gamePositions returns different positions of games with random plays, none of
// them finished.
func gamePositions(seed uint64, n int) []bg.Board {
	rng := rand.New(rand.NewPCG(seed, 2))
	seen := map[bg.Key]bool{}
	var plays bg.Plays
	var out []bg.Board
	for b := bg.Start; len(out) < n; {
		if bg.Classify(&b) == bg.Over {
			b = bg.Start
		}
		if k := b.Key(); !seen[k] {
			seen[k] = true
			out = append(out, b)
		}
		results := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		b = results[rng.IntN(len(results))]
	}
	return out
}
