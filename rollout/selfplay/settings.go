package selfplay

import (
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// Selectors state which positions of a game are wanted.
type Selectors struct {
	// All takes positions as they occur, before the roll.
	All bool
	// Disagree takes decisions where 0-ply and 2-ply choose different plays that
	// 2-ply values more than Margin apart: both resulting positions.
	Disagree bool
	// Candidates takes the positions after the plays that a benchmark record
	// would list: the best five at 0-ply within Margin of the best.
	Candidates bool
	// Replies takes the positions after the best replies at 0-ply, to one roll of a decision, to
	// each of the plays of Candidates: what look-ahead compares.
	Replies bool
	// Differ takes positions as they occur whose equities at 0-ply by the player and by
	// its Rivals lie more than Margin apart.
	Differ bool
}

// Ply returns the deepest look-ahead that the selectors ask for.
func (s Selectors) Ply() int {
	if s.Disagree {
		return 2
	}
	return 0
}

// Settings describe what to generate.
type Settings struct {
	Quota     [bg.NumClasses]int // positions wanted of each class
	Seed      uint64
	Select    Selectors
	Margin    float32 // points, of Disagree, Candidates, Replies and Differ
	Diversity float64 // share of sides with a style of their own, 0 to 1
	Random    int     // at most so many random plays at the beginning of a game
	Density   float64 // share of the positions of a game that All takes, 0 to 1
	Workers   int     // goroutines, 0 one a processor; the result does not depend on it

	Rivals []*player.Player // of Differ; not part of what Describe says
}

// Defaults are the settings of the command.
var Defaults = Settings{
	Seed: 1, Select: Selectors{All: true}, Margin: 0.08, Diversity: 0.5, Random: 6, Density: 0.5,
}

// SetQuota divides n positions among the classes by shares, which need not add
// up to one.
func (s *Settings) SetQuota(n int, shares Shares) {
	sum := 0.0
	for _, v := range shares {
		sum += v
	}
	for c, v := range shares {
		s.Quota[c] = int(float64(n)*v/sum + 0.5)
	}
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	total := 0
	for c, n := range s.Quota {
		if n < 0 || n > 0 && bg.Class(c) == bg.Over {
			return fmt.Errorf("%d positions of class %v", n, bg.Class(c))
		}
		total += n
	}
	switch {
	case total == 0:
		return fmt.Errorf("no positions wanted")
	case s.Select == Selectors{}:
		return fmt.Errorf("no selector: all, disagree, candidates, replies or differ expected")
	}
	return s.List().Check()
}

// Describe returns what the positions depend on besides the player, as text.
func (s *Settings) Describe() string {
	var quota []string
	for c := bg.Contact; c > bg.Over; c-- {
		if s.Quota[c] > 0 {
			quota = append(quota, c.String()+"="+strconv.Itoa(s.Quota[c]))
		}
	}
	return fmt.Sprintf("%s seed=%d select=%s margin=%g diversity=%g random=%d share=%g",
		strings.Join(quota, " "), s.Seed, s.Select.String(), s.Margin, s.Diversity, s.Random, s.Density)
}
