package dataset

import (
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/setting"
)

// PlanSettings are the settings that choose positions by the game plans of their sides
// and by theme; prefix begins their help.
func PlanSettings(to *bg.PlanFilter, prefix string) setting.List {
	all := ^bg.Themes(0)
	return setting.List{
		{Name: "plans", To: &to.With, Help: prefix + "only positions where one of the sides is after one of these " +
			"game plans, such as \"back game,containing\""},
		{Name: "without-plans", To: &to.Without,
			Help: prefix + "no positions where one of the sides is after one of these"},
		{Name: "themes", To: &to.Themes,
			Help: prefix + "only positions of these themes: " + strings.ReplaceAll(all.String(), ",", ", ")},
	}
}

// ClassSetting is the setting of the classes that a filter lets pass.
func ClassSetting(to *Filter) setting.Setting {
	return setting.Setting{Name: "class", To: (*classes)(&to.Classes),
		Help: "only positions of these classes: contact, crashed, race, bearoff"}
}

// MethodSetting is the setting of the methods whose rows a filter lets pass.
func MethodSetting(to *Filter) setting.Setting {
	return setting.Setting{Name: "method", To: &to.Method,
		Help: "only positions whose method begins so, such as rollout, eval or one-sided"}
}

// classes are names with commas between them.
type classes []bg.Class

// Type is that of flags with several words.
func (c *classes) Type() string { return "strings" }

// String returns the text that Set reads.
func (c *classes) String() string {
	words := make([]string, len(*c))
	for i, class := range *c {
		words[i] = class.String()
	}
	return strings.Join(words, ",")
}

// Set reads names with commas between them; one that is unknown is an error.
func (c *classes) Set(text string) error {
	var all classes
	for name := range strings.SplitSeq(text, ",") {
		class, err := ParseClass(name)
		if err != nil {
			return err
		}
		all = append(all, class)
	}
	*c = all
	return nil
}
