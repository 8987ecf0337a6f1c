package grow

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A round says of decisions only if the recipe makes any.
func TestLogWithoutDecisions(t *testing.T) {
	with := RoundLine{Round: 1, ER: 5.57, ERSE: 1.7, Within: 0.0268, Against: "start", Passed: true}
	without := RoundLine{Round: 2, Points: 0.0162, PointsSE: 0.0043, Against: "round 1", Passed: true}
	var table strings.Builder
	if err := (&Log{Rounds: []RoundLine{with, without}}).WriteText(&table, "dir"); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(table.String(), "\n")
	for _, text := range []string{with.String(), rows[1]} {
		if !strings.Contains(text, "5.57 ± 1.70") || !strings.Contains(text, "0.0268") {
			t.Errorf("%q: the error rate is missing", text)
		}
	}
	for _, text := range []string{without.String(), rows[2]} {
		if strings.Contains(text, "0.00 ±") || strings.Contains(text, "0.0000") {
			t.Errorf("%q: an error rate that nobody measured", text)
		}
	}
	column := func(row string) int {
		before, _, _ := strings.Cut(row, "against")
		return utf8.RuneCountInString(before)
	}
	if a, b := column(rows[1]), column(rows[2]); a != b {
		t.Errorf("columns %d and %d: not below each other\n%s", a, b, table.String())
	}
}
