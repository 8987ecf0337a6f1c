package makebm

import (
	"fmt"
	"slices"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
	"bgtrain/internal/setting"
	"bgtrain/rollout/selfplay"
)

// Settings state which decisions a benchmark has.
type Settings struct {
	// Decisions are counted by class or by theme: one of the two quotas is set.
	Quota  [bg.NumClasses]int // of each class; contact, crashed and race only
	Themes [bg.NumThemes]int  // of each theme before the play, of contact and crashed positions
	Seed   uint64             // of the games

	Ply        int     // look-ahead that ranks the candidates, 0 to player.MaxPly
	Candidates int     // at most so many a decision
	Margin     float32 // points that a candidate may be behind the best by that look-ahead
	Spread     float32 // decisions whose candidates are all less far apart, in points, are left out

	Diversity float64 // share of sides that play a game in a style of their own, 0 to 1
	Random    int     // at most so many random plays at the beginning of a game
	Workers   int     // goroutines that play games, 0 one a processor; the result does not depend on it
}

// Defaults are the settings of the command, but for the quota. The candidates
// are those of GNU Backgammon's published files: five at most, by 2-ply.
var Defaults = Settings{
	Seed: 1, Ply: 2, Candidates: 5, Margin: 0.15, Spread: 0.0005,
	Diversity: selfplay.Defaults.Diversity, Random: selfplay.Defaults.Random,
}

// Classes are the classes that decisions may be of.
var Classes = []bg.Class{bg.Contact, bg.Crashed, bg.Race}

// ClassNames are the names of Classes.
var ClassNames = []string{bg.Contact.String(), bg.Crashed.String(), bg.Race.String()}

const maxCandidates = 16

// SetQuota divides n decisions equally among classes; the first ones get what
// is left over.
func (s *Settings) SetQuota(n int, classes []bg.Class) {
	s.Quota = [bg.NumClasses]int{}
	for i, c := range classes {
		s.Quota[c] = n / len(classes)
		if i < n%len(classes) {
			s.Quota[c]++
		}
	}
}

// SetThemes asks for n decisions of themes, in equal numbers, instead of those of
// classes; the first ones get what is left over.
func (s *Settings) SetThemes(n int, themes []bg.Theme) {
	s.Quota, s.Themes = [bg.NumClasses]int{}, [bg.NumThemes]int{}
	for i, t := range themes {
		s.Themes[t] = n / len(themes)
		if i < n%len(themes) {
			s.Themes[t]++
		}
	}
}

// want is the number of decisions.
func (s *Settings) want() int { return sum(s.Quota[:]) + sum(s.Themes[:]) }

// byTheme reports whether decisions are counted by theme.
func (s *Settings) byTheme() bool { return sum(s.Themes[:]) > 0 }

func sum(xs []int) int {
	n := 0
	for _, x := range xs {
		n += x
	}
	return n
}

// kind is what decisions are counted by: a class or a theme.
type kind int

// numKinds is above all kinds.
const numKinds = max(int(bg.NumClasses), int(bg.NumThemes))

// kindOf returns the kind of a decision's position, and whether it is one of those that there may be.
func (s *Settings) kindOf(b *bg.Board, class bg.Class) (kind, bool) {
	if !s.byTheme() {
		return kind(class), class > bg.Bearoff
	}
	if class != bg.Contact && class != bg.Crashed {
		return 0, false
	}
	theme, _ := bg.ThemeOf(b)
	return kind(theme), true
}

// quota is how many decisions of a kind are wanted.
func (s *Settings) quota(k kind) int {
	of := s.Quota[:]
	if s.byTheme() {
		of = s.Themes[:]
	}
	if int(k) >= len(of) {
		return 0
	}
	return of[k]
}

// Wanted describes how many decisions there are, in equal numbers of classes or of themes.
type Wanted struct {
	Number  int
	Classes []string
	Themes  bg.Themes // where there are any, instead of classes
}

// List returns each setting of what is wanted.
func (w *Wanted) List() setting.List {
	return setting.List{
		{Name: "number", Short: "n", To: &w.Number, Range: setting.From(1, 1e9), Help: "decisions"},
		{Name: "class", To: &w.Classes, Known: ClassNames, Help: "classes of the decisions, in equal numbers"},
		{Name: "themes", To: &w.Themes, Help: "themes of the decisions, in equal numbers, instead of classes: " +
			strings.ReplaceAll((bg.Themes(1)<<bg.NumThemes-1).String(), ",", ", ")},
	}
}

// Want sets how many decisions of each kind there are.
func (s *Settings) Want(w *Wanted) {
	if w.Themes != 0 {
		var themes []bg.Theme
		for t := range bg.NumThemes {
			if w.Themes.Has(t) {
				themes = append(themes, t)
			}
		}
		s.SetThemes(w.Number, themes)
		return
	}
	var classes []bg.Class
	for _, name := range w.Classes {
		if c := Classes[slices.Index(ClassNames, name)]; !slices.Contains(classes, c) {
			classes = append(classes, c)
		}
	}
	s.SetQuota(w.Number, classes)
}

// List returns each setting: its flag, what it may be, what it does.
func (s *Settings) List() setting.List {
	return setting.List{
		{Name: "candidates", To: &s.Candidates, Range: setting.From(2, maxCandidates),
			Help: "at most so many candidates a decision, 0-ply's choice always among them"},
		{Name: "margin", To: &s.Margin, Range: setting.Above(0, 6), Help: "points that a candidate may be behind the best"},
		player.PlySetting("candidate-ply", &s.Ply, "look-ahead that ranks the candidates"),
		{Name: "spread", To: &s.Spread, Range: setting.From(0, 6),
			Help: "leave out decisions whose candidates are all closer together, in points"},
		{Name: "diversity", To: &s.Diversity, Range: setting.From(0, 1),
			Help: "share of the sides that play a game in a style of their own; 0 for none"},
		{Name: "random-plays", To: &s.Random, Range: setting.From(0, 1000),
			Help: "at most so many random plays at the beginning of a game"},
		parallel.Setting(&s.Workers),
	}
}

// Check reports the first setting that makes no sense.
func (s *Settings) Check() error {
	if err := s.List().Check(); err != nil {
		return err
	}
	for c, n := range s.Quota {
		if n < 0 || n > 0 && bg.Class(c) <= bg.Bearoff {
			return fmt.Errorf("%d decisions of class %v: contact, crashed and race are possible", n, bg.Class(c))
		}
	}
	for t, n := range s.Themes {
		if n < 0 {
			return fmt.Errorf("%d decisions of theme %v", n, bg.Theme(t))
		}
	}
	switch {
	case s.byTheme() && sum(s.Quota[:]) > 0:
		return fmt.Errorf("decisions by class and by theme: one of the two expected")
	case s.want() == 0:
		return fmt.Errorf("no decisions wanted")
	case s.Spread >= s.Margin:
		return fmt.Errorf("margin %g, least spread %g: a smaller spread expected", s.Margin, s.Spread)
	}
	return nil
}

// Describe returns what the decisions depend on besides the player, as text.
func (s *Settings) Describe() string {
	return fmt.Sprintf("decisions %s; candidates top %d within %g by %d-ply, 0-ply's choice included, at least %g apart",
		s.describeGames(), s.Candidates, s.Margin, s.Ply, s.Spread)
}

// describeGames returns which decisions of which games there are, as text.
func (s *Settings) describeGames() string {
	var quota []string
	for _, c := range Classes {
		if s.Quota[c] > 0 {
			quota = append(quota, fmt.Sprintf("%v=%d", c, s.Quota[c]))
		}
	}
	what := "class"
	for t, n := range s.Themes {
		if n > 0 {
			quota, what = append(quota, fmt.Sprintf("%v=%d", bg.Theme(t), n)), "theme"
		}
	}
	return fmt.Sprintf("%s of self-play seed=%d diversity=%g random=%d, one of a %s a game", strings.Join(quota, " "),
		s.Seed, s.Diversity, s.Random, what)
}
