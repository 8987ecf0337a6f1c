package grow

import (
	"slices"
	"strings"
	"testing"
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
