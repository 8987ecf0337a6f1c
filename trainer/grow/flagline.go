package grow

import (
	"strings"

	"bgtrain/internal/setting"
)

// flagLine returns settings as flags of a command line, those without a value left
// out: the same settings give the same text.
func flagLine(l setting.List) string {
	var b strings.Builder
	for i := range l {
		value := valueText(&l[i])
		switch {
		case value == "":
		case l[i].Type() == "bool":
			b.WriteString(" --" + l[i].Name + "=" + value)
		default:
			b.WriteString(" --" + l[i].Name + " " + quote(value))
		}
	}
	return b.String()
}

// quote makes a text one word of a shell's command line.
func quote(s string) string {
	if !strings.ContainsAny(s, " '\"$\\;&|<>()*?`") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
