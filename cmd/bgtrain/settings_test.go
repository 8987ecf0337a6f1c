package main

import (
	"slices"
	"strings"
	"testing"

	"bgtrain/internal/setting"

	"github.com/spf13/pflag"
)

// Every number on the command line is a setting, which describes what it may be, and refuses
// what it may not with its range.
func TestNumbersAreSettings(t *testing.T) {
	kinds := []string{"int", "float32", "float64", "intSlice", "float64Slice", "duration", "uint64"}
	n := 0
	for path, c := range everyCommand() {
		c.describe().flags.VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(kinds, f.Value.Type()) {
				return
			}
			s := setting.Of(f)
			switch {
			case s == nil:
				t.Errorf("bgtrain %s --%s: a number that is no setting", path, f.Name)
			case f.Value.Type() == "uint64" || f.Value.Type() == "duration":
			case s.Range == setting.Range{}:
				t.Errorf("bgtrain %s --%s: a number without a range", path, f.Name)
			default:
				before := f.Value.String()
				for _, text := range []string{"1e300", "-1e300", "NaN", "x"} {
					if err := f.Value.Set(text); err == nil || !strings.Contains(err.Error(), s.Range.String()) {
						t.Errorf("bgtrain %s --%s %s: error %v, %s expected", path, f.Name, text, err, s.Range)
					}
				}
				if f.Value.String() != before {
					t.Errorf("bgtrain %s --%s: refused, but now %s", path, f.Name, f.Value)
				}
				n++
			}
		})
	}
	if n < 80 {
		t.Errorf("%d numbers with ranges", n)
	}
}
