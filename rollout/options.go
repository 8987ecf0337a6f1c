package rollout

import (
	"fmt"
	"strings"

	"bgtrain/internal/player"
	"bgtrain/internal/setting"
)

// Luck is how the luck of a roll is measured for variance reduction: by the
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

// Options are how positions are rolled out. See DefaultOptions.
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

	playOn  bool // tests: play on where a bearoff database has the value
	watched bool // results are looked at as they grow, see nextLook
}

// DefaultOptions are good for labeling positions.
func DefaultOptions() Options {
	return Options{Trials: 360, Truncate: 7, Luck: LuckPicked, Picks: 4}
}

// List returns each setting: its flag, what it may be, what it does. What is rolled out
// is called subject; the seed is that of the dice, or of more.
func (o *Options) List(subject, seedOf string) setting.List {
	const maxPlies = 1 << 20
	return setting.List{
		{Name: "trials", To: &o.Trials, Range: setting.From(2, 1<<24),
			Help: "games a " + subject + ", at most; multiples of 36, best of 1296, balance the first rolls"},
		{Name: "truncate", To: &o.Truncate, Range: setting.From(0, maxPlies),
			Help: "plies after which the net's value is taken; 0 plays to the end"},
		player.PlySetting("ply", &o.Ply, "look-ahead that chooses the plays"),
		{Name: "deep-plies", To: &o.DeepPlies, Range: setting.From(0, maxPlies),
			Help: "with --ply: so many plies at the start of a trial only, later ones at 0-ply; 0 all"},
		player.PlySetting("leaf-ply", &o.LeafPly, "look-ahead of the value at truncation"),
		{Name: "target-se", To: &o.TargetSE, Range: setting.From(0, 100),
			Help: "end a " + subject + " when the standard error of its equity is below; 0 never"},
		{Name: "seed", To: &o.Seed, Help: "seed of " + seedOf},
		{Name: "luck", To: &o.Luck, Known: []string{"full", "picked", "small", "none"},
			Help: "measure of luck for variance reduction: full, picked (small nets pick the plays that the player " +
				"values), small (small nets alone) or none"},
		{Name: "picks", To: &o.Picks, Range: setting.From(1, maxPicks), Help: "plays a roll that the small nets pick"},
	}
}

// Check reports the first option that makes no sense.
func (o *Options) Check() error { return o.List("position", "the dice").Check() }

const maxPicks = 8

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

// LuckMethod returns how luck is measured, with the fingerprint of the nets that do it,
// "" where the player's own do.
func (o *Options) LuckMethod(smallNet string) string {
	switch {
	case o.Luck == LuckSmall && smallNet != "":
		return fmt.Sprintf("%s net=%s", o.Luck, smallNet)
	case o.Luck == LuckPicked && smallNet != "":
		return fmt.Sprintf("%s picks=%d net=%s", o.Luck, o.Picks, smallNet)
	case o.Luck == LuckNone:
		return string(o.Luck)
	}
	return string(LuckFull)
}

// plyAt returns the look-ahead that chooses the play of a trial's given ply.
func (o *Options) plyAt(ply int) int {
	if o.DeepPlies > 0 && ply >= o.DeepPlies {
		return 0
	}
	return o.Ply
}
