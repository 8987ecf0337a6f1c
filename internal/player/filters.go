package player

import (
	"fmt"
	"strconv"
	"strings"
)

// Filter narrows the candidate plays after all of them have been evaluated at
// one ply, before the next.
type Filter struct {
	Accept    int     // keep so many whatever their equity; -1: skip this ply altogether
	Extra     int     // and at most so many more …
	Threshold float32 // … within this equity of the best
}

// Filters holds, for a choice at p-ply, the p filters Filters[p-1] that are
// applied after the evaluations at 0-ply to (p-1)-ply.
type Filters [][]Filter

// MaxPly is the deepest look-ahead.
const MaxPly = 3

var (
	// NormalFilters are GNU Backgammon 1.07's "normal" move filters.
	NormalFilters = Filters{
		{{0, 8, 0.16}},
		{{0, 8, 0.16}, {Accept: -1}},
		{{0, 8, 0.16}, {Accept: -1}, {0, 2, 0.04}},
	}

	// NoFilters evaluates every play at the full ply.
	NoFilters = Filters{
		{{Accept: -1}},
		{{Accept: -1}, {Accept: -1}},
		{{Accept: -1}, {Accept: -1}, {Accept: -1}},
	}
)

// Check reports filters that do not cover every ply up to MaxPly.
func (f Filters) Check() error {
	if len(f) != MaxPly {
		return fmt.Errorf("move filters for %d plies, %d expected", len(f), MaxPly)
	}
	for i, fs := range f {
		if len(fs) != i+1 {
			return fmt.Errorf("%d move filters for %d-ply, %d expected", len(fs), i+1, i+1)
		}
	}
	return nil
}

// keep returns how many of the candidates, best first, go on to the next ply.
func (f Filter) keep(cs []Candidate) int {
	n := min(f.Accept, len(cs))
	for limit := min(f.Accept+f.Extra, len(cs)); n < limit; n++ {
		if cs[n].Equity < cs[0].Equity-f.Threshold {
			break
		}
	}
	return max(n, 1)
}

// ParseFilters reads filters as people write them: "normal", "none", or
// COUNT/POINTS such as "8/0.2", which after the 0-ply evaluation keeps at most
// so many plays within so many points of the best, and no filter later.
func ParseFilters(s string) (Filters, error) {
	switch s {
	case "normal":
		return NormalFilters, nil
	case "none":
		return NoFilters, nil
	}
	count, points, ok := strings.Cut(s, "/")
	n, err1 := strconv.Atoi(count)
	within, err2 := strconv.ParseFloat(points, 32)
	if !ok || err1 != nil || err2 != nil || n < 1 || !(within >= 0) {
		return nil, fmt.Errorf("move filter %q: normal, none, or COUNT/POINTS such as 8/0.2 expected", s)
	}
	f := make(Filters, MaxPly)
	for i := range f {
		f[i] = append(f[i], Filter{0, n, float32(within)})
		for range i {
			f[i] = append(f[i], Filter{Accept: -1})
		}
	}
	return f, nil
}
