package analyze

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"bgtrain/dataset/matchfile"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/player"
)

// Named is a match and the file that it is from.
type Named struct {
	Path  string
	Match *matchfile.Match
}

// Run analyzes matches and writes pages of them.
type Run struct {
	Settings
	Out     string // the page of a match; of several the directory of theirs; "": none
	Net     string // the player's, as pages name it
	Command string // that makes the pages again
}

// IndexPage is the name of the page of several matches.
const IndexPage = "index.html"

// Make analyzes matches, and returns a table of them. show is called with each before its
// page is written.
func (r *Run) Make(ctx context.Context, p *player.Player, matches []Named,
	show func(path string, a *Analysis) error) (Folder, error) {
	names := map[string]bool{IndexPage: true}
	var all []Entry
	for _, m := range matches {
		page, index := "", ""
		if r.Out != "" && len(matches) > 1 {
			page, index = PageName(m.Path, names), IndexPage
		}
		a, err := Match(ctx, p, m.Match, r.Settings)
		if err == nil {
			err = show(m.Path, a)
		}
		if err == nil {
			err = r.write(page, func(w io.Writer) error { return a.WritePage(w, m.Path, r.Net, r.Command, index) })
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		all = append(all, a.Entry(m.Path, page))
	}
	folder := NewFolder(all)
	if len(matches) == 1 {
		return folder, nil
	}
	return folder, r.write(IndexPage, func(w io.Writer) error { return folder.WritePage(w, r.Command) })
}

// write writes a page below Out, or with no name Out itself, where pages are wanted.
func (r *Run) write(name string, page func(w io.Writer) error) error {
	if r.Out == "" {
		return nil
	}
	return atomicfile.Write(filepath.Join(r.Out, name), page)
}
