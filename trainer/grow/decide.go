package grow

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bgtrain/internal/bg"
	"bgtrain/rollout/selfplay"
)

// state is what decisions are made from.
type state struct {
	rules    *Rules
	round    int
	measured *Measured
	learned  []Learned
	passed   bool
	labels   []labeled // of all rounds
}

// significant is how many standard errors make a difference count.
const significant = 2

// passes reports whether a round's player takes the place of the one before, after so many games: unless it is worse
// by more than noise. Two standard errors would waste one round of forty for nothing. Those of few games are themselves
// uncertain: Student's distribution says by how much.
func (r *Rules) passes(m *Measured, games int) bool {
	p := m.Match[0].Points
	if p.Mean >= -r.Worse*p.SE {
		return true
	}
	chance := distuv.StudentsT{Sigma: 1, Nu: float64(games - 1)}.CDF(p.Mean / p.SE)
	return chance >= distuv.UnitNormal.CDF(-r.Worse)
}

// decide changes the settings of the next round by what was measured of the player of
// this one, and returns what it changed. It depends on its arguments only.
func decide(now *Round, s *state) []Decision {
	var out []Decision
	for _, rule := range []func(*Round, *state) []Decision{decideRate, decideLambda, decideClasses, decideThemes,
		decideWhole, decideRows, decideUnits, decideAmount} {
		for _, d := range rule(now, s) {
			d.Round = s.round
			out = append(out, d)
		}
	}
	return out
}

// decideRate halves the learning rate after a round whose player did not pass.
func decideRate(now *Round, s *state) []Decision {
	if s.passed {
		return nil
	}
	from := now.Training.Rate
	now.Training.Rate = round6(from / 2)
	p := s.measured.Match[0].Points
	return []Decision{{Decision: "lr", From: from, To: now.Training.Rate,
		Reason: fmt.Sprintf("points %+.4f ± %.4f against the round before: its player stays", p.Mean, p.SE)}}
}

// decideLambda keeps the noise of a label in proportion to what is left to learn.
func decideLambda(now *Round, s *state) []Decision {
	all := s.measured.of("all")
	if all == nil || all.Left2.Mean <= significant*all.Left2.SE {
		return nil
	}
	ratio := all.Noise2 / all.Left2.Mean
	reason := fmt.Sprintf("noise of a label %.4f, left to learn %.4f points", math.Sqrt(all.Noise2),
		math.Sqrt(all.Left2.Mean))
	l := &now.Labels
	from := l.Lambda
	switch {
	case ratio > s.rules.MuchNoise && l.Picks < 8 && l.Lambda <= 0.7:
		picks := l.Picks
		l.Picks = 8
		return []Decision{{Decision: "picks", From: picks, To: l.Picks, Reason: reason}}
	case ratio > s.rules.MuchNoise:
		l.Lambda = max(round6(from-0.1), min(from, s.rules.LeastLambda))
	case ratio < s.rules.LittleNoise:
		l.Lambda = min(round6(from+0.1), s.rules.MostLambda)
	}
	if l.Lambda == from {
		return nil
	}
	return []Decision{{Decision: "lambda", From: from, To: l.Lambda, Reason: reason}}
}

// round6 keeps settings readable.
func round6(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// decideClasses moves the shares of the classes half of the way to where what is left
// to learn is: in proportion to frequency in games and to the rms of what is left.
func decideClasses(now *Round, s *state) []Decision {
	weights := selfplay.Shares{}
	var shared, weight float64
	for class, share := range now.Positions.Shares {
		n := s.measured.of(class.String())
		if n == nil {
			return nil
		}
		weights[class] = math.Sqrt(n.Frequency * max(n.Left2.Mean, 0))
		shared, weight = shared+share, weight+weights[class]
	}
	if len(weights) < 2 || weight == 0 {
		return nil
	}
	var out []Decision
	shares := selfplay.Shares{}
	for class := bg.Contact; class > bg.Over; class-- {
		share, ok := now.Positions.Shares[class]
		if !ok {
			continue
		}
		from := round6(share / shared)
		to := math.Round(100*max(s.rules.LeastShare, (from+weights[class]/weight)/2)) / 100
		if shares[class] = from; math.Abs(to-from) < 0.03 {
			continue
		}
		n := s.measured.of(class.String())
		shares[class] = to
		out = append(out, Decision{Decision: "share of " + class.String(), From: from, To: to,
			Reason: fmt.Sprintf("left to learn %.4f points in %.0f%% of positions", math.Sqrt(max(n.Left2.Mean, 0)),
				100*n.Frequency)})
	}
	if len(out) > 0 {
		now.Positions.Shares = shares
	}
	return out
}

// decideThemes asks for more positions of themes on which twice as much is left to
// learn (in points) as on all, or that are biased, and for fewer where that has passed.
func decideThemes(now *Round, s *state) []Decision {
	all := s.measured.of("all")
	if all == nil {
		return nil
	}
	var out []Decision
	for t := range bg.OtherThemes {
		from := now.Positions.Themes[t]
		to, reason := from, ""
		n, bias := s.measured.of(t.String()), s.measured.bias(t.String())
		switch {
		case bias != nil && s.rules.biased(bias):
			to, reason = s.rules.more(from), fmt.Sprintf("bias %+.3f ± %.3f", bias.Bias.Mean, bias.Bias.SE)
		case n != nil && n.Left2.Mean-significant*n.Left2.SE > s.rules.ThemeLeft*all.Left2.Mean:
			to, reason = s.rules.more(from), fmt.Sprintf("left to learn %.4f points, of all positions %.4f",
				math.Sqrt(n.Left2.Mean), math.Sqrt(max(all.Left2.Mean, 0)))
		case from > 0:
			if to = round6(from / 2); to < s.rules.ThemeShare/2 {
				to = 0
			}
			reason = "no bias, and not more left to learn than elsewhere"
		}
		if to != from {
			now.Positions.Themes[t] = to
			out = append(out, Decision{Decision: "share of " + t.String(), From: from, To: to, Reason: reason})
		}
	}
	return out
}

// bias returns the bias of a theme, nil where it was not measured.
func (m *Measured) bias(theme string) *Bias {
	for i := range m.Bias {
		if m.Bias[i].Theme == theme {
			return &m.Bias[i]
		}
	}
	return nil
}

// decideWhole asks for trials played to the end of the themes that are biased: labels
// that count the net's own values on their way keep a bias.
func decideWhole(now *Round, s *state) []Decision {
	var out []Decision
	for t := range bg.OtherThemes {
		b := s.measured.bias(t.String())
		if b == nil || s.rules.biased(b) == now.Labels.WholeThemes.Has(t) {
			continue
		}
		now.Labels.WholeThemes ^= 1 << t
		out = append(out, Decision{Decision: "whole trials of " + b.Theme, From: !s.rules.biased(b), To: s.rules.biased(b),
			Reason: fmt.Sprintf("bias %+.3f ± %.3f", b.Bias.Mean, b.Bias.SE)})
	}
	return out
}

// decideRows lets a training go without the oldest rows, whose labels have grown too
// bad beside the newest, and take more rounds where they are as good.
func decideRows(now *Round, s *state) []Decision {
	bad := func(l *labeled) float64 {
		keep := 1 - now.Labels.Lambda
		return l.noise2 + keep*keep*l.left2
	}
	newest := len(s.labels) - 1
	if newest < 1 || bad(&s.labels[newest]) == 0 {
		return nil
	}
	good := 1
	for good <= newest && bad(&s.labels[newest-good]) <= s.rules.OldRows*bad(&s.labels[newest]) {
		good++
	}
	from, to := now.Training.Rows, good+1 // the next round's own, and those
	switch {
	case from == 0 && good == len(s.labels), from == to, from > 0 && from < to:
		return nil // what is there is learned from, or the recipe wants less
	}
	now.Training.Rows = to
	oldest := &s.labels[newest-good]
	return []Decision{{Decision: "rows", From: from, To: to,
		Reason: fmt.Sprintf("error of a label of round %d %.4f, of round %d %.4f points", newest-good+1,
			math.Sqrt(bad(oldest)), newest+1, math.Sqrt(bad(&s.labels[newest])))}}
}

// decideUnits starts idle units anew where there are many.
func decideUnits(now *Round, s *state) []Decision {
	units, idle := 0, 0
	for _, l := range s.learned {
		units, idle = units+l.Units, idle+l.Idle
	}
	revive := units > 0 && float64(idle) > s.rules.Idle*float64(units)
	from := now.Training.Revive
	if revive == from {
		return nil
	}
	now.Training.Revive = revive
	return []Decision{{Decision: "revive", From: from, To: revive,
		Reason: fmt.Sprintf("%d of %d hidden units are idle", idle, units)}}
}

// decideAmount asks for more rows where a net does better on those it learned from, and
// for more units where it does not, though all are in use and much is left to learn.
func decideAmount(now *Round, s *state) []Decision {
	i := slices.IndexFunc(s.learned, func(l Learned) bool { return l.Role == "contact" })
	if i < 0 || s.learned[i].TrainLoss <= 0 {
		return nil
	}
	l := &s.learned[i]
	ratio := l.ValidationLoss / l.TrainLoss
	reason := fmt.Sprintf("loss of the contact net %.5f held out, %.5f on rows learned from", l.ValidationLoss,
		l.TrainLoss)
	if ratio > s.rules.Overfit {
		from := now.Positions.N
		now.Positions.N = int(float64(from) * s.rules.MoreRows)
		return []Decision{{Decision: "n", From: from, To: now.Positions.N, Reason: reason}}
	}
	all, old := s.measured.of("all"), s.measured.of("learned")
	if ratio > s.rules.Underfit || all == nil || old == nil || len(now.Training.Hidden) == 0 ||
		float64(l.Idle) > s.rules.Idle*float64(l.Units) || gained(s.measured) ||
		old.Left2.Mean < all.Left2.Mean-significant*(all.Left2.SE+old.Left2.SE) {
		return nil
	}
	from := slices.Clone(now.Training.Hidden)
	for k, units := range from {
		now.Training.Hidden[k] = max(units, min(s.rules.MostUnits, int(float64(units)*s.rules.Widen+7)/8*8))
	}
	if slices.Equal(from, now.Training.Hidden) {
		return nil
	}
	return []Decision{{Decision: "hidden", From: fmt.Sprint(from), To: fmt.Sprint(now.Training.Hidden),
		Reason: fmt.Sprintf("%s; left to learn %.4f points, on rows learned from %.4f", reason,
			math.Sqrt(max(all.Left2.Mean, 0)), math.Sqrt(max(old.Left2.Mean, 0)))}}
}

// gained reports whether the player is better than the one before beyond noise.
func gained(m *Measured) bool {
	p := m.Match[0].Points
	return p.Mean > significant*p.SE
}

// ends reports whether the run ends after the rounds so far, and writes down why.
func (n *run) ends() bool {
	l := n.log.Rounds
	last := len(l) - 1
	if last < 0 {
		return false
	}
	hours, least := n.r.Stop.Hours, n.r.Stop.MinGain
	if n.o.Hours > 0 {
		hours = n.o.Hours
	}
	took := l[last].Seconds
	if last > 0 {
		took -= l[last-1].Seconds
	}
	reason := ""
	switch {
	case hours > 0 && l[last].Seconds+took > 3600*hours:
		reason = fmt.Sprintf("%.2f hours are over, or would be after a round like the last one", hours)
	case least > 0 && last > 1 && slow(&l[last], &l[last-1], least) && slow(&l[last-1], &l[last-2], least):
		reason = fmt.Sprintf("two rounds gained less than %g points a game an hour", least)
	default:
		return false
	}
	n.end(reason)
	return true
}

// end writes down that no round follows the last one, and why.
func (n *run) end(reason string) {
	last := n.log.Rounds[len(n.log.Rounds)-1].Round
	n.log.Decisions = append(n.log.Decisions, Decision{Round: last, Decision: endDecision, Reason: reason})
	n.o.Hooks.line("  end: " + reason)
}

// slow reports whether a round, even if better by its noise, gained less than least
// points an hour over the one before.
func slow(r, before *RoundLine, least float64) bool {
	return r.Points+r.PointsSE < least*(r.Seconds-before.Seconds)/3600
}
