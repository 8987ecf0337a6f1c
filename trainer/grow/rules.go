package grow

import (
	"math"

	"bgtrain/internal/setting"
)

// Rules are the numbers that decisions go by. What is left to learn, noise and their
// ratios are in points².
type Rules struct {
	// Noise of a label as a multiple of what is left to learn: below the first, labels
	// count more of their trials, which leaves less of the net's own error in them; above
	// the second, noise is dear. Labels of 2.6 (λ = 0.7) to 4.2 (0.8) served the nets that
	// ship, and more picks halved the noise at little more than twice the cost.
	LittleNoise, MuchNoise  float64
	LeastLambda, MostLambda float64

	Worse float64 // standard errors by which a player must be worse than the one before not to pass

	LeastShare float64 // of a class
	ThemeShare float64 // of a theme, the first; four times that is the most
	ThemeLeft  float64 // left to learn on a theme, as a multiple of all, from which it gets a share
	Bias       float64 // of a theme, points, from which something is done about it

	OldRows float64 // error of an old label as a multiple of a new one's from which it goes
	Idle    float64 // share of idle units from which they start anew

	Overfit   float64 // held-out loss to training loss: above, there are more rows
	MoreRows  float64 // times so many
	Underfit  float64 // below, units are what lacks
	Widen     float64 // times so many
	MostUnits int     // of a layer
}

// defaultRules are those of a recipe that has nothing of them.
func defaultRules() Rules {
	return Rules{LittleNoise: 1, MuchNoise: 6, LeastLambda: 0.5, MostLambda: 0.9, Worse: 3,
		LeastShare: 0.03, ThemeShare: 0.02,
		ThemeLeft: 4, Bias: 0.01, OldRows: 2.5, Idle: 0.05, Overfit: 1.15, MoreRows: 1.25, Underfit: 1.03, Widen: 1.25,
		MostUnits: 2048}
}

func (r *Rules) list() setting.List {
	ratio := setting.From(0, 1e6)
	return setting.List{
		{Name: "little-noise", To: &r.LittleNoise, Range: ratio, Help: "noise to what is left, below which λ grows"},
		{Name: "much-noise", To: &r.MuchNoise, Range: ratio, Help: "above which picks grow, then λ falls"},
		{Name: "least-lambda", To: &r.LeastLambda, Range: setting.From(0, 1), Help: "the least λ"},
		{Name: "most-lambda", To: &r.MostLambda, Range: setting.From(0, 1), Help: "the largest λ"},
		{Name: "worse", To: &r.Worse, Range: ratio,
			Help: "standard errors of the points by which a player must be worse than the one before not to pass"},
		{Name: "least-share", To: &r.LeastShare, Range: setting.From(0, 1), Help: "least share of a class"},
		{Name: "theme-share", To: &r.ThemeShare, Range: setting.From(0, 1), Help: "first share of a theme"},
		{Name: "theme-left", To: &r.ThemeLeft, Range: ratio, Help: "left on a theme to that on all that earns a share"},
		{Name: "bias", To: &r.Bias, Range: setting.From(0, 6), Help: "bias of a theme that earns whole trials, points"},
		{Name: "old-rows", To: &r.OldRows, Range: ratio, Help: "error of old labels to that of new ones, at which they go"},
		{Name: "idle", To: &r.Idle, Range: setting.From(0, 1), Help: "share of idle units that start anew"},
		{Name: "overfit", To: &r.Overfit, Range: ratio, Help: "held-out loss to training loss, above which rows grow"},
		{Name: "more-rows", To: &r.MoreRows, Range: setting.From(1, 100), Help: "times so many positions"},
		{Name: "underfit", To: &r.Underfit, Range: ratio, Help: "held-out loss to training loss, below which units grow"},
		{Name: "widen", To: &r.Widen, Range: setting.From(1, 100), Help: "times so many units"},
		{Name: "most-units", To: &r.MostUnits, Range: setting.From(1, 1<<14), Help: "of a layer"},
	}
}

// more is the next share of a theme that needs more.
func (r *Rules) more(share float64) float64 {
	return round6(min(max(2*share, r.ThemeShare), 4*r.ThemeShare))
}

// biased reports whether a theme's bias is worth something being done about it.
func (r *Rules) biased(b *Bias) bool {
	return math.Abs(b.Bias.Mean) > r.Bias && math.Abs(b.Bias.Mean) > significant*b.Bias.SE
}
