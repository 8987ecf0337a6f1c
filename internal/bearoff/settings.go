package bearoff

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bgtrain/internal/setting"
)

// Settings are those of Options.OneSidedPoints and of Options.TwoSidedCheckers.
func Settings(oneSided, twoSided *int) setting.List {
	return setting.List{
		{Name: "one-sided", To: oneSided, Range: setting.From(Points, MaxPoints).Or(0),
			Help: "points that the one-sided bearoff database covers, 6 to 10; 0 for 6, the home board"},
		{Name: "two-sided", To: twoSided, Range: setting.From(-1, MaxTwoSided),
			Help: "checkers a side of the exact bearoff database; 0 the default size, -1 none"},
	}
}

// SettingsOrNone are Settings for players that may do without databases: OneSidedPoints may be None.
func SettingsOrNone(oneSided, twoSided *int) setting.List {
	l := Settings(oneSided, twoSided)
	l[0].To, l[0].Range = setting.Parsed(oneSided, parsePoints, pointsText), setting.Range{}
	l[0].Help += "; none for no databases, two-sided ones neither"
	return l
}

// PairSetting is the setting of OneSidedPoints, None among them, of two players: one value for both, or two with a
// comma between.
func PairSetting(to *[2]int) setting.Setting {
	var of int
	s := SettingsOrNone(&of, &of)[0]
	s.Help += "; two for A,B"
	s.To = setting.Parsed(to, func(text string) (pair [2]int, err error) {
		a, b, two := strings.Cut(text, ",")
		if pair[0], err = parsePoints(a); err != nil {
			return pair, err
		}
		pair[1] = pair[0]
		if two {
			pair[1], err = parsePoints(b)
		}
		return pair, err
	}, func(pair [2]int) string {
		if pair[0] == pair[1] {
			return pointsText(pair[0])
		}
		return pointsText(pair[0]) + "," + pointsText(pair[1])
	})
	return s
}

var errPoints = errors.New("6 to 10 points, 0 or none expected")

// parsePoints reads OneSidedPoints, None as a word or as -1.
func parsePoints(text string) (int, error) {
	if text == "none" {
		return None, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n != None && n != 0 && (n < Points || n > MaxPoints) {
		return 0, errPoints
	}
	return n, nil
}

func pointsText(n int) string {
	if n == None {
		return "none"
	}
	return strconv.Itoa(n)
}

// Check reports options that make no sense together.
func (o *Options) Check() error {
	if o.OneSidedPoints == None && o.TwoSidedCheckers > 0 {
		return fmt.Errorf("a two-sided database of %d checkers beside no databases: one of the two expected",
			o.TwoSidedCheckers)
	}
	return nil
}

// Text describes the databases of options, "" for the usual ones: "no bearoff database", or
// "bearoff of 9 points".
func (o *Options) Text() string {
	switch o.OneSidedPoints {
	case None:
		return "no bearoff database"
	case 0, Points:
		return ""
	}
	return fmt.Sprintf("bearoff of %d points", o.OneSidedPoints)
}
