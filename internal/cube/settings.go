package cube

import (
	"fmt"
	"strings"

	"bgtrain/internal/setting"
)

// none is no model, where a setting may be that.
const none = "none"

// ModelValue is a model as the value of a setting.
func ModelValue(to *Model) setting.Value { return setting.Parsed(to, ParseModel, nameOf) }

// ModelOrNone is a model as the value of a setting; none is nil.
func ModelOrNone(to *Model) setting.Value {
	return setting.Parsed(to, func(text string) (Model, error) {
		if text == none {
			return nil, nil
		}
		return ParseModel(text)
	}, func(m Model) string {
		if m == nil {
			return none
		}
		return m.String()
	})
}

// ModelsValue is several models as the value of a setting, with commas between.
func ModelsValue(to *[]Model) setting.Value { return list{setting.Parsed(to, parseModels, namesOf)} }

// list is a value to which a flag that is given again adds.
type list struct{ setting.Value }

// Type is that of flags with several words.
func (list) Type() string { return "strings" }

// PairValue is how two players handle the cube as the value of a setting, see
// ParsePair; nil is no cube.
func PairValue(to **[2]Model) setting.Value {
	return setting.Parsed(to, func(text string) (*[2]Model, error) {
		pair, err := ParsePair(text)
		return &pair, err
	}, func(pair *[2]Model) string {
		switch {
		case pair == nil:
			return ""
		case pair[0] == pair[1]:
			return pair[0].String()
		}
		return namesOf(pair[:])
	})
}

func nameOf(m Model) string {
	if m == nil {
		return ""
	}
	return m.String()
}

func parseModels(text string) ([]Model, error) {
	var all []Model
	for _, name := range strings.Split(text, ",") {
		m, err := ParseModel(name)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func namesOf(models []Model) string {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = nameOf(m)
	}
	return strings.Join(names, ",")
}

// ScoreValue is the score of a state as the value of a setting: points away of the player
// on roll and of the opponent, such as 3:5; "" for money.
func ScoreValue(s *State) setting.Value { return scoreValue{s} }

type scoreValue struct{ s *State }

// Set reads the points away of both.
func (v scoreValue) Set(text string) error {
	var away, opponent int
	if _, err := fmt.Sscanf(text+"\n", "%d:%d\n", &away, &opponent); err != nil || away < 1 || opponent < 1 {
		return fmt.Errorf("points away of both, such as 3:5, expected")
	}
	v.s.Away, v.s.Opponent = away, opponent
	return nil
}

// String returns the text that Set reads, "" for money.
func (v scoreValue) String() string {
	if v.s == nil || v.s.Away == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", v.s.Away, v.s.Opponent)
}
