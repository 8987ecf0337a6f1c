package bm

import (
	"fmt"
	"math"

	"bgtrain/internal/bg"
)

// Problem is a kind of flaw that a well-formed record may still have.
type Problem uint8

// The problems that Validate counts.
const (
	// IllegalCandidate: no legal play of the roll leads to the candidate.
	IllegalCandidate Problem = iota
	// FinishedPosition: a side of the record's position has no checker left.
	FinishedPosition
	// RepeatedCandidate: a candidate stands twice in its record.
	RepeatedCandidate
	// RepeatedDecision: position and dice of an earlier record.
	RepeatedDecision
	// GammonAfterOff: rolled-out gammons of a side whose opponent has borne off
	// a checker.
	GammonAfterOff
	// LossMismatch: loss and rolled-out outputs of a candidate differ by more
	// than 0.001 points.
	LossMismatch
	// EquityMismatch: the best play's equity and its rolled-out outputs differ by more
	// than 0.001 points.
	EquityMismatch
	// LooseOutputs: a #R line of no candidate, or of one that has its outputs already.
	LooseOutputs
	NumProblems
)

var problemNames = [NumProblems]string{
	"illegal candidate", "finished position", "repeated candidate", "repeated decision",
	"gammon after a checker is off", "loss does not follow from the outputs",
	"equity does not follow from the outputs", "#R line of no candidate",
}

// String returns the problem in words, as validate prints it.
func (p Problem) String() string {
	if p < NumProblems {
		return problemNames[p]
	}
	return "unknown"
}

// Validation is what Validate found.
type Validation struct {
	Counts [NumProblems]int
	First  [NumProblems]error // with file and line; nil where there is none
}

func (v *Validation) add(f *File, line int, p Problem, format string, args ...any) {
	v.Counts[p]++
	if v.First[p] == nil {
		v.First[p] = fmt.Errorf("%s:%d: %s: %s", f.Name, line, p, fmt.Sprintf(format, args...))
	}
}

// Validate looks for what reading a file does not find.
func Validate(f *File) *Validation {
	type decision struct {
		key    bg.Key
		hi, lo int
	}
	v := &Validation{}
	seen := make(map[decision]int, len(f.Records))
	var plays bg.Plays
	for i := range f.Records {
		r := &f.Records[i]
		d := decision{r.Key, max(r.Dice[0], r.Dice[1]), min(r.Dice[0], r.Dice[1])}
		if line, ok := seen[d]; ok {
			v.add(f, r.Line, RepeatedDecision, "%s %d %d, first in line %d", r.Key, r.Dice[0], r.Dice[1], line)
		} else {
			seen[d] = r.Line
		}
		v.checkPlay(f, r, &plays)
	}
	for _, line := range f.Loose {
		v.add(f, line, LooseOutputs, "no play of the decisions beside it, or one that has outputs already")
	}
	for i := range f.Cubes {
		c := &f.Cubes[i]
		v.checkGammons(f, c.Line, c.Key, &c.Outputs)
	}
	return v
}

// checkPlay checks one checker-play record.
func (v *Validation) checkPlay(f *File, r *Record, plays *bg.Plays) {
	b, err := r.Key.Board()
	if err != nil || bg.Classify(&b) == bg.Over {
		v.add(f, r.Line, FinishedPosition, "%s", r.Key)
		return
	}
	legal := make(map[bg.Key]bool)
	for _, p := range plays.Generate(&b, r.Dice[0], r.Dice[1]) {
		legal[p.Key()] = true
	}
	best := &r.Candidates[0]
	if e := -float64(best.Outputs.Equity()); best.RolledOut && math.Abs(e-r.BestEquity) > 0.001 {
		v.add(f, r.Line, EquityMismatch, "%v of %s, by the outputs %.6f", r.BestEquity, best.Key, e)
	}
	seen := make(map[bg.Key]bool)
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if !legal[c.Key] {
			v.add(f, r.Line, IllegalCandidate, "%s after %s %d %d", c.Key, r.Key, r.Dice[0], r.Dice[1])
		}
		if seen[c.Key] {
			v.add(f, r.Line, RepeatedCandidate, "%s", c.Key)
		}
		seen[c.Key] = true
		if !c.RolledOut {
			continue
		}
		v.checkGammons(f, r.Line, c.Key, &c.Outputs)
		// The outputs are the opponent's: a smaller equity is a better play.
		if loss := float64(c.Outputs.Equity() - best.Outputs.Equity()); best.RolledOut &&
			math.Abs(loss-c.Loss) > 0.001 {
			v.add(f, r.Line, LossMismatch, "%s loses %v, by the outputs %.6f", c.Key, c.Loss, loss)
		}
	}
}

// checkGammons finds gammon chances that a checker off rules out.
func (v *Validation) checkGammons(f *File, line int, k bg.Key, o *bg.Outputs) {
	b, err := k.Board()
	if err != nil {
		return // the reader lets no such key pass
	}
	if b.Opp.Off() > 0 && o[bg.WinGammon] > rounding || b.Me.Off() > 0 && o[bg.LoseGammon] > rounding {
		v.add(f, line, GammonAfterOff, "%s %v", k, *o)
	}
}
