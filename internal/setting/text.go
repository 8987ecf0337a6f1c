package setting

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

var duration = reflect.TypeFor[time.Duration]()

// Text is the value as text; the same value gives the same text. Slices are in
// brackets.
func (s *Setting) Text() string {
	if v, ok := s.To.(Value); ok {
		return v.String()
	}
	to := s.value()
	if to.Kind() != reflect.Slice {
		return textOf(to)
	}
	return "[" + strings.Join(s.words(), ",") + "]"
}

// words are the elements as text.
func (s *Setting) words() []string {
	var words []string
	for _, x := range s.elements() {
		words = append(words, textOf(x))
	}
	return words
}

// value is what To points to.
func (s *Setting) value() reflect.Value { return reflect.ValueOf(s.To).Elem() }

// elements are those of a slice, or else the value itself.
func (s *Setting) elements() []reflect.Value {
	to := s.value()
	if to.Kind() != reflect.Slice {
		return []reflect.Value{to}
	}
	elements := make([]reflect.Value, to.Len())
	for i := range elements {
		elements[i] = to.Index(i)
	}
	return elements
}

// textOf is a single value as text: numbers as JSON has them, and NaN and infinities
// as Go has them.
func textOf(x reflect.Value) string {
	if x.Type() != duration && x.Kind() != reflect.String {
		if text, err := json.Marshal(x.Interface()); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(x)
}

// set sets the value, or adds to a slice, from text; on an error it stays as it was.
func (s *Setting) set(text string, add bool) error {
	if v, ok := s.To.(Value); ok {
		if before := v.String(); add && s.Type() == "strings" && before != "" {
			text = before + "," + text
		}
		return v.Set(text)
	}
	to := s.value()
	if to.Kind() != reflect.Slice {
		x, err := s.parse(text, to.Type())
		if err == nil {
			to.Set(x)
		}
		return err
	}
	words, err := split(text)
	if err != nil {
		return err
	}
	all := reflect.MakeSlice(to.Type(), 0, len(words))
	if add {
		all = to
	}
	for _, word := range words {
		x, err := s.parse(word, to.Type().Elem())
		if err != nil {
			return err
		}
		all = reflect.Append(all, x)
	}
	to.Set(all)
	return nil
}

// split cuts a list at its commas; words may be in quotes.
func split(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	words, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return nil, fmt.Errorf("words with commas expected: %w", err)
	}
	return words, nil
}

// parse reads one value of a type and checks it.
func (s *Setting) parse(text string, as reflect.Type) (reflect.Value, error) {
	x := reflect.New(as).Elem()
	var err error
	switch kind := as.Kind(); {
	case as == duration:
		var d time.Duration
		d, err = time.ParseDuration(text)
		x.SetInt(int64(d))
	case kind == reflect.Bool:
		var on bool
		on, err = strconv.ParseBool(text)
		x.SetBool(on)
	case x.CanInt():
		var n int64
		if n, err = strconv.ParseInt(text, 0, as.Bits()); err != nil {
			n, err = parseWhole(text)
		}
		x.SetInt(n)
	case x.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 0, as.Bits())
		x.SetUint(n)
	case x.CanFloat():
		var v float64
		v, err = strconv.ParseFloat(text, as.Bits())
		x.SetFloat(v)
	default:
		x.SetString(text)
	}
	if err != nil {
		return x, s.unlike(as)
	}
	return x, s.expected(x)
}

// parseWhole reads a whole number such as 2e8.
func parseWhole(text string) (int64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, strconv.ErrSyntax
	}
	return int64(x), nil
}

// unlike is the error of a text that is no value of the type.
func (s *Setting) unlike(as reflect.Type) error {
	what := wanted[as.Kind()]
	if as == duration {
		what = "a time such as 30s or 5m"
	}
	if r := s.Range.String(); r != "" {
		what += ", " + r + ","
	}
	return fmt.Errorf("%s expected", what)
}

// wanted are values by their kind.
var wanted = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Uint64: "a whole number from 0",
	reflect.Float32: "a number", reflect.Float64: "a number",
}

// expected checks one value, of the setting or of a slice in it.
func (s *Setting) expected(x reflect.Value) error {
	ok := true
	switch {
	case x.Type() == duration:
		ok = s.Range.Has(time.Duration(x.Int()).Seconds())
	case x.CanInt():
		ok = s.Range.Has(float64(x.Int()))
	case x.CanUint():
		ok = s.Range.Has(float64(x.Uint()))
	case x.CanFloat():
		ok = s.Range.Has(x.Float())
	case x.Kind() == reflect.String && s.Known != nil && !slices.Contains(s.Known, x.String()):
		return fmt.Errorf("%s expected", alternatives(s.Known))
	}
	if ok {
		return nil
	}
	if s.Range == (Range{}) {
		return errors.New("a finite number expected")
	}
	return fmt.Errorf("%s expected", s.Range)
}

// alternatives are words as "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
