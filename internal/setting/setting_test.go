package setting

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

type settings struct {
	n     int
	x     float64
	seed  uint64
	kind  string
	sizes []int
	files []string
	rates []float64
	every time.Duration
	on    bool
}

func (s *settings) list() List {
	return List{
		{Name: "games", Key: "n", Help: "games", To: &s.n, Range: From(1, 10)},
		{Name: "rate", Key: "x", Help: "rate", To: &s.x, Range: Below(0, 1)},
		{Name: "seed", Key: "seed", Help: "seed", To: &s.seed},
		{Name: "kind", Key: "kind", Help: "kind", To: &s.kind, Known: []string{"a", "b"}},
		{Name: "hidden", Key: "hidden", Help: "sizes", To: &s.sizes, Range: From(1, 9)},
		{Name: "file", Short: "f", Help: "files", To: &s.files},
		{Name: "rates", Key: "rates", Help: "rates", To: &s.rates, Range: From(0, 1)},
		{Name: "every", Help: "time", To: &s.every},
		{Name: "on", Key: "on", Help: "switch", To: &s.on},
	}
}

func good() *settings {
	return &settings{n: 3, x: 0.5, seed: 7, kind: "a", sizes: []int{4, 2}, rates: []float64{0.1, 1}, every: time.Second}
}

func TestFlagsSetAndKeepDefaults(t *testing.T) {
	s := good()
	f := pflag.NewFlagSet("x", pflag.ContinueOnError)
	s.list().AddFlags(f)
	if err := f.Parse([]string{"--rate", "0.25", "--hidden", "8", "-f", "a,b", "--every", "2s", "--on", "--seed",
		"9"}); err != nil {
		t.Fatal(err)
	}
	if s.n != 3 || s.x != 0.25 || len(s.sizes) != 1 || s.sizes[0] != 8 || len(s.files) != 2 ||
		s.every != 2*time.Second || !s.on || s.seed != 9 {
		t.Errorf("%+v", s)
	}
	if help := f.FlagUsages(); !strings.Contains(help, "kind: a, b") || !strings.Contains(help, "(default 3)") {
		t.Errorf("help without names or defaults:\n%s", help)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		change func(s *settings)
		want   string
	}{
		{func(s *settings) {}, ""},
		{func(s *settings) { s.n = 0 }, "games 0: 1 to 10 expected"},
		{func(s *settings) { s.x = 1 }, "rate 1: 0 to below 1 expected"},
		{func(s *settings) { s.x /= 0 * s.x }, "rate +Inf"},
		{func(s *settings) { s.x = (s.x - s.x) / (s.x - s.x) }, "rate NaN"},
		{func(s *settings) { s.kind = "c" }, `unknown kind "c" (known: a, b)`},
		{func(s *settings) { s.sizes = []int{3, 10} }, "hidden [3,10]"},
		{func(s *settings) { s.rates = []float64{2} }, "rates [2]"},
	} {
		s := good()
		c.change(s)
		err := s.list().Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, %q expected", err, c.want)
		}
	}
}

func TestValuesAreWhatChangesResults(t *testing.T) {
	want := map[string]string{"n": "3", "x": "0.5", "seed": "7", "kind": "a", "hidden": "[4,2]", "rates": "[0.1,1]",
		"on": "false"}
	if got := good().list().Values(); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
