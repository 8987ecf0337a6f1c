package bg

// Theme is what a whole position is about, of the kinds of game in which evaluations have been found wrong: they
// are rare, long, and far from what self-play mostly sees. Measures of evaluation have a figure for each. The
// rules are simple ones of our own, tried in the order of the constants.
type Theme uint8

// The themes.
const (
	// MassiveBackGames: a side has seven or more checkers in the opponent's home board or on the bar. Snakes, which
	// lead them home behind the opponent's last checkers, are of them.
	MassiveBackGames Theme = iota
	// TenOffs: a side has borne off ten or more checkers, and there is still contact.
	TenOffs
	// ManyBacks: one of the sides is to contain the other's last checkers, and five or more checkers of the two
	// together are in the home boards of the others, or on the bar.
	ManyBacks
	// BackGames: the plan of one of the sides is a back game.
	BackGames
	// AcePoints: one side's rearmost point is the opponent's 1-point, its only one in the opponent's home board,
	// and the opponent has passed the middle of the board with all of his checkers.
	AcePoints
	// Containments: one of the sides is to contain the other's last checkers.
	Containments
	// Primes: both sides have made five of six successive points, or four in a
	// row, with a checker of the other behind them.
	Primes
	// DeepBoards: a crashed position in which a side has six or more checkers on its 1-point and 2-point.
	DeepBoards
	// OtherThemes: all the rest.
	OtherThemes
	NumThemes
)

var themeNames = [NumThemes]string{
	"massive back game", "ten off", "containment with many back", "back game", "ace-point game", "containment",
	"prime against prime", "deep crashed board", "other",
}

// String returns the name of the theme.
func (t Theme) String() string { return nameOf(t, themeNames[:]) }

// ParseTheme returns the theme of a name that String gives.
func ParseTheme(name string) (Theme, error) { return parseName[Theme]("theme", name, themeNames[:]) }

// ThemeOf returns the theme of a position, and whether it is the player on roll who plays the back game, contains,
// holds the ace-point, has ten off, or has the deep board; if both do, it is said of the player on roll.
func ThemeOf(b *Board) (t Theme, mine bool) {
	other := b.Swapped()
	plan, theirs := PlanOf(b), PlanOf(&other)
	_, back := homeHolds(&b.Me)
	_, theirBack := homeHolds(&b.Opp)
	containing := plan == Containing || theirs == Containing
	class := Classify(b)
	contact := class > Race
	switch {
	case contact && back >= 7:
		return MassiveBackGames, true
	case contact && theirBack >= 7:
		return MassiveBackGames, false
	case contact && b.Me.Off() >= 10:
		return TenOffs, true
	case contact && b.Opp.Off() >= 10:
		return TenOffs, false
	case containing && back+theirBack >= 5:
		return ManyBacks, plan == Containing
	case plan == BackGame || theirs == BackGame:
		return BackGames, plan == BackGame
	case acePoint(&b.Me, &b.Opp):
		return AcePoints, true
	case acePoint(&b.Opp, &b.Me):
		return AcePoints, false
	case containing:
		return Containments, plan == Containing
	case primes(&b.Me, &b.Opp) && primes(&b.Opp, &b.Me):
		return Primes, true
	case class == Crashed && b.Me[0]+b.Me[1] >= 6:
		return DeepBoards, true
	case class == Crashed && b.Opp[0]+b.Opp[1] >= 6:
		return DeepBoards, false
	}
	return OtherThemes, true
}

// acePoint reports whether s plays an ace-point game.
func acePoint(s, other *Side) bool {
	points, _ := homeHolds(s)
	return s[23] >= 2 && points == 1 && other.Back() < 12
}
