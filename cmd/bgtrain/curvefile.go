package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// curveFile is a learning curve: JSON lines, one a point.
type curveFile struct{ f *os.File }

// openCurve opens a curve for appending and drops the points past done games,
// which a run that was killed wrote after its last checkpoint.
func openCurve(path string, done int) (*curveFile, error) {
	var keep strings.Builder
	old, err := os.Open(path)
	if err == nil {
		sc := bufio.NewScanner(old)
		for sc.Scan() {
			var p struct {
				Games int `json:"games"`
			}
			if json.Unmarshal(sc.Bytes(), &p) == nil && p.Games <= done {
				keep.Write(sc.Bytes())
				keep.WriteByte('\n')
			}
		}
		err = errors.Join(sc.Err(), old.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read curve: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("open curve: %w", err)
	}
	if _, err := f.WriteString(keep.String()); err != nil {
		return nil, fmt.Errorf("write curve: %w", err)
	}
	return &curveFile{f}, nil
}

// Add appends a point.
func (c *curveFile) Add(point any) error {
	line, err := json.Marshal(point)
	if err != nil {
		return err
	}
	if _, err := c.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write curve: %w", err)
	}
	return nil
}

// Close closes the file.
func (c *curveFile) Close() error { return c.f.Close() }
