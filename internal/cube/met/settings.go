package met

import (
	"strings"

	"bgtrain/internal/setting"
)

// Setting is the setting --met: the table of matches, which with makes of use. Without
// it the table stays nil, for OrDefault.
func Setting(to **Table, with string) setting.Setting {
	return setting.Setting{Name: "met", To: setting.Parsed(to, Open, func(t *Table) string {
		if t == nil {
			return ""
		}
		return t.Name
	}), Help: "match equity table for " + with + ": " + strings.Join(Names, ", ") +
		" (the first without it), or a GNU Backgammon XML file"}
}

// OrDefault returns the table, or the default one where it is nil.
func (t *Table) OrDefault() (*Table, error) {
	if t != nil {
		return t, nil
	}
	return Open("")
}
