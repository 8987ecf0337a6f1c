package dataset

import (
	"math/rand/v2"
	"testing"

	"bgtrain/internal/bg"
)

func TestKeySet(t *testing.T) {
	var s KeySet
	if s.Has(bg.Start.Key()) || s.Has(bg.Key{}) {
		t.Error("an empty set has a key")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	want := map[bg.Key]bool{}
	for range 2000 {
		k := randomRow(rng).Key
		if s.Add(k) == want[k] || !s.Has(k) || s.Add(k) {
			t.Fatalf("key %v, there before: %v", k, want[k])
		}
		want[k] = true
	}
}
