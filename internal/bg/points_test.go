package bg

import "testing"

func TestPoints(t *testing.T) {
	tests := []struct {
		name string
		b    Board
		want int
	}{
		{"not over", Start, 0},
		{"a checker off", Board{Me: Side{5: 14}}, 1},
		{"gammon", Board{Me: Side{5: 13, 17: 2}}, 2},
		{"backgammon", Board{Me: Side{5: 14, 18: 1}}, 3},
		{"on the bar", Board{Me: Side{5: 14, Bar: 1}}, 3},
		{"the loser far back, a checker off", Board{Me: Side{5: 13, 18: 1}}, 1},
	}
	for _, tt := range tests {
		if got := tt.b.Points(); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
