package selfplay

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/stats"
)

// Write writes positions, without outputs, as a database.
func Write(path string, meta dataset.Meta, found []Found) error {
	w, err := dataset.Create(path, dataset.Options{Meta: meta})
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, f := range found {
		if err := w.Write(&dataset.Row{Key: f.Key, Class: f.Class, Source: f.Source.String()}); err != nil {
			return err
		}
	}
	return w.Close()
}

// Summary counts the positions of a database.
type Summary struct {
	Output  string         `json:"output"`
	Games   int            `json:"games"`
	Classes map[string]int `json:"classes"`
	Plans   map[string]int `json:"plans"` // of the player on roll, contact and crashed positions
	Sources map[string]int `json:"sources"`
}

// Summarize counts positions of so many games.
func Summarize(path string, games int, found []Found) (*Summary, error) {
	s := &Summary{path, games, map[string]int{}, map[string]int{}, map[string]int{}}
	for _, f := range found {
		s.Classes[f.Class.String()]++
		s.Sources[f.Source.String()]++
		if f.Class < bg.Crashed {
			continue
		}
		b, err := f.Key.Board()
		if err != nil {
			return nil, err
		}
		s.Plans[bg.PlanOf(&b).String()]++
	}
	return s, nil
}

// WriteText writes the counts, by class and by game plan, for people.
func (s *Summary) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s: %s of %s\n", s.Output,
		stats.Count(sum(s.Classes), "position", "positions"), stats.Count(s.Games, "game", "games")); err != nil {
		return err
	}
	if err := WriteCounts(w, "class", s.Classes); err != nil {
		return err
	}
	return WriteCounts(w, "plan of contact and crashed positions", s.Plans)
}

func sum(counts map[string]int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

// WriteCounts writes counts, the largest first, with their shares of the sum.
func WriteCounts(w io.Writer, title string, counts map[string]int) error {
	total := float64(max(sum(counts), 1))
	_, err := fmt.Fprintf(w, "  %s\n", title)
	for _, name := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		if err == nil {
			_, err = fmt.Fprintf(w, "    %-28s %8d  %5.1f%%\n", name, counts[name], 100*float64(counts[name])/total)
		}
	}
	return err
}
