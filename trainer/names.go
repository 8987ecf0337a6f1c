package trainer

import (
	"fmt"
	"path"
	"strings"
)

// fewFiles is how many files of one folder are named one by one.
const fewFiles = 3

// NameData returns how provenance calls databases: their names, but of many files
// in one folder that follow each other the first and the last.
func NameData(files []string) string {
	var names []string
	for len(files) > 0 {
		n := 1
		for n < len(files) && path.Dir(files[n]) == path.Dir(files[0]) && path.Dir(files[0]) != "." {
			n++
		}
		if n > fewFiles {
			names = append(names, fmt.Sprintf("%s … %s (%d files)", files[0], files[n-1], n))
		} else {
			names = append(names, files[:n]...)
		}
		files = files[n:]
	}
	return strings.Join(names, " ")
}
