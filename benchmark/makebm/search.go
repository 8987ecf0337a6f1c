package makebm

import (
	"context"
	"fmt"
	"slices"

	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
)

// search looks for decisions of a kind in games of self-play, until the quotas are full.
type search[D found, R rolled] struct {
	s       *Settings
	h       *Hooks
	j       *journalOf[D, R]
	count   [numKinds]int
	classes [bg.NumClasses]int
	seen    map[play]bool
}

func newSearch[D found, R rolled](s *Settings, h *Hooks, j *journalOf[D, R]) search[D, R] {
	return search[D, R]{s: s, h: h, j: j, seen: map[play]bool{}}
}

// play identifies a decision; one about the cube has no dice.
type play struct {
	key    bg.Key
	hi, lo int
}

func (m *search[D, R]) progress(stage Stage, have, want int) {
	if m.h.Progress != nil {
		m.h.Progress(stage, have, want)
	}
}

// roundGames is how many games are played between two merges.
const roundGames = 16

// idleGames is after how many games without a new decision a run gives up.
const idleGames = 100_000

// finder returns what of the kinds that are wanted it draws from a game.
type finder[D any] interface {
	game(number uint64, wanted *[numKinds]bool) []D
}

// find plays games until the quotas are full, with a finder a worker.
func (m *search[D, R]) find(ctx context.Context, newFinder func() finder[D]) error {
	for i, d := range m.j.decisions {
		if !m.keep(d) {
			return fmt.Errorf("%s: decision %d does not belong to this run; remove the file to start over",
				m.j.Name(), i+1)
		}
	}
	finders := make([]finder[D], parallel.Workers(m.s.Workers))
	for w := range finders {
		finders[w] = newFinder()
	}
	m.progress(Finding, len(m.j.decisions), m.s.want())
	for idle := 0; len(m.j.decisions) < m.s.want(); {
		before := len(m.j.decisions)
		if err := m.round(ctx, finders); err != nil {
			return err
		}
		if idle += roundGames; len(m.j.decisions) > before {
			idle = 0
		}
		if idle > idleGames {
			return fmt.Errorf("no new decision in %d games: found %d of %d", idleGames, len(m.j.decisions), m.s.want())
		}
		m.progress(Finding, len(m.j.decisions), m.s.want())
	}
	return nil
}

// round plays the next games and takes their decisions, in the games' order.
func (m *search[D, R]) round(ctx context.Context, finders []finder[D]) error {
	var wanted [numKinds]bool
	for k := range wanted {
		wanted[k] = m.wanted(kind(k))
	}
	var found [roundGames][]D
	err := parallel.For(ctx, len(finders), roundGames, func(w, i int) error {
		found[i] = finders[w].game(uint64(m.j.games+i), &wanted)
		return nil
	})
	if err != nil {
		return err
	}
	var kept []D
	for _, d := range slices.Concat(found[:]...) {
		if m.keep(d) {
			kept = append(kept, d)
		}
	}
	return m.j.addRound(m.j.games+roundGames, kept)
}

// keep reports whether a decision is wanted, and counts it: it must be new, of a
// kind that is not full, and not of positions to be excluded.
func (m *search[D, R]) keep(d D) bool {
	id := d.play()
	b, err := id.key.Board()
	if err != nil || m.seen[id] || m.h.Exclude != nil && slices.ContainsFunc(d.positions(), m.h.Exclude) {
		return false
	}
	class := bg.Classify(&b)
	k, ok := m.s.kindOf(&b, class)
	if !ok || !m.wanted(k) {
		return false
	}
	m.seen[id] = true
	m.count[k]++
	m.classes[class]++
	return true
}

// wanted reports whether more decisions of a kind are wanted.
func (m *search[D, R]) wanted(k kind) bool { return m.count[k] < m.s.quota(k) }
