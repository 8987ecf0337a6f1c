package near

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	nets := []string{"default", "fast", "gnubg-size", "gnubg-wide", "td"}
	for word, want := range map[string]string{
		"defualt": "default", "defaults": "default", "DEFAULT": "default", "dfault": "default", "gnubg": "gnubg-size gnubg-wide",
		"gnubg-sise": "gnubg-size", "tb": "td", "dt": "td", "x": "", "": "", "fsat": "fast", "something": "",
		strings.Repeat("x", 1000): "",
	} {
		if got := strings.Join(Names(word, nets), " "); got != want {
			t.Errorf("%q: %q, %q expected", word, got, want)
		}
	}
	if got := Ask("dfault", "--", nets); got != ": did you mean --default?" {
		t.Error(got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "ba", 1}, {"abc", "cab", 2}, {"kitten", "sitting", 3}, {"gewählt", "gewahlt", 1}} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != got {
			t.Errorf("%s %s: %d, %d", c.a, c.b, got, back)
		}
	}
}
