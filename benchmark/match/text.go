package match

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"bgtrain/internal/stats"
)

// Result is what came of a Run.
type Result struct {
	Summary
	Instead []Instead `json:"instead,omitempty"`
	Elapsed float64   `json:"elapsed_s"`

	played int // games, but for those of earlier runs and of Instead
	took   time.Duration
}

// WriteText writes the result for people.
func (r *Result) WriteText(w io.Writer) error {
	if err := r.Summary.WriteText(w); err != nil {
		return err
	}
	played := r.played
	for i := range r.Instead {
		if err := r.Instead[i].WriteText(w); err != nil {
			return err
		}
		played += r.Instead[i].Games
	}
	speed := "no game was left to play"
	if played > 0 {
		speed = stats.Rate(float64(played)/r.took.Seconds()) + " games a second"
	}
	_, err := fmt.Fprintf(w, "%.1f s, %s\n", r.took.Seconds(), speed)
	return err
}

// WriteText writes the summary for people.
func (s *Summary) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	s.write(w)
	return w.Flush()
}

func (s *Summary) write(w io.Writer) {
	dice := ""
	if s.Duplicate {
		dice = ", duplicate dice"
	}
	games := stats.Count(s.Games, "game", "games")
	if s.Length > 0 {
		games = stats.Count(s.Games, "match", "matches")
	}
	fmt.Fprintf(w, "%s against %s, %s, seed %d%s\n", s.A, s.B, games, s.Seed, dice)
	if s.Length > 0 {
		s.writeMatches(w)
		return
	}
	points := func(name string, v stats.Stat) { fmt.Fprintf(w, "  %-22s %+8.4f ± %.4f\n", name, v.Mean, v.SE) }
	share := func(name string, v stats.Stat) {
		fmt.Fprintf(w, "  %-22s %7.2f%% ± %.2f\n", name, 100*v.Mean, 100*v.SE)
	}
	points("points per game", s.Points)
	if s.Adjusted != nil {
		points("less luck", *s.Adjusted)
	}
	share("wins", s.Wins)
	share("gammons won", s.Gammons)
	share("backgammons won", s.Backgammons)
	share("gammons lost", s.GammonsLost)
	share("backgammons lost", s.BackgammonsLost)
	if s.Cube != nil {
		share("games ended by a pass", *s.Passes)
		fmt.Fprintf(w, "  %-22s %8.3f ± %.3f\n", "final cube", s.Cube.Mean, s.Cube.SE)
	}
	fmt.Fprintf(w, "  %-22s %8.2f ± %.2f\n", "rolls per game", s.Turns.Mean, s.Turns.SE)
	if s.ErrorRating != nil {
		fmt.Fprintf(w, "  %-22s %+8.2f ± %.2f\n", "error rating", s.ErrorRating.Mean, s.ErrorRating.SE)
	}
	if s.UnpairedLeftOut > 0 {
		fmt.Fprintf(w, "  %d games without their partner left out\n", s.UnpairedLeftOut)
	}
}

// writeMatches writes the result of matches to a number of points.
func (s *Summary) writeMatches(w io.Writer) {
	fmt.Fprintf(w, "  %-22s %7.2f%% ± %.2f\n", fmt.Sprintf("%d-point matches won", s.Length), 100*s.Wins.Mean,
		100*s.Wins.SE)
	if a := s.AdjustedWins; a != nil {
		fmt.Fprintf(w, "  %-22s %7.2f%% ± %.2f\n", "less luck", 100*a.Mean, 100*a.SE)
	}
	fmt.Fprintf(w, "  %-22s %8.2f ± %.2f\n", "games per match", s.PerMatch.Mean, s.PerMatch.SE)
	fmt.Fprintf(w, "  %-22s %8.3f ± %.3f\n", "largest cube", s.Cube.Mean, s.Cube.SE)
	fmt.Fprintf(w, "  %-22s %8.2f ± %.2f\n", "rolls per match", s.Turns.Mean, s.Turns.SE)
}
