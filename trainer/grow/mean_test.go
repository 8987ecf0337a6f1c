package grow

import (
	"path/filepath"
	"testing"

	"bgtrain/data"
	"bgtrain/dataset"
	"bgtrain/internal/bearoff"
	"bgtrain/internal/player"
)

// With mean 2 positions get the mean of what the players of both rounds before say, in the next round of
// the newest two.
func TestMeanOfRounds(t *testing.T) {
	text := `start: {net: td}
prune: {n: 0}
steer: false
measure: {positions: 20, trials: 0, decisions: 0, games: 4}
rounds:
  - positions: {n: 60, share: {contact: 0.6, crashed: 0.4}}
    labels: {truncate: 2, whole: 0}
    training: {epochs: 1, validation: 0.3}
  - repeat: 1
  - repeat: 2
    labels: {values: true, mean: 2}
`
	dir := t.TempDir()
	labels := map[int]*Stage{}
	log, _ := grown(t, text, Options{Dir: dir, Hooks: Hooks{Stage: func(s *Stage) {
		if s.Kind == KindLabels {
			labels[s.Round] = s
		}
	}}})
	for round := 3; round <= 4; round++ {
		net, err := data.OpenMean(filepath.Join(dir, log.Rounds[round-2].Net) + "+" +
			filepath.Join(dir, log.Rounds[round-3].Net))
		if err != nil {
			t.Fatal(err)
		}
		db, err := bearoff.Open(t.Context(), bearoff.Options{Dir: t.TempDir(), TwoSidedCheckers: 2})
		if err != nil {
			t.Fatal(err)
		}
		p, err := player.New(net, db, player.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ev, rows := p.NewEvaluator(), 0
		made, err := dataset.Open(filepath.Join(dir, labels[round].File(labelsFile)))
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range made.Rows(t.Context(), dataset.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			b, err := r.Key.Board()
			if err != nil {
				t.Fatal(err)
			}
			if want := ev.Evaluate(&b, 0); r.Outputs != want {
				t.Errorf("round %d: %v, the mean is %v", round, r.Outputs, want)
			}
			rows++
		}
		if rows != 60 {
			t.Errorf("round %d: %d rows", round, rows)
		}
	}
}
