package player

import (
	"slices"
	"testing"

	"bgtrain/internal/bg"
)

// A filter net that is the player's own changes nothing.
func TestFilterNetOfItsOwn(t *testing.T) {
	f := randomFile(t, 3, 12)
	plain := newPlayer(t, f, Options{}).NewEvaluator()
	filtered := newPlayer(t, f, Options{FilterNet: f}).NewEvaluator()
	for i, b := range gamePositions(4, filterPositions()) {
		if bg.Classify(&b) == bg.Over {
			continue
		}
		want, got := plain.Plays(&b, 1+i%6, 1+i/6%6, 1), filtered.Plays(&b, 1+i%6, 1+i/6%6, 1)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: other plays", b.Key())
		}
	}
}

// The plays that go on are the best by the filter net; they have the player's
// values, the others the filter net's.
func TestFilterNet(t *testing.T) {
	f, small := randomFile(t, 3, 12), randomFile(t, 5, 4)
	for _, kept := range []int{1, 3} {
		filters := make(Filters, MaxPly)
		copy(filters, NormalFilters)
		filters[0] = []Filter{{Accept: kept}}
		e := newPlayer(t, f, Options{Filters: filters, FilterNet: small}).NewEvaluator()
		own, coarse := newPlayer(t, f, Options{}).NewEvaluator(), newPlayer(t, small, Options{}).NewEvaluator()
		differ := 0
		for i, b := range gamePositions(6, filterPositions()) {
			if bg.Classify(&b) == bg.Over {
				continue
			}
			d1, d2 := 1+i%6, 1+i/6%6
			cs := e.Plays(&b, d1, d2, 1)
			byCoarse := coarse.Plays(&b, d1, d2, 0)
			if own.Plays(&b, d1, d2, 0)[0].Result != byCoarse[0].Result {
				differ++
			}
			goOn := min(kept, len(cs))
			for k := range cs {
				c := &cs[k]
				place := slices.IndexFunc(byCoarse, func(o Candidate) bool { return o.Result == c.Result })
				var want bg.Outputs
				switch ply := 1; {
				case len(cs) == 1, k < goOn:
					if goOn == 1 && len(cs) > 1 {
						ply = 0 // nothing left to choose
					}
					o := own.Evaluate(&c.Result, ply)
					want = o.Inverted()
				default:
					want = byCoarse[place].Outputs
				}
				if c.Outputs != want || k < goOn && byCoarse[place].Equity < byCoarse[goOn-1].Equity {
					t.Fatalf("%s, %d kept: play %d has %v, want %v; %d in the filter", b.Key(), kept, k, c.Outputs, want,
						place)
				}
			}
		}
		if differ < filterPositions()/8 {
			t.Errorf("the nets differ in %d positions", differ)
		}
	}
}

func TestFilterNetIsChecked(t *testing.T) {
	f := randomFile(t, 3, 12)
	small := f.Clone()
	clear(small.Nets)
	if _, err := New(f, nil, Options{FilterNet: small}); err == nil {
		t.Error("a filter net without nets was accepted")
	}
}

// filterPositions is how many positions the plays are compared in.
func filterPositions() int {
	if testing.Short() {
		return 40
	}
	return 150
}
