package met

import "fmt"

// Grow makes a table of so many points from nothing but a way to value a game:
// value returns the chance to win the match of a player who needs away points
// before a game against one who needs opponent; crawford and post are whether it
// is the Crawford game or one after it. The table that it is given holds all
// scores that the game can lead to. value is asked for away >= opponent only, and
// not for even scores.
func Grow(name string, length int, value func(t *Table, away, opponent int, crawford, post bool) (float64,
	error)) (*Table, error) {
	if length < 1 || length > MaxLength {
		return nil, fmt.Errorf("match equity table of %d points: 1 to %d expected", length, MaxLength)
	}
	t := &Table{Name: name, length: length}
	t.extend([][]float64{{0.5}}, []float64{0.5})
	for away := 2; away <= length; away++ {
		p, err := value(t, away, 1, false, true)
		if err != nil {
			return nil, err
		}
		t.post[away-1] = p
	}
	pre := make([][]float64, length)
	for i := range pre {
		pre[i] = make([]float64, length)
		pre[i][i], t.pre[i][i] = 0.5, 0.5
	}
	for away := 2; away <= length; away++ {
		for opponent := 1; opponent < away; opponent++ {
			p, err := value(t, away, opponent, opponent == 1, false)
			if err != nil {
				return nil, err
			}
			t.pre[away-1][opponent-1], t.pre[opponent-1][away-1] = p, 1-p
			pre[away-1][opponent-1], pre[opponent-1][away-1] = p, 1-p
		}
	}
	return New(name, pre, t.post[:length])
}

// Difference is how far a table is from another, over the scores that both have.
type Difference struct {
	Scores        int     `json:"scores"` // before the Crawford game, a pair counted once
	Mean          float64 `json:"mean"`   // absolute
	Largest       float64 `json:"largest"`
	At            [2]int  `json:"at"` // where, in points away
	PostMean      float64 `json:"post_crawford_mean"`
	PostLargest   float64 `json:"post_crawford_largest"`
	PostLargestAt int     `json:"post_crawford_at"`
}

// Compare compares tables up to so many points away.
func Compare(a, b *Table, length int) Difference {
	abs := func(x float64) float64 { return max(x, -x) }
	d := Difference{}
	for i := 1; i <= length; i++ {
		for j := 1; j < i; j++ {
			off := abs(a.Pre(i, j) - b.Pre(i, j))
			d.Scores++
			d.Mean += off
			if off > d.Largest {
				d.Largest, d.At = off, [2]int{i, j}
			}
		}
		// The post-Crawford score of the full length cannot come up.
		if i == 1 || i == length {
			continue
		}
		off := abs(a.Post(i) - b.Post(i))
		d.PostMean += off / float64(length-2)
		if off > d.PostLargest {
			d.PostLargest, d.PostLargestAt = off, i
		}
	}
	if d.Scores > 0 {
		d.Mean /= float64(d.Scores)
	}
	return d
}
