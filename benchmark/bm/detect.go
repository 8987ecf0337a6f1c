package bm

import (
	"path/filepath"
	"strings"

	"bgtrain/internal/bg"
	"bgtrain/internal/textfile"
)

// IsBenchmark reports whether a file looks like a benchmark file: whether its first
// line that is not a plain comment begins with a record's letter.
func IsBenchmark(path string) bool {
	lines, err := textfile.Open(path)
	if err != nil {
		return false
	}
	defer lines.Close()
	for {
		text, err := lines.Next()
		line := string(text)
		switch {
		case strings.HasPrefix(line, "#R "), strings.HasPrefix(line, digestMark):
			return true
		case line != "" && line[0] != '#':
			return len(line) > 2 && line[1] == ' ' && strings.IndexByte("smor", line[0]) >= 0
		case err != nil:
			return false
		}
	}
}

// classOfName finds a class at the beginning of a file's base name.
func classOfName(name string) (bg.Class, bool) {
	base := strings.ToLower(filepath.Base(name))
	for _, c := range []bg.Class{bg.Contact, bg.Crashed, bg.Race, bg.Bearoff} {
		if strings.HasPrefix(base, c.String()) {
			return c, true
		}
	}
	return 0, false
}
