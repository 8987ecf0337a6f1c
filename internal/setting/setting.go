// Package setting says each setting of a package once: its name, where its value
// is kept (which says type and default), what it may be, and what it does. Flags,
// checks, the identity of a run and provenance come from such a list.
package setting

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Setting is one setting.
type Setting struct {
	Name  string // of the flag
	Short string // the flag's letter; "": none
	Help  string

	// To is where the value is: a pointer to a bool, int, uint64, float64, string,
	// time.Duration, or to a slice of int, float64 or string. What it holds when
	// AddFlags is called is the default.
	To any

	// Key names the setting in provenance and in the identity of a run. Without
	// one it changes no result.
	Key string

	Range Range    // of a number, and of each number of a slice; the zero value: any
	Known []string // of a string; nil: any
}

// Range is what a number may be.
type Range struct {
	Least, Most float64
	Below       bool // Most itself is too much
}

// Below is the range from least to below most, From that from least to most.
func Below(least, most float64) Range { return Range{least, most, true} }

// From is the range from least to most, both included.
func From(least, most float64) Range { return Range{Least: least, Most: most} }

func (r Range) check(x float64) error {
	if r == (Range{}) || x >= r.Least && (x < r.Most || x == r.Most && !r.Below) {
		return nil
	}
	upTo := "to"
	if r.Below {
		upTo = "to below"
	}
	return fmt.Errorf("%v %s %v expected", r.Least, upTo, r.Most)
}

// List is the settings of a package, in the order of its help.
type List []Setting

// AddFlags defines a flag for each setting.
func (l List) AddFlags(f *pflag.FlagSet) {
	for _, s := range l {
		help := s.Help
		if len(s.Known) > 0 {
			help += ": " + strings.Join(s.Known, ", ")
		}
		switch to := s.To.(type) {
		case *bool:
			f.BoolVarP(to, s.Name, s.Short, *to, help)
		case *int:
			f.IntVarP(to, s.Name, s.Short, *to, help)
		case *uint64:
			f.Uint64VarP(to, s.Name, s.Short, *to, help)
		case *float64:
			f.Float64VarP(to, s.Name, s.Short, *to, help)
		case *string:
			f.StringVarP(to, s.Name, s.Short, *to, help)
		case *time.Duration:
			f.DurationVarP(to, s.Name, s.Short, *to, help)
		case *[]int:
			f.IntSliceVarP(to, s.Name, s.Short, *to, help)
		case *[]float64:
			f.Float64SliceVarP(to, s.Name, s.Short, *to, help)
		case *[]string:
			f.StringSliceVarP(to, s.Name, s.Short, *to, help)
		default:
			panic(fmt.Sprintf("setting %s: a %T has no flag", s.Name, s.To))
		}
	}
}

// Check reports the first setting that is out of range or unknown, by its name.
func (l List) Check() error {
	for _, s := range l {
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Setting) check() error {
	var numbers []float64
	switch to := s.To.(type) {
	case *int:
		numbers = []float64{float64(*to)}
	case *float64:
		numbers = []float64{*to}
	case *[]float64:
		numbers = *to
	case *[]int:
		for _, x := range *to {
			numbers = append(numbers, float64(x))
		}
	case *string:
		if s.Known != nil && !slices.Contains(s.Known, *to) {
			return fmt.Errorf("unknown %s %q (known: %s)", s.Name, *to, strings.Join(s.Known, ", "))
		}
	}
	for _, x := range numbers {
		if err := s.Range.check(x); err != nil {
			return fmt.Errorf("%s %s: %w", s.Name, s.text(), err)
		}
	}
	return nil
}

// Values returns what results depend on: the settings with a Key, by it.
func (l List) Values() map[string]string {
	out := map[string]string{}
	for _, s := range l {
		if s.Key != "" {
			out[s.Key] = s.text()
		}
	}
	return out
}

// text is the value as text; the same value gives the same text.
func (s *Setting) text() string {
	join := func(n int, at func(i int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = at(i)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	switch to := s.To.(type) {
	case *bool:
		return strconv.FormatBool(*to)
	case *int:
		return strconv.Itoa(*to)
	case *uint64:
		return strconv.FormatUint(*to, 10)
	case *float64:
		return number(*to)
	case *string:
		return *to
	case *[]int:
		return join(len(*to), func(i int) string { return strconv.Itoa((*to)[i]) })
	case *[]float64:
		return join(len(*to), func(i int) string { return number((*to)[i]) })
	case *[]string:
		return join(len(*to), func(i int) string { return (*to)[i] })
	}
	return fmt.Sprint(s.To)
}

// number is x as JSON has it, and NaN and infinities as Go has them.
func number(x float64) string {
	if text, err := json.Marshal(x); err == nil {
		return string(text)
	}
	return fmt.Sprint(x)
}
