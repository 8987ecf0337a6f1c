package text

import (
	"errors"
	"fmt"

	"bgtrain/internal/textfile"
)

// Format is a text format of positions with outputs.
type Format int

// The formats.
const (
	FormatAuto Format = iota // by the content
	GNUbgText                // "KEY win wg wbg lg lbg", the key in 20 letters; # begins a comment
	WildbgCSV                // header position_id,win,win_g,win_bg,lose_g,lose_bg
	BoardText                // 26 numbers of a board after a play and its outputs; read, not written
)

var formatNames = map[string]Format{"auto": FormatAuto, "gnubg": GNUbgText, "wildbg": WildbgCSV, "board": BoardText}

// ParseFormat returns the format of a name: auto, gnubg, wildbg or board.
func ParseFormat(name string) (Format, error) {
	if f, ok := formatNames[name]; ok {
		return f, nil
	}
	return 0, fmt.Errorf("format %q is none of auto, gnubg, wildbg", name)
}

// String returns the name that --format takes.
func (f Format) String() string {
	for name, g := range formatNames {
		if f == g {
			return name
		}
	}
	return "unknown"
}

// IsText reports whether a file, plain or compressed, begins as GNUbg training text or wildbg CSV: whether its
// first line that is neither empty nor a comment is of one of these formats.
func IsText(path string) bool {
	lines, err := textfile.Open(path)
	if err != nil {
		return false
	}
	defer lines.Close()
	for {
		line, err := lines.Next()
		if err != nil && !errors.Is(err, textfile.ErrCutOff) {
			return false
		}
		if _, known, bad := detect(line); known || bad != nil {
			return bad == nil
		}
		if err != nil {
			return false
		}
	}
}
