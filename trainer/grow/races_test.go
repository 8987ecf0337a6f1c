package grow

import (
	"slices"
	"strings"
	"testing"
)

// Races are labeled apart, and the race net learns from its own rows, by its own
// settings.
func TestRacesAreLearnedApart(t *testing.T) {
	r := parse(t, strings.Replace(good, "training: {epochs: 2,", "races: {epochs: 5, batch: 128, rows: 0}\n    training: {epochs: 2,", 1))
	n, err := newRun(&grower{r: r, o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now := r.first()
	var races []*Stage
	for round := 1; round <= 3; round++ {
		if more, err := n.next(&now); err != nil || !more {
			t.Fatal(more, err)
		}
		s := n.stages(&now)
		n.pass(s.player())
		races = append(races, s.races...)
		learned := slices.DeleteFunc(slices.Clone(s.player().inputs), func(in *Stage) bool { return in.Kind != KindLabels })
		slices.Reverse(learned[1:]) // this round's labels, then from the newest to the oldest
		if want := append(slices.Clone(s.races), races[:round-1]...); !slices.Equal(learned, want) {
			t.Errorf("round %d: the race net learns from %d labels, want %d", round, len(learned), len(want))
		}
		if c := s.player().Command; !strings.Contains(c, "--nets race ") || !strings.Contains(c, " --epochs 5 ") ||
			!strings.Contains(c, " --batch 128 ") {
			t.Errorf("round %d: %s", round, c)
		}
		if c := s.trains[0].Command; !strings.Contains(c, "--nets contact,crashed ") || !strings.Contains(c, " --epochs 2 ") {
			t.Errorf("round %d: %s", round, c)
		}
	}
}

// A round without races leaves the race net as it is.
func TestRoundsWithoutRaces(t *testing.T) {
	r := parse(t, strings.Replace(good, "share: {contact: 0.8, race: 0.2}", "share: {contact: 0.8, crashed: 0.2}", 1))
	n, err := newRun(&grower{r: r, o: &Options{}, st: &store{}})
	if err != nil {
		t.Fatal(err)
	}
	n.pass(n.start())
	now := r.first()
	if more, err := n.next(&now); err != nil || !more {
		t.Fatal(more, err)
	}
	s := n.stages(&now)
	if len(s.trains) != 1 || len(s.races) != 0 || !strings.Contains(s.player().Command, "--nets contact,crashed ") {
		t.Errorf("%d trainings, %d labels of races: %s", len(s.trains), len(s.races), s.player().Command)
	}
}
