package bg

import (
	"fmt"
	"strings"
)

// Roll is one of the 21 distinct rolls.
type Roll struct {
	Hi, Lo int     // the two dice, Hi >= Lo
	Weight float32 // how many of the 36 ordered rolls it stands for, 1 or 2
}

// Rolls lists the 21 distinct rolls; the weights add up to 36.
var Rolls = func() (r [21]Roll) {
	n := 0
	for hi := 1; hi <= 6; hi++ {
		for lo := 1; lo <= hi; lo++ {
			w := float32(2)
			if hi == lo {
				w = 1
			}
			r[n] = Roll{hi, lo, w}
			n++
		}
	}
	return r
}()

// ParseDice reads a roll written as two digits, with or without something between.
func ParseDice(text string) ([2]int, error) {
	digits := strings.NewReplacer("-", "", ",", "", " ", "").Replace(text)
	if len(digits) != 2 || strings.Trim(digits, "123456") != "" {
		return [2]int{}, fmt.Errorf("dice %q: two digits from 1 to 6 expected", text)
	}
	return [2]int{int(digits[0] - '0'), int(digits[1] - '0')}, nil
}
