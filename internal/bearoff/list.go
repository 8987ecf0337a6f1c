package bearoff

import (
	"os"
	"path/filepath"
)

// File is a database as it is kept on disk.
type File struct {
	Kind      string `json:"kind"` // one-sided or two-sided
	Points    int    `json:"points"`
	Checkers  int    `json:"checkers"`  // of a side, at most
	Positions int    `json:"positions"` // of a side
	Bytes     int64  `json:"bytes"`
	Path      string `json:"path"`
}

// Files lists the files of the databases in use; one that could not be kept has 0 bytes.
func (db *DB) Files() []File {
	list := []File{{Kind: "one-sided", Points: Points, Checkers: maxCheckers, Positions: NumOneSided,
		Path: onePath(db.dir)}}
	if w := db.wide; w != nil {
		list = append(list, File{Kind: "one-sided", Points: db.OneSidedPoints(), Checkers: maxCheckers,
			Positions: w.n.positions(maxCheckers), Path: widePath(db.dir, db.OneSidedPoints())})
	}
	if t := db.two; t != nil {
		list = append(list, File{Kind: "two-sided", Points: Points, Checkers: t.checkers, Positions: t.n,
			Path: twoPath(db.dir, t.checkers)})
	}
	for i := range list {
		f := &list[i]
		if db.dir == "" {
			f.Path = ""
			continue
		}
		f.Path = filepath.Clean(f.Path)
		if info, err := os.Stat(f.Path); err == nil {
			f.Bytes = info.Size()
		}
	}
	return list
}
