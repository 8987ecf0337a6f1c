package met

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"sync"
)

// Default is the name of the embedded table that is used when none is named.
const Default = "kazaross-xg2"

// Names are the embedded tables.
var Names = []string{Default, "rockwell-kazaross"}

// tables holds the numbers of two published tables as the program writes them:
// Neil Kazaross's of 2011 by eXtreme Gammon rollouts, and his and David
// Rockwell's by GNU Backgammon's.
//
//go:embed tables/*.xml
var tables embed.FS

var embedded = sync.OnceValues(func() (map[string]*Table, error) {
	all := map[string]*Table{}
	for _, name := range Names {
		data, err := tables.ReadFile("tables/" + name + ".xml")
		if err != nil {
			return nil, err
		}
		if all[name], err = Read(bytes.NewReader(data)); err != nil {
			return nil, fmt.Errorf("embedded table %s: %w", name, err)
		}
	}
	return all, nil
})

// Open returns an embedded table by its name, in any case, or reads a file in
// GNU Backgammon's XML form. The empty name is Default.
func Open(name string) (*Table, error) {
	if name == "" {
		name = Default
	}
	all, err := embedded()
	if err != nil {
		return nil, err
	}
	if t := all[strings.ToLower(name)]; t != nil {
		return t, nil
	}
	if !strings.ContainsAny(name, "./\\") {
		return nil, fmt.Errorf("match equity table %q: not one of %s, and not the name of a file", name,
			strings.Join(Names, ", "))
	}
	return ReadFile(name)
}
