package dataset

import "testing"

func TestSomeParts(t *testing.T) {
	many := make([]int, 125)
	for i := range many {
		many[i] = 2 * i
	}
	for want, parts := range map[string][]int{
		"3": {3}, "0 2 4 6 8 10 12 14": many[:8], "0 2 4 6 8 10 12 14 16": many[:9],
		"0 2 4 6 8 10 12 14 … 248": many,
	} {
		if got := someParts(parts); got != want {
			t.Errorf("%d parts: %q, want %q", len(parts), got, want)
		}
	}
}
