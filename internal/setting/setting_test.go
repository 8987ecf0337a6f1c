package setting

import (
	"errors"
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
	part  float32
	own   letters
}

// letters is a Value: a list of single letters.
type letters string

func (l *letters) String() string { return string(*l) }
func (l *letters) Type() string   { return "strings" }
func (l *letters) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		if len(word) != 1 {
			return errors.New("letters expected")
		}
	}
	*l = letters(text)
	return nil
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
		{Name: "part", Help: "part", To: &s.part, Range: Above(0, 1).Or(-1)},
		{Name: "own", Help: "letters", To: &s.own},
		{Name: "off", Key: "off", Help: "switch", To: &s.on, Unused: true},
	}
}

func good() *settings {
	return &settings{n: 3, x: 0.5, seed: 7, kind: "a", sizes: []int{4, 2}, rates: []float64{0.1, 1}, every: time.Second,
		part: 0.5}
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

// Flags and Set take the same texts and refuse the same, and a refused one changes nothing.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"games", "10", "10"},
		{"games", "1e1", "10"},
		{"games", "11", "1 to 10 expected"},
		{"games", "2.5", "a whole number, 1 to 10, expected"},
		{"rate", "0.25", "0.25"},
		{"rate", "1", "0 to below 1 expected"},
		{"rate", "NaN", "0 to below 1 expected"},
		{"rate", "x", "a number, 0 to below 1, expected"},
		{"part", "1", "1"},
		{"part", "-1", "-1"},
		{"part", "0", "above 0 to 1 or -1 expected"},
		{"seed", "18446744073709551615", "18446744073709551615"},
		{"seed", "-1", "a whole number from 0 expected"},
		{"kind", "b", "b"},
		{"kind", "c", "a or b expected"},
		{"hidden", "9,3", "[9,3]"},
		{"hidden", "9,10", "1 to 9 expected"},
		{"rates", "0.5,Inf", "0 to 1 expected"},
		{"file", `a,"b,c"`, "[a,b,c]"},
		{"file", `a"`, "words with commas expected"},
		{"every", "5m", "5m0s"},
		{"every", "5", "a time such as 30s or 5m expected"},
		{"on", "true", "true"},
		{"on", "perhaps", "true or false expected"},
		{"own", "x,y", "x,y"},
		{"own", "xy", "letters expected"},
	} {
		s := good()
		l := s.list()
		f := pflag.NewFlagSet("x", pflag.ContinueOnError)
		good := good()
		good.list().AddFlags(f)
		before := l.Lookup(c.name).Text()
		byFlag, byName := f.Parse([]string{"--" + c.name + "=" + c.text}), l.Set(c.name, c.text)
		if byName == nil {
			if got := l.Lookup(c.name).Text(); got != c.want || f.Lookup(c.name).Value.String() != c.want || byFlag != nil {
				t.Errorf("%s %s: %s, as a flag %s (%v)", c.name, c.text, got, f.Lookup(c.name).Value, byFlag)
			}
			continue
		}
		if !strings.Contains(byName.Error(), c.want) || byFlag == nil || !strings.Contains(byFlag.Error(), c.want) {
			t.Errorf("%s %s: error %v, as a flag %v, want %s", c.name, c.text, byName, byFlag, c.want)
		}
		if got := l.Lookup(c.name).Text(); got != before {
			t.Errorf("%s %s: refused, but now %s", c.name, c.text, got)
		}
	}
	if err := good().list().Set("color", "red"); err == nil {
		t.Error("an unknown setting is set")
	}
}

// What is given first takes the place of a default, what is given again is added.
func TestListsGrow(t *testing.T) {
	s := good()
	f := pflag.NewFlagSet("x", pflag.ContinueOnError)
	s.list().AddFlags(f)
	if err := f.Parse([]string{"--hidden", "8", "--hidden", "7,6", "--own", "a", "--own", "b"}); err != nil {
		t.Fatal(err)
	}
	if got := s.list().Lookup("hidden").Text() + s.own.String(); got != "[8,7,6]a,b" {
		t.Error(got)
	}
}
