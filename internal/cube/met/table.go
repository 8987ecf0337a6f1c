package met

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
)

// MaxLength is the longest match that a table is asked about, GNU Backgammon's.
const MaxLength = 64

// Table is a match equity table: the chance of a player who still needs so many
// points to win the match, both playing alike. It does not change once made.
type Table struct {
	Name        string
	Description string

	length int         // native: up to so many points away
	pre    [][]float64 // [i][j]: i+1 away against j+1 away; row and column 0 are the Crawford game
	post   []float64   // [i]: i+1 away against 1 away after the Crawford game
}

// Digest identifies a table by its chances, whatever its name.
func (t *Table) Digest() string {
	sum := sha256.Sum256(fmt.Append(nil, t.length, t.pre, t.post))
	return hex.EncodeToString(sum[:8])
}

// New makes a table of the chances before the Crawford game is over
// (pre[i][j]: i+1 points away against j+1; the first row and column are the
// Crawford game) and after it (post[i]: i+1 away, the opponent 1 away). The
// last entry of post may be missing, since the score cannot come up in a match
// of that length. Scores beyond the table, up to MaxLength away, are filled in:
// see extend. It is an error when entries are missing, out of range, not
// monotone, or contradict each other by more than rounding to three digits;
// what rounding is left is evened out.
func New(name string, pre [][]float64, post []float64) (*Table, error) {
	if err := check(pre, post); err != nil {
		return nil, fmt.Errorf("match equity table %q: %w", name, err)
	}
	t := &Table{Name: name, length: len(pre)}
	t.extend(pre, post)
	return t, nil
}

// Length is how many points away the table goes without being extended.
func (t *Table) Length() int { return t.length }

// Pre returns the chance of a player who needs away points against one who
// needs opponent, in a game before the Crawford game or in it.
func (t *Table) Pre(away, opponent int) float64 { return t.At(away, opponent, false) }

// Post returns the chance of a player who needs away points against one who
// needs 1, after the Crawford game.
func (t *Table) Post(away int) float64 { return t.At(away, 1, true) }

// At returns the chance to win the match of a player who needs away points
// against one who needs opponent; a side that needs none, or less, has won.
// post: the Crawford game has been played; then a side must need 1.
// Both must be at most MaxLength.
func (t *Table) At(away, opponent int, post bool) float64 {
	switch {
	case away <= 0:
		return 1
	case opponent <= 0:
		return 0
	case !post:
		return t.pre[away-1][opponent-1]
	case away == 1:
		return 1 - t.post[opponent-1]
	}
	return t.post[away-1]
}

// rounding is how far two entries that must add up to 1 may be off: published
// tables have three digits.
const rounding = 1.1e-3

// check refuses what is not a match equity table.
func check(pre [][]float64, post []float64) error {
	n := len(pre)
	if n < 1 || n > MaxLength {
		return fmt.Errorf("%d rows: 1 to %d expected", n, MaxLength)
	}
	if len(post) != n && len(post) != n-1 {
		return fmt.Errorf("%d post-Crawford entries, %d or %d expected", len(post), n-1, n)
	}
	for i, row := range pre {
		if len(row) != n {
			return fmt.Errorf("row %d has %d entries, %d expected", i+1, len(row), n)
		}
		for j, p := range row {
			if !(p > 0 && p < 1) {
				return fmt.Errorf("%d away against %d away: %v is not between 0 and 1", i+1, j+1, p)
			}
		}
	}
	for i := range pre {
		for j := range pre {
			if sum := pre[i][j] + pre[j][i]; math.Abs(sum-1) > rounding {
				return fmt.Errorf("%d away against %d away is %v, the other way round %v: together 1 expected "+
					"(tables that favor a side are not supported)",
					i+1, j+1, pre[i][j], pre[j][i])
			}
			if j > 0 && pre[i][j] < pre[i][j-1] {
				return fmt.Errorf("%d away: %v against %d away, but %v against %d: chances must not fall",
					i+1, pre[i][j-1], j, pre[i][j], j+1)
			}
		}
	}
	for i, p := range post {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("post-Crawford, %d away: %v is not between 0 and 1", i+1, p)
		}
		if i > 0 && p > post[i-1] {
			return fmt.Errorf("post-Crawford: %v at %d away, but %v at %d: chances must not rise", post[i-1], i, p, i+1)
		}
	}
	return nil
}
