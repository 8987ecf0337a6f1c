package makebm

import (
	"encoding/json"
	"errors"
	"fmt"

	"bgtrain/internal/bg"
	"bgtrain/internal/identity"
	"bgtrain/internal/journal"
)

// journalOf keeps decisions of a kind and what rolling them out gave on disk while a run goes on. Its records are
// entries as JSON.
type journalOf[D found, R rolled] struct {
	j         *journal.Journal
	games     int
	decisions []D
	results   map[candidate]*R
}

// Journal is that of a run whose decisions are plays.
type Journal = journalOf[decision, result]

// found is a decision of a game, or one that is given.
type found interface {
	play() play          // what it is of; there is only one of each
	positions() []bg.Key // before and after it; none may be excluded
	check(c int) error   // reports what no run finds, and that there is no candidate c
}

// rolled is what rolling out gave.
type rolled interface{ check() error }

// entry is one record: the decisions that the games up to a number added, or a result.
type entry[D, R any] struct {
	Games     int        `json:"games,omitempty"`
	Decisions []D        `json:"decisions,omitempty"`
	Of        *candidate `json:"of,omitempty"`
	Result    *R         `json:"result,omitempty"`
}

// candidate names a candidate: the number of its decision and its own there, 0 of cube decisions.
type candidate struct{ Decision, Index int }

// result is the rollout of a candidate.
type result struct {
	Outputs bg.Outputs // as the opponent, who is on roll, sees them
	SE      float64    // of the difference to the best, of the best the equity's, points; 0 where exact
	Trials  int        // 0 where exact
}

func (r result) check() error {
	if !(r.SE >= 0) {
		return fmt.Errorf("standard error %v", r.SE)
	}
	for _, p := range r.Outputs {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("probability %v", p)
		}
	}
	return nil
}

// OpenJournal opens or begins the journal of a run; id is what its records depend on, the
// decisions too, where they are given (else nil).
func OpenJournal(path string, id identity.ID, given *Given) (*Journal, error) {
	var decisions []decision
	if given != nil {
		decisions = given.decisions
	}
	return beginJournal[decision, result](path, "makebm-plays", id, decisions)
}

func beginJournal[D found, R rolled](path, kind string, id identity.ID, given []D) (*journalOf[D, R], error) {
	j := &journalOf[D, R]{decisions: given, results: map[candidate]*R{}}
	var err error
	if j.j, err = journal.Open(path, kind, id, j.replay); err != nil {
		return nil, err
	}
	return j, nil
}

// replay takes in a record.
func (j *journalOf[D, R]) replay(record string) error {
	var e entry[D, R]
	if err := json.Unmarshal([]byte(record), &e); err != nil {
		return err
	}
	if e.Of == nil {
		if e.Games < max(j.games, 1) {
			return fmt.Errorf("%d games after %d", e.Games, j.games)
		}
		for _, d := range e.Decisions {
			if err := d.check(0); err != nil {
				return err
			}
		}
		j.games, j.decisions = e.Games, append(j.decisions, e.Decisions...)
		return nil
	}
	if e.Of.Decision < 0 || e.Of.Decision >= len(j.decisions) || e.Result == nil {
		return fmt.Errorf("rollout of decision %d, which is not known", e.Of.Decision)
	}
	if err := errors.Join(j.decisions[e.Of.Decision].check(e.Of.Index), (*e.Result).check()); err != nil {
		return err
	}
	j.results[*e.Of] = e.Result
	return nil
}

// Name returns the journal's file name.
func (j *journalOf[D, R]) Name() string { return j.j.Name() }

// Done returns the numbers of decisions and of rolled-out candidates so far.
func (j *journalOf[D, R]) Done() (decisions, candidates int) { return len(j.decisions), len(j.results) }

// result returns what is known of a candidate, or nil.
func (j *journalOf[D, R]) result(c candidate) *R { return j.results[c] }

// addRound adds the decisions found in the games up to number games.
func (j *journalOf[D, R]) addRound(games int, found []D) error {
	j.games, j.decisions = games, append(j.decisions, found...)
	return j.add(entry[D, R]{Games: games, Decisions: found})
}

// addResult adds the rollout of a candidate.
func (j *journalOf[D, R]) addResult(c candidate, r *R) error {
	j.results[c] = r
	return j.add(entry[D, R]{Of: &c, Result: r})
}

func (j *journalOf[D, R]) add(e entry[D, R]) error {
	record, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return j.j.Add(string(record))
}

// Close closes the journal; it stays on disk.
func (j *journalOf[D, R]) Close() error { return j.j.Close() }

// Remove closes the journal and removes it: the run is finished.
func (j *journalOf[D, R]) Remove() error { return j.j.Remove() }
