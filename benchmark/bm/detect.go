package bm

import (
	"bufio"
	"os"
	"strings"
)

// IsBenchmark says whether a file looks like a benchmark file: whether its first
// line that is not a plain comment begins with a record's letter.
func IsBenchmark(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	text, free, err := decompress(f)
	if err != nil {
		return false
	}
	defer free()
	sc := bufio.NewScanner(text)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "#R ") {
			return true
		}
		if line == "" || line[0] == '#' {
			continue
		}
		return len(line) > 2 && line[1] == ' ' && strings.IndexByte("smor", line[0]) >= 0
	}
	return false
}
