package selfplay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/setting"
)

// List returns each setting but the quota: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "select", To: &s.Select, Help: "what to keep: all (positions as they occur), candidates (after the best " +
			"plays at 0-ply), replies (after the best reply to each of these, to one roll), disagree (after 0-ply's and " +
			"2-ply's play where they differ), differ (as they occur, where the equities of --rivals differ from the " +
			"player's or each other's); several with commas"},
		{Name: "margin", To: &s.Margin, Range: setting.From(0, 10), Help: "points: disagree keeps what 2-ply values " +
			"further apart, differ what the nets do, candidates and replies what is within"},
		{Name: "density", To: &s.Density, Range: setting.Above(0, 1),
			Help: "share of the positions of a game that 'all' keeps, to have them from more games"},
		{Name: "diversity", To: &s.Diversity, Range: setting.From(0, 1), Help: "share of the sides that play a game " +
			"in a style of their own: back games, crunched boards, primes, loose play, noise; 0 for none"},
		{Name: "random-plays", To: &s.Random, Range: setting.From(0, 1000),
			Help: "at most so many random plays at the beginning of a game"},
		{Name: "seed", To: &s.Seed, Help: "seed of dice, styles and choices"},
		parallel.Setting(&s.Workers),
	}
}

// Shares divide a total among the classes. As text they are
// "contact=0.5,crashed=0.3,race=0.2".
type Shares map[bg.Class]float64

// DefaultShares are those of the command.
var DefaultShares = Shares{bg.Contact: 0.5, bg.Crashed: 0.3, bg.Race: 0.2}

// String returns the text that Set reads.
func (s *Shares) String() string {
	var words []string
	for c := bg.Contact; c > bg.Over; c-- {
		if v, ok := (*s)[c]; ok {
			words = append(words, c.String()+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return strings.Join(words, ",")
}

// Set reads shares, of which one is above 0.
func (s *Shares) Set(text string) error {
	shares, sum := Shares{}, 0.0
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		class, err := dataset.ParseClass(name)
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0 && v <= 1e9) {
			return fmt.Errorf("%s: a share such as 0.5 expected", part)
		}
		shares[class], sum = v, sum+v
	}
	if sum == 0 {
		return fmt.Errorf("a share above 0 expected")
	}
	*s = shares
	return nil
}

// selectors are the fields of Selectors by name, in order.
func (s *Selectors) fields() ([]string, []*bool) {
	return []string{"all", "candidates", "differ", "disagree", "replies"},
		[]*bool{&s.All, &s.Candidates, &s.Differ, &s.Disagree, &s.Replies}
}

// Type is that of a flag with names.
func (s *Selectors) Type() string { return "strings" }

// String returns the names, in order, with commas.
func (s *Selectors) String() string {
	var on []string
	names, fields := s.fields()
	for i, name := range names {
		if *fields[i] {
			on = append(on, name)
		}
	}
	return strings.Join(on, ",")
}

// Set reads names.
func (s *Selectors) Set(text string) error {
	var set Selectors
	names, fields := set.fields()
	for word := range strings.SplitSeq(text, ",") {
		i := slices.Index(names, word)
		if i < 0 {
			return fmt.Errorf("%q: all, candidates, replies, disagree or differ expected", word)
		}
		*fields[i] = true
	}
	*s = set
	return nil
}
