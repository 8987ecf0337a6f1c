// Package near finds what a mistyped name may be meant for.
package near

import "strings"

// Names returns those of the names that differ from a word in one letter, else in two,
// and those that begin with it. Two letters exchanged count as one.
func Names(word string, names []string) []string {
	for most := 1; most <= 2; most++ {
		var found []string
		for _, name := range names {
			d := distance(strings.ToLower(word), strings.ToLower(name))
			if d <= most && d < len(word) || word != "" && strings.HasPrefix(name, word) {
				found = append(found, name)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// Ask returns the question after a mistake, ": did you mean …?", or "" where there is no
// name near; before stands before every name.
func Ask(word, before string, names []string) string {
	found := Names(word, names)
	if found == nil {
		return ""
	}
	return ": did you mean " + before + strings.Join(found, " or "+before) + "?"
}

// distance is how many letters have to be changed, added, left out, or exchanged with the
// next one, each letter once.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return 64
	}
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range y {
		d[0][j+1] = j + 1
	}
	for i := range x {
		for j := range y {
			changed := d[i][j]
			if x[i] != y[j] {
				changed++
			}
			best := min(changed, d[i][j+1]+1, d[i+1][j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				best = min(best, d[i-1][j-1]+1)
			}
			d[i+1][j+1] = best
		}
	}
	return d[len(x)][len(y)]
}
