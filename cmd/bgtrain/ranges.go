package main

import (
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// span is what a number on the command line may be, both ends included.
type span struct{ least, most float64 }

// anyCount and anyReal are the spans of whole and of other numbers without one of
// their own here. The packages check more closely: a setting's range says what makes
// sense, this what the program can bear.
var (
	anyCount = span{-1, 1e9}
	anyReal  = span{-1e12, 1e12}
)

// spans are those of number flags, by name; they mean the same in every command.
var spans = map[string]span{
	"seed":         {0, math.MaxUint64},
	"workers":      {0, 4096},
	"cache":        {0, 65536}, // MiB
	"hidden":       {1, 4096},
	"round":        {1, 1e6},
	"amplify":      {0, 1e7},
	"replay":       {0, 1e8},
	"batch":        {1, 1e7},
	"chunk":        {1, 1e8},
	"trials":       {1, 1e8},
	"candidates":   {2, 1000},
	"random-plays": {0, 1000},
	"worst":        {0, 1e6},
}

// checkNumbers checks every number flag, before work begins, against its span. NaN
// and infinities are in none.
func checkNumbers(f *pflag.FlagSet) (err error) {
	f.Visit(func(flag *pflag.Flag) {
		if err != nil {
			return
		}
		s, own := spans[flag.Name]
		values := []string{flag.Value.String()}
		switch flag.Value.Type() {
		case "float32", "float64", "float32Slice", "float64Slice":
			if !own {
				s = anyReal
			}
		case "int", "int64", "uint64", "uint", "intSlice":
			if !own {
				s = anyCount
			}
		default:
			return
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, text := range values {
			x, bad := strconv.ParseFloat(text, 64)
			if bad != nil || !(x >= s.least && x <= s.most) {
				err = usagef("--%s %s: %.10g to %.10g expected", flag.Name, text, s.least, s.most)
			}
		}
	})
	return err
}
