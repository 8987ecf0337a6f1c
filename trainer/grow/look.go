package grow

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Seen is what the directory of a run shows of it, also while it grows.
type Seen struct {
	Log    *Log
	Recipe string    // that it was begun with; "": not kept
	Stage  Kind      // under way or cut off; "": none
	Wrote  time.Time // when the stage, or else the log or the recipe, was last written to
}

// IsRun reports whether a directory is one that Run, or before it Claim, wrote to.
func IsRun(dir string) bool {
	for _, name := range []string{LogFile, givenFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// RunName is how a run is called: as its directory is.
func RunName(dir string) string {
	if base := filepath.Base(dir); strings.Trim(base, ".") != "" {
		return base
	}
	if path, err := filepath.Abs(dir); err == nil {
		return filepath.Base(path)
	}
	return dir
}

// Look reads what a run's directory shows. One whose first round is not done has an
// empty log.
func Look(dir string) (*Seen, error) {
	if !IsRun(dir) {
		return nil, fmt.Errorf("%s: no run of grow", dir)
	}
	s := &Seen{}
	var err error
	if s.Log, err = ReadLog(dir); errors.Is(err, fs.ErrNotExist) {
		s.Log, err = &Log{}, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, givenFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read recipe: %w", err)
	}
	s.Recipe = string(text)
	for _, name := range []string{givenFile, LogFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			s.Wrote = info.ModTime()
		}
	}
	if s.Log.End() != nil {
		return s, nil
	}
	entries, err := os.ReadDir(filepath.Join(dir, "stages"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read stages: %w", err)
	}
	var newest time.Time
	for _, e := range entries {
		kind, _, _ := strings.Cut(e.Name(), "-")
		path := filepath.Join(dir, "stages", e.Name())
		if _, err := os.Stat(filepath.Join(path, recordFile)); err == nil {
			continue // finished
		}
		if at := lastWritten(path); at.After(newest) {
			s.Stage, s.Wrote, newest = Kind(kind), at, at
		}
	}
	return s, nil
}

// lastWritten is when a directory or a file in it was written to last; what goes
// meanwhile does not count.
func lastWritten(dir string) (newest time.Time) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return nil
	})
	return newest
}
