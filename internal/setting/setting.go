// Package setting lists each setting of a package once: its name, where its value
// is kept (which says type and default), what it may be, and what it does. Flags,
// recipes, forms, checks, the identity of a run and provenance come from such a list.
package setting

import (
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Setting is one setting.
type Setting struct {
	Name  string // of the flag
	Short string // the flag's letter; "": none
	Help  string

	// To is where the value is: a pointer to a bool, whole number, float, string or
	// time.Duration, to a slice of numbers or strings, or a Value. What it holds when
	// AddFlags is called is the default.
	To any

	// Key names the setting in provenance and in the identity of a run. Without
	// one it changes no result.
	Key string
	// Unused: the values of other settings leave this one without effect now.
	Unused bool

	Range Range    // of a number, and of each number of a slice; the zero value: any finite one
	Known []string // of a string, and of each string of a slice; nil: any. Help need not name them
}

// Value is a value of a type of its own. Set leaves it as it is where the text is
// none of the type; its error describes what was expected. A Value with a method
// Type() string that returns "strings" is a list: a flag that is given again adds to it.
type Value = flag.Value

// Parsed is the Value of a type that parse reads and text writes. A list's words are
// between commas.
func Parsed[T any](to *T, parse func(text string) (T, error), text func(T) string) Value {
	return &parsed[T]{to, parse, text}
}

type parsed[T any] struct {
	to    *T
	parse func(text string) (T, error)
	text  func(T) string
}

// String returns the value as text.
func (p *parsed[T]) String() string { return p.text(*p.to) }

// Set parses a value; after an error it is as before.
func (p *parsed[T]) Set(text string) error {
	x, err := p.parse(text)
	if err == nil {
		*p.to = x
	}
	return err
}

// Range is what a number may be.
type Range struct {
	Least, Most float64
	Above       bool // Least itself is too little
	Below       bool // Most itself is too much
	Else        *float64
}

// From is the range from least to most, both included.
func From(least, most float64) Range { return Range{Least: least, Most: most} }

// Below is the range from least to below most.
func Below(least, most float64) Range { return Range{Least: least, Most: most, Below: true} }

// Above is the range from above least to most.
func Above(least, most float64) Range { return Range{Least: least, Most: most, Above: true} }

// Or is the range and x besides, such as a 0 that stands for a default.
func (r Range) Or(x float64) Range {
	r.Else = &x
	return r
}

// Has reports whether x is in the range. NaN and infinities are in none.
func (r Range) Has(x float64) bool {
	switch {
	case r == Range{}:
		return !math.IsNaN(x) && !math.IsInf(x, 0)
	case r.Else != nil && x == *r.Else:
		return true
	}
	return (x > r.Least || x == r.Least && !r.Above) && (x < r.Most || x == r.Most && !r.Below)
}

// String describes the range, such as "1 to 10"; "" where any number will do.
func (r Range) String() string {
	if r == (Range{}) {
		return ""
	}
	text := decimal(r.Least) + " to "
	if r.Above {
		text = "above " + text
	}
	if r.Below {
		text += "below "
	}
	text += decimal(r.Most)
	if r.Else != nil {
		text += " or " + decimal(*r.Else)
	}
	return text
}

// decimal is x without an exponent, but for the smallest and largest numbers.
func decimal(x float64) string {
	if a := math.Abs(x); a >= 1e-3 && a < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// List is the settings of a package, in the order of its help.
type List []Setting

// Lookup returns the setting of a name, nil if there is none.
func (l List) Lookup(name string) *Setting {
	if i := slices.IndexFunc(l, func(s Setting) bool { return s.Name == name }); i >= 0 {
		return &l[i]
	}
	return nil
}

// Set sets a setting from text, as its flag does. On an error, of an unknown name or
// of a value that the setting cannot have, all stay as they were.
func (l List) Set(name, text string) error {
	s := l.Lookup(name)
	if s == nil {
		return fmt.Errorf("unknown setting %q", name)
	}
	if err := s.set(text, false); err != nil {
		return fmt.Errorf("%s %s: %w", name, text, err)
	}
	return nil
}

// Without returns the list but the settings of some names.
func (l List) Without(names ...string) List {
	return slices.DeleteFunc(slices.Clone(l), func(s Setting) bool { return slices.Contains(names, s.Name) })
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
	if _, ok := s.To.(Value); ok {
		return nil // Set lets no other pass
	}
	for _, x := range s.elements() {
		if err := s.expected(x); err != nil {
			if x.Kind() == reflect.String {
				return fmt.Errorf("unknown %s %q (known: %s)", s.Name, x, strings.Join(s.Known, ", "))
			}
			return fmt.Errorf("%s %s: %w", s.Name, s.Text(), err)
		}
	}
	return nil
}

// Values returns what results depend on: the settings with a Key, but unused ones, by it.
func (l List) Values() map[string]string {
	out := map[string]string{}
	for _, s := range l {
		if s.Key != "" && !s.Unused {
			out[s.Key] = s.Text()
		}
	}
	return out
}
