package data

import (
	"fmt"
	"os"
	"slices"

	"bgtrain/dataset"
)

// Embedded names the embedded database where a database is expected. A file of that
// name is ./embedded.
const Embedded = "embedded"

// IsDatabase reports whether a name is that of a database: the embedded one's, or a path
// that looks like one.
func IsDatabase(name string) bool { return name == Embedded || dataset.IsDatabase(name) }

// OpenDatabase opens a database, or the embedded one by its name.
func OpenDatabase(name string) (*dataset.DB, error) {
	if name != Embedded {
		return dataset.Open(name)
	}
	paths := List(Databases)
	if len(paths) == 0 {
		return nil, fmt.Errorf("no database is embedded in this program")
	}
	return dataset.OpenFS(files, paths[0], Embedded)
}

// OpenDatabases opens databases in their order.
func OpenDatabases(names []string) ([]*dataset.DB, error) {
	var dbs []*dataset.DB
	for _, name := range names {
		db, err := OpenDatabase(name)
		if err != nil {
			return nil, err
		}
		dbs = append(dbs, db)
	}
	return dbs, nil
}

// Repeated returns the names of databases that were named before, by this or another name.
func Repeated(paths []string) []string {
	var again []string
	var seen []os.FileInfo
	for i, path := range paths {
		if path == Embedded {
			if slices.Contains(paths[:i], path) {
				again = append(again, path)
			}
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			continue // opening it has failed, or will
		}
		if slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			again = append(again, path)
		}
		seen = append(seen, info)
	}
	return again
}
