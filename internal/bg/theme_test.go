package bg

import "testing"

func TestThemeOf(t *testing.T) {
	side := func(points map[int]uint8) (s Side) {
		for p, n := range points {
			s[p-1] = n
		}
		return s
	}
	home := side(map[int]uint8{6: 4, 5: 4, 4: 3, 8: 4})
	for name, c := range map[string]struct {
		b     Board
		theme Theme
	}{
		"back game": {Board{Me: side(map[int]uint8{23: 3, 21: 3, 6: 3, 5: 3, 4: 3}),
			Opp: side(map[int]uint8{7: 5, 6: 4, 3: 2, 5: 2, 9: 2})}, BackGames},
		"massive back game": {Board{Me: side(map[int]uint8{25: 1, 24: 3, 22: 2, 20: 1, 12: 5, 2: 3}),
			Opp: side(map[int]uint8{7: 5, 6: 4, 3: 2, 5: 2, 9: 2})}, MassiveBackGames},
		"six back": {Board{Me: side(map[int]uint8{24: 3, 22: 2, 20: 1, 18: 1, 12: 5, 2: 3}),
			Opp: side(map[int]uint8{7: 5, 6: 4, 3: 2, 5: 2, 9: 2})}, BackGames},
		"ten off": {Board{Me: side(map[int]uint8{6: 2, 5: 1, 4: 2}),
			Opp: side(map[int]uint8{25: 1, 6: 4, 5: 4, 4: 3, 8: 3})}, TenOffs},
		"ten off and a race": {Board{Me: side(map[int]uint8{6: 2, 5: 1, 4: 2}), Opp: home}, OtherThemes},
		"containment with many back": {Board{Me: side(map[int]uint8{24: 2, 23: 2, 6: 4, 5: 4, 4: 3}),
			Opp: side(map[int]uint8{1: 2, 2: 2, 3: 2, 4: 3, 5: 2, 6: 2, 25: 2})}, ManyBacks},
		"ace-point game": {Board{Me: side(map[int]uint8{24: 2, 6: 4, 5: 4, 4: 3, 3: 2}), Opp: home}, AcePoints},
		"containment": {Board{Me: side(map[int]uint8{24: 1, 6: 4, 5: 4, 4: 3, 8: 3}),
			Opp: side(map[int]uint8{1: 2, 2: 2, 3: 2, 4: 3, 5: 2, 6: 2, 25: 1})}, Containments},
		"primes": {Board{Me: side(map[int]uint8{24: 2, 8: 3, 7: 3, 6: 3, 5: 2, 4: 2}),
			Opp: side(map[int]uint8{24: 2, 8: 3, 7: 3, 6: 3, 5: 2, 4: 2})}, Primes},
		"opening": {Start, OtherThemes},
	} {
		theme, mine := ThemeOf(&c.b)
		if theme != c.theme || !mine {
			t.Errorf("%s: %v, mine %v", name, theme, mine)
		}
		if swapped := c.b.Swapped(); theme != OtherThemes && theme != Primes {
			if got, mine := ThemeOf(&swapped); got != theme || mine {
				t.Errorf("%s, the other side on roll: %v, mine %v", name, got, mine)
			}
		}
	}
}
