package rollout

import (
	"fmt"
	"strings"

	"bgtrain/internal/player"
)

// Luck says how the luck of a roll is measured for variance reduction: by the
// values, over all 21 rolls, of the best plays. Whatever the measure, the result
// stays unbiased, since the luck of a roll is measured against the mean of the
// same measure over all rolls; a better measure leaves less variance, a cheaper
// one takes less time.
type Luck string

// The measures of luck.
const (
	// LuckNone is no variance reduction.
	LuckNone Luck = "none"
	// LuckSmall lets the small nets choose the plays of all 21 rolls and value them.
	LuckSmall Luck = "small"
	// LuckPicked lets the small nets pick the best plays of each roll, and the
	// player's own nets value those.
	LuckPicked Luck = "picked"
	// LuckFull values all plays of all 21 rolls by the player's own nets.
	LuckFull Luck = "full"
)

// Options say how positions are rolled out. See DefaultOptions.
type Options struct {
	Trials   int    // games; a multiple of 36, best of 1,296, balances the first rolls
	Truncate int    // plies after which the nets' value stands for the rest; 0 plays to the end
	Seed     uint64 // of the dice

	Ply       int // look-ahead that chooses the plays, 0 to player.MaxPly
	DeepPlies int // only so many plies at the start of a trial are played at Ply, later ones at 0-ply; 0 is all
	LeafPly   int // look-ahead of the value at truncation

	Luck  Luck
	Small *player.Player `json:"-"` // evaluates for LuckSmall and LuckPicked; nil makes those LuckFull
	Picks int            // plays a roll that the small nets pick for LuckPicked

	// TargetSE, if positive, ends the rollout of a position once the standard error
	// of its equity, in points, is below; where positions are compared, once those of
	// all differences are. It is looked at after certain numbers of trials, see
	// checkpoint.
	TargetSE float64

	playOn bool // tests: play on where a bearoff database knows the value
}

// DefaultOptions are good for labelling positions.
func DefaultOptions() Options {
	return Options{Trials: 360, Truncate: 7, Luck: LuckPicked, Picks: 4}
}

// Check reports options that make no sense.
func (o *Options) Check() error {
	switch {
	case o.Trials < 2 || o.Trials > maxTrials:
		return fmt.Errorf("%d trials: 2 to %d expected", o.Trials, maxTrials)
	case o.Truncate < 0:
		return fmt.Errorf("truncation after %d plies: 0 for none, or more, expected", o.Truncate)
	case o.Ply < 0 || o.Ply > player.MaxPly || o.LeafPly < 0 || o.LeafPly > player.MaxPly:
		return fmt.Errorf("plays at %d-ply, leaves at %d-ply: 0 to %d expected", o.Ply, o.LeafPly, player.MaxPly)
	case o.DeepPlies < 0:
		return fmt.Errorf("%d plies of deep plays: 0 for all, or more, expected", o.DeepPlies)
	case o.Luck != LuckNone && o.Luck != LuckSmall && o.Luck != LuckPicked && o.Luck != LuckFull:
		return fmt.Errorf("luck %q: %s, %s, %s or %s expected", o.Luck, LuckFull, LuckPicked, LuckSmall, LuckNone)
	case o.Picks < 1 || o.Picks > maxPicks:
		return fmt.Errorf("%d picked plays a roll: 1 to %d expected", o.Picks, maxPicks)
	case o.TargetSE < 0:
		return fmt.Errorf("target standard error %v: 0 for none, or more, expected", o.TargetSE)
	}
	return nil
}

const (
	maxTrials = 1 << 24
	maxPicks  = 8
)

// Method is the text for a database's method column, such as
// "rollout trials=360 truncate=7 ply=0 vr".
func (o *Options) Method() string {
	s := []string{"rollout", fmt.Sprintf("trials=%d", o.Trials), fmt.Sprintf("truncate=%d", o.Truncate),
		fmt.Sprintf("ply=%d", o.Ply)}
	if o.DeepPlies > 0 && o.Ply > 0 {
		s = append(s, fmt.Sprintf("deep-plies=%d", o.DeepPlies))
	}
	if o.LeafPly > 0 && o.Truncate > 0 {
		s = append(s, fmt.Sprintf("leaf-ply=%d", o.LeafPly))
	}
	if o.TargetSE > 0 {
		s = append(s, fmt.Sprintf("target-se=%g", o.TargetSE))
	}
	if o.Luck != LuckNone {
		s = append(s, "vr")
	}
	return strings.Join(s, " ")
}

// LuckMethod says how luck is measured, with the fingerprint of the nets that do,
// "" where the player's own do.
func (o *Options) LuckMethod(smallNet string) string {
	if o.Luck == LuckPicked || o.Luck == LuckSmall {
		return fmt.Sprintf("%s picks=%d net=%s", o.Luck, o.Picks, smallNet)
	}
	return string(o.Luck)
}

// plyAt returns the look-ahead that chooses the play of a trial's given ply.
func (o *Options) plyAt(ply int) int {
	if o.DeepPlies > 0 && ply >= o.DeepPlies {
		return 0
	}
	return o.Ply
}
