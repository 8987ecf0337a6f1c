package met

import (
	"bufio"
	"fmt"
	"io"
)

// Summary is a table up to a length, as JSON and for people: Pre[i][j] is the chance at
// i+1 points away against j+1, Post[i] that at i+1 away after the Crawford game.
type Summary struct {
	Name       string      `json:"name"`
	Length     int         `json:"length"`
	Pre        [][]float64 `json:"pre"`
	Post       []float64   `json:"post"`
	Difference *Difference `json:"difference,omitempty"` // from another table

	against string
}

// Summary returns the table up to a length, beside another one, a name or a file, where
// that is not "".
func (t *Table) Summary(length int, against string) (*Summary, error) {
	s := &Summary{Name: t.Name, Length: length, against: against}
	for i := 1; i <= length; i++ {
		var row []float64
		for j := 1; j <= length; j++ {
			row = append(row, t.Pre(i, j))
		}
		s.Pre, s.Post = append(s.Pre, row), append(s.Post, t.Post(i))
	}
	if against != "" {
		other, err := Open(against)
		if err != nil {
			return nil, err
		}
		d := Compare(t, other, length)
		s.Difference = &d
	}
	return s, nil
}

// WriteText writes the table in percent.
func (s *Summary) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s\npoints away of the player (rows) and of the opponent\n    ", s.Name)
	for j := range s.Pre {
		fmt.Fprintf(w, "%6d", j+1)
	}
	fmt.Fprintln(w)
	for i, row := range s.Pre {
		fmt.Fprintf(w, "%3d ", i+1)
		for _, p := range row {
			fmt.Fprintf(w, "%6.2f", 100*p)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "after the Crawford game, against 1 away\n    ")
	for _, p := range s.Post {
		fmt.Fprintf(w, "%6.2f", 100*p)
	}
	fmt.Fprintln(w)
	if d := s.Difference; d != nil {
		fmt.Fprintf(w, "against %s: %d scores, mean difference %.4f, largest %.4f (%d away against %d)\n",
			s.against, d.Scores, d.Mean, d.Largest, d.At[0], d.At[1])
		fmt.Fprintf(w, "  after the Crawford game: mean %.4f, largest %.4f (%d away)\n", d.PostMean, d.PostLargest,
			d.PostLargestAt)
	}
	return w.Flush()
}
