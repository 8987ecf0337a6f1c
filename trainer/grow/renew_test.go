package grow

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bgtrain/dataset"
	"bgtrain/rollout"
)

// A round with renew trains that often, from the player before; older labels are made anew for
// the first training, all of them for the next.
func TestRenewedLabels(t *testing.T) {
	r := parse(t, strings.Replace(good, "training: {epochs: 2,", "training: {epochs: 2, renew: 2,", 1))
	n, err := newRun(&grower{r: r, o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now := r.first()
	for round := 1; round <= 2; round++ {
		if more, err := n.next(&now); err != nil || !more {
			t.Fatal(more, err)
		}
		s := n.stages(&now)
		n.pass(s.player())
		second := s.trains[0]
		first := second.inputs[0]
		if first.Kind != KindTrain || first.inputs[0] == second.inputs[0] {
			t.Fatalf("round %d: no two trainings", round)
		}
		for i, labels := range first.learned() {
			of := first.inputs[1+i]
			if own := slices.Contains(s.labels, labels); own != (of == labels) && labels.ends {
				t.Errorf("round %d: labels of this round %v, as they are %v", round, own, of == labels)
			}
		}
		for i, labels := range second.learned() {
			of := second.inputs[1+i]
			if labels.ends != (of.Kind == KindRenew) || of.Kind == KindRenew && of.inputs[2] != first {
				t.Errorf("round %d: the second training learns from %s", round, of.Command)
			}
		}
	}
	// Races have their own.
	r = parse(t, strings.Replace(good, "training: {epochs: 2,", "races: {renew: 3}\n    training: {epochs: 2,", 1))
	if n, err = newRun(&grower{r: r, o: &Options{}, st: &store{}}); err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now = r.first()
	if _, err := n.next(&now); err != nil {
		t.Fatal(err)
	}
	trainings := 0
	s := n.stages(&now)
	for last := s.player(); last.Kind == KindTrain; last = last.inputs[0] {
		trainings++
	}
	if trainings != 4 { // one of them of contact and crashed
		t.Errorf("%d trainings of a round that renews the labels of races three times", trainings)
	}
	// A teacher's labels stay as they are.
	r.Teacher = "td"
	g, err := newGrower(r, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err = newRun(g); err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now = r.first()
	if _, err := n.next(&now); err != nil {
		t.Fatal(err)
	}
	if n.stages(&now); len(n.renewed) > 0 {
		t.Errorf("%d labels of a teacher are made anew", len(n.renewed))
	}
}

// A round of trials learns from those of rounds before, not from values between them; and the other way round.
func TestRowsOfAKind(t *testing.T) {
	text := `prune: {n: 0}
rounds: [{positions: {n: 10, share: {contact: 1}}, labels: {whole: 0}, training: {rows: 2}},
         {labels: {values: true}}, {labels: {values: false}}, {labels: {values: true}}, {training: {rows: 0}}]
`
	n, err := newRun(&grower{r: parse(t, text), o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now := n.r.first()
	for i, want := range [][]int{{1}, {2}, {3, 1}, {4, 2}, {5, 4, 3, 2, 1}} {
		if more, err := n.next(&now); err != nil || !more {
			t.Fatal(more, err)
		}
		s := n.stages(&now)
		n.pass(s.player())
		var rounds []int
		for _, labels := range s.player().learned() {
			rounds = append(rounds, labels.Round)
		}
		if !slices.Equal(rounds, want) {
			t.Errorf("round %d learns from rounds %v, want %v", i+1, rounds, want)
		}
	}
}

// Values by look-ahead of one player go on by a ply, those of this round too; values of several or at 0-ply stay.
func TestRenewedValues(t *testing.T) {
	const text = `nets: {hidden: [6]}
start: {games: 250, max-plies: 100}
prune: {n: 0}
cube: {games: 0}
measure: {positions: 40, trials: 0, decisions: 0, games: 8}
rounds:
  - repeat: 2
    positions: {n: 100, share: {contact: 0.7, crashed: 0.3}}
    labels: {values: true, ply: 1, whole: 0}
    training: {renew: 1, epochs: 1, validation: 0.3}
`
	dir := t.TempDir()
	log, best := grown(t, text, Options{Dir: dir, Workers: 2})
	if len(log.Rounds) != 2 {
		t.Fatalf("%d rounds", len(log.Rounds))
	}
	made, err := filepath.Glob(filepath.Join(dir, "stages", string(KindRenew)+"-*", labelsFile))
	if err != nil || len(made) != 2 { // the first round's are gone
		t.Fatal(made, err)
	}
	for _, path := range made {
		db, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range db.Rows(t.Context(), dataset.Filter{}) {
			if err != nil || row.Method != rollout.FurtherMethod(2) && !strings.HasSuffix(row.Method, "bearoff") {
				t.Fatal(row, err)
			}
		}
	}
	other := t.TempDir()
	if _, again := grown(t, text, Options{Dir: other, Workers: 1}); !bytes.Equal(best, again) {
		t.Error("another number of workers makes another player")
	}
	for _, stay := range []string{"ply: 0", "mean: 2, ply: 1"} {
		n, err := newRun(&grower{r: parse(t, strings.Replace(text, "ply: 1", stay, 1)), o: &Options{}, st: &store{}})
		if err != nil {
			t.Fatal(err)
		}
		n.pass(n.start())
		now := n.r.first()
		if _, err := n.next(&now); err != nil {
			t.Fatal(err)
		}
		if n.stages(&now); len(n.renewed) > 0 {
			t.Errorf("%s: %d labels are made anew", stay, len(n.renewed))
		}
	}
}
