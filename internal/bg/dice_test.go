package bg

import "testing"

func TestParseDice(t *testing.T) {
	for text, want := range map[string][2]int{"31": {3, 1}, "6-6": {6, 6}, "2, 5": {2, 5}, "1 4": {1, 4}} {
		if got, err := ParseDice(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "3", "311", "07", "3x1", "3/1", "é1"} {
		if got, err := ParseDice(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
