package bg

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	boards := make([]Board, 7)
	var want []byte
	for i := range boards {
		b := &boards[i]
		for k := range b.Me {
			b.Opp[k], b.Me[k] = uint8(rng.IntN(16)), uint8(rng.IntN(16))
		}
		want = append(append(want, b.Opp[:]...), b.Me[:]...)
	}
	if got := Counts(boards); !bytes.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	Counts(boards)[BoardPlaces+24] = 9
	if boards[1].Opp[Bar] != 9 {
		t.Error("the memory is not shared")
	}
	if got := Counts(nil); len(got) != 0 {
		t.Errorf("no boards: %v", got)
	}
}
