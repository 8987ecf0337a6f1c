package setting

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// AddFlags defines a flag for each setting. A value that is out of range or not known
// ends the parsing with an error that describes what was expected.
func (l List) AddFlags(f *pflag.FlagSet) {
	for i := range l {
		s := l[i]
		help := s.Help
		if slices.ContainsFunc(s.Known, func(name string) bool { return !strings.Contains(help, name) }) {
			help += ": " + strings.Join(s.Known, ", ")
		}
		v := &flagValue{Setting: &s}
		if v.Type() == "" {
			panic(fmt.Sprintf("setting %s: a %T has no flag", s.Name, s.To))
		}
		var value pflag.Value = v
		if _, own := s.To.(Value); !own && s.value().Kind() == reflect.Slice {
			value = &flagSlice{v}
		}
		if added := f.VarPF(value, s.Name, s.Short, help); v.Type() == "bool" {
			added.NoOptDefVal = "true"
		}
	}
}

// Of returns the setting that a flag is of, nil where it is of none.
func Of(f *pflag.Flag) *Setting {
	switch v := f.Value.(type) {
	case *flagValue:
		return v.Setting
	case *flagSlice:
		return v.Setting
	}
	return nil
}

// Type is the name of the value's type, as package pflag names its own.
func (s *Setting) Type() string {
	switch v := s.To.(type) {
	case interface{ Type() string }:
		return v.Type()
	case Value:
		return "string"
	}
	to := s.value().Type()
	if to == duration {
		return "duration"
	}
	if to.Kind() == reflect.Slice {
		return map[reflect.Kind]string{reflect.Int: "intSlice", reflect.Float64: "float64Slice",
			reflect.String: "stringSlice"}[to.Elem().Kind()]
	}
	return map[reflect.Kind]string{reflect.Bool: "bool", reflect.Int: "int", reflect.Uint64: "uint64",
		reflect.Float32: "float32", reflect.Float64: "float64", reflect.String: "string"}[to.Kind()]
}

// flagValue is a setting as a flag.
type flagValue struct {
	*Setting
	given bool // of a list, what comes now is added
}

// String returns the value as text.
func (v *flagValue) String() string { return v.Text() }

// Set takes a value, of a list after the first time one more.
func (v *flagValue) Set(text string) error {
	err := v.set(text, v.given)
	v.given = true
	return err
}

// flagSlice is a setting with a slice as a flag.
type flagSlice struct{ *flagValue }

// Append adds a value.
func (v *flagSlice) Append(text string) error { return v.set(text, true) }

// Replace sets all values.
func (v *flagSlice) Replace(words []string) error { return v.set(strings.Join(words, ","), false) }

// GetSlice returns the values as text.
func (v *flagSlice) GetSlice() []string { return v.words() }
