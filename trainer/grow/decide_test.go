package grow

import (
	"fmt"
	"strings"
	"testing"

	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// calm is a round of which nothing follows.
func calm() *state {
	class := func(of string, frequency, left2 float64) Noise {
		return Noise{Of: of, Positions: 1000, Frequency: frequency, Noise2: 3 * left2,
			Left2: stats.Stat{Mean: left2, SE: left2 / 20}}
	}
	rules := defaultRules()
	return &state{rules: &rules, round: 2, passed: true,
		learned: []Learned{{Role: "contact", TrainLoss: 1, ValidationLoss: 1.08, Units: 100, Idle: 2}},
		labels:  []labeled{{noise2: 4e-4, left2: 1e-4}, {noise2: 3e-4, left2: 1e-4}},
		measured: &Measured{
			Noise: []Noise{class("all", 1, 1e-4), class("learned", 0, 1e-4), class("contact", 0.85, 1e-4),
				class("crashed", 0.1, 6e-5), class("race", 0.05, 2e-5), class("back game", 0.01, 2e-4)},
			Bias:  []Bias{{"back game", stats.Stat{Mean: 0.004, SE: 0.003}}, {"containment", stats.Stat{Mean: 0.03, SE: 0.02}}},
			Match: []Played{{"round 1", stats.Stat{Mean: 0.02, SE: 0.004}}},
		}}
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *Round, s *state)
		want   []string // names of the decisions, with what they come to
	}{
		{"calm", func(*Round, *state) {}, nil},
		{"not passed", func(_ *Round, s *state) { s.passed = false }, []string{"lr 0.0015"}},
		{"noisy labels", func(_ *Round, s *state) { s.measured.Noise[0].Noise2 = 8e-4 }, []string{"picks 8"}},
		{"noisy labels of many picks", func(r *Round, s *state) {
			s.measured.Noise[0].Noise2, r.Labels.Picks = 8e-4, 8
		}, []string{"lambda 0.6"}},
		{"noisy, but λ is least", func(r *Round, s *state) {
			s.measured.Noise[0].Noise2, r.Labels.Picks, r.Labels.Lambda = 8e-4, 8, 0.5
		}, nil},
		{"little noise", func(_ *Round, s *state) { s.measured.Noise[0].Noise2 = 9e-5 }, []string{"lambda 0.8"}},
		{"little noise, little known", func(_ *Round, s *state) {
			s.measured.Noise[0].Noise2, s.measured.Noise[0].Left2.SE = 1e-4, 1e-4
		}, nil},
		{"crashed", func(_ *Round, s *state) { s.measured.Noise[3].Left2.Mean = 2e-3 },
			[]string{"share of contact 0.56", "share of crashed 0.39"}},
		{"theme with much left", func(_ *Round, s *state) { s.measured.Noise[5].Left2.Mean = 2e-3 },
			[]string{"share of back game 0.02"}},
		{"theme with more asked for", func(r *Round, s *state) {
			s.measured.Noise[5].Left2.Mean, r.Positions.Themes[bg.BackGames] = 2e-3, 0.05
		}, []string{"share of back game 0.08"}},
		{"theme that is learned", func(r *Round, _ *state) { r.Positions.Themes[bg.BackGames] = 0.04 },
			[]string{"share of back game 0.02"}},
		{"biased theme", func(_ *Round, s *state) { s.measured.Bias[1].Bias.SE = 0.01 },
			[]string{"share of containment 0.02", "whole trials of containment true"}},
		{"small bias", func(_ *Round, s *state) { s.measured.Bias[0].Bias = stats.Stat{Mean: 0.009, SE: 0.001} }, nil},
		{"bias that has gone", func(r *Round, _ *state) { r.Labels.WholeThemes = 1 << bg.Containments },
			[]string{"whole trials of containment false"}},
		{"old rows", func(_ *Round, s *state) { s.labels[0].noise2 = 9e-4 }, []string{"rows 2"}},
		{"old rows, all learned from", func(r *Round, s *state) {
			s.labels[0].noise2, r.Training.Rows = 9e-4, 0
		}, []string{"rows 2"}},
		{"idle units", func(_ *Round, s *state) { s.learned[0].Idle = 20 }, []string{"revive true"}},
		{"no idle units any more", func(r *Round, _ *state) { r.Training.Revive = true }, []string{"revive false"}},
		{"too few rows", func(_ *Round, s *state) { s.learned[0].ValidationLoss = 1.3 }, []string{"n 187500"}},
		{"too few units", func(_ *Round, s *state) {
			s.learned[0].ValidationLoss, s.measured.Match[0].Points.Mean = 1.01, 0.001
		}, []string{"hidden [480 64]"}},
		{"too few units, but it still gains", func(_ *Round, s *state) { s.learned[0].ValidationLoss = 1.01 }, nil},
		{"too few units, but rows learned from are better", func(_ *Round, s *state) {
			s.learned[0].ValidationLoss, s.measured.Match[0].Points.Mean = 1.01, 0.001
			s.measured.Noise[1].Left2.Mean = 5e-5
		}, nil},
	} {
		now, s := newRound(), calm()
		now.Training.Hidden = []int{384, 48}
		c.change(&now, s)
		var got []string
		for _, d := range decide(&now, s) {
			if d.Round != 2 || d.Reason == "" {
				t.Errorf("%s: %+v", c.name, d)
			}
			got = append(got, strings.TrimSpace(d.Decision+" "+fmt.Sprint(d.To)))
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if err := now.Positions.check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		mean, se float64
		games    int
		want     bool
	}{{0.01, 0.02, 100, true}, {-0.05, 0.02, 100, true}, {-0.07, 0.02, 100, false}, {-0.07, 0.02, 5, true}} {
		m := &Measured{Match: []Played{{"start", stats.Stat{Mean: c.mean, SE: c.se}}}}
		if rules := defaultRules(); rules.passes(m, c.games) != c.want {
			t.Errorf("%+v: passes %v", c, !c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	line := func(seconds, points float64) RoundLine {
		return RoundLine{Seconds: seconds, Points: points, PointsSE: 0.001}
	}
	for _, c := range []struct {
		name   string
		stop   Stop
		hours  float64
		rounds []RoundLine
		want   bool
	}{
		{"nothing done", Stop{Hours: 1}, 0, nil, false},
		{"no limit", Stop{}, 0, []RoundLine{line(1e6, 0)}, false},
		{"time for another", Stop{Hours: 1}, 0, []RoundLine{line(1000, 0), line(2000, 0)}, false},
		{"no time for another", Stop{Hours: 1}, 0, []RoundLine{line(1000, 0), line(2500, 0)}, true},
		{"other hours", Stop{Hours: 1}, 2, []RoundLine{line(1000, 0), line(2500, 0)}, false},
		{"one slow round", Stop{MinGain: 0.1}, 0, []RoundLine{line(0, 1), line(3600, 0.2), line(7200, 0.05)}, false},
		{"two slow rounds", Stop{MinGain: 0.1}, 0, []RoundLine{line(0, 1), line(3600, 0.09), line(7200, 0.05)}, true},
	} {
		n := &run{grower: &grower{r: &Recipe{Stop: c.stop}, o: &Options{Hours: c.hours}}, log: Log{Rounds: c.rounds}}
		if got := n.ends(); got != c.want || got != (len(n.log.Decisions) == 1) {
			t.Errorf("%s: ends %v, decisions %+v", c.name, got, n.log.Decisions)
		}
	}
}
