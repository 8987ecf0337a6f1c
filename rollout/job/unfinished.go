package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"bgtrain/dataset"
	"bgtrain/internal/checkpoint"
	"bgtrain/internal/disk"
)

// Unfinished is what is done of a chunk that has no part yet: its blocks of Size rows of the
// input, nil where one is not done.
type Unfinished struct {
	Size int
	Done [][]dataset.Row
}

// unfinishedKind names the file of what an interrupted run had done of parts.
const unfinishedKind = "unfinished-parts"

// unfinishedPath is that file, one a shard.
func (p *parts) unfinishedPath() string {
	name := "unfinished.checkpoint"
	if p.d.Shards > 1 {
		name = fmt.Sprintf("unfinished-%d-of-%d.checkpoint", p.d.Shard, p.d.Shards)
	}
	return filepath.Join(p.dir, name)
}

// keep writes what is done of parts that are not finished, so that the same command goes on
// from there.
func (p *parts) keep(chunks map[int]Unfinished) error {
	sections := checkpoint.Sections{}
	for i, c := range chunks {
		text, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("keep unfinished parts: %w", err)
		}
		sections[fmt.Sprint(i)] = text
	}
	return checkpoint.Write(p.unfinishedPath(), unfinishedKind, p.id, sections)
}

// kept reads what keep wrote, nothing where there is none. What is damaged is made again.
func (p *parts) kept() map[int]Unfinished {
	all := map[int]Unfinished{}
	sections, err := checkpoint.Read(p.unfinishedPath(), unfinishedKind, p.id)
	for name, text := range sections {
		var i int
		var c Unfinished
		if _, err = fmt.Sscan(name, &i); err == nil {
			err = json.Unmarshal(text, &c)
		}
		if err != nil {
			break
		}
		all[i] = c
	}
	if err == nil {
		return all
	}
	if p.h.Damaged != nil {
		p.h.Damaged(p.unfinishedPath(), err)
	}
	return map[int]Unfinished{}
}

// forget removes what keep wrote, when all parts are there.
func (p *parts) forget() error {
	if err := disk.Remove(p.unfinishedPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("all parts are whole: %w", err)
	}
	return nil
}
