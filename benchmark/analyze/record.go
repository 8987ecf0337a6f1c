package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"bgtrain/benchmark/bm"
	"bgtrain/dataset/matchfile"
	"bgtrain/internal/bg"
	"bgtrain/internal/player"
)

// WriteDecisions writes the decisions that read finds in matches as a benchmark file, with
// the best eight plays of each and the one that was made, as a player ranks them at 0-ply.
// command made the file, by the player's net of a fingerprint.
func WriteDecisions(path, command, net string, p *player.Player,
	read func(decision func(source string, a *matchfile.Action) error) error) error {
	return bm.WriteFile(path, func(bw *bm.Writer) error {
		bw.Comment("Decisions of recorded matches; losses are those of a 0-ply evaluation. " +
			"'bgtrain makebm --from FILE -o OUT' rolls them out.")
		bw.Settings(fmt.Sprintf("%s; evaluated at 0-ply: net %s", command, net))
		ev := p.NewEvaluator()
		return read(func(source string, a *matchfile.Action) error {
			bw.Comment(source)
			r := record(&a.Board, a.Dice, candidates(ev, a, 0, 8, money))
			bw.Record(&r)
			return nil
		})
	})
}

// money is the cubeless equity of a play for money.
func money(c *player.Candidate) float64 { return float64(c.Equity) }

// candidates returns the plays of a Play or Roll as a look-ahead judges them: the best,
// at most so many, and the play that was made, wherever it ranks. value is the equity of a
// play to who makes it. There must be a legal play that moves a checker, else the one
// candidate is to stay.
func candidates(e *player.Evaluator, a *matchfile.Action, ply, most int,
	value func(*player.Candidate) float64) []Candidate {
	var all []Candidate
	for _, p := range e.Plays(&a.Board, a.Dice[0], a.Dice[1], ply) {
		all = append(all, Candidate{After: p.Result, Outputs: p.Outputs, Equity: value(&p), Ply: p.Ply,
			Made: a.Kind == matchfile.Play && p.Result == a.After})
	}
	rank(all)
	if len(all) <= most {
		return all
	}
	kept := all[:most:most]
	for _, c := range all[most:] {
		if c.Made {
			kept = append(kept, c)
		}
	}
	return kept
}

// rank sorts candidates and sets what they lose. What was rolled out comes before what was
// not, and plays of a lower ply stay behind those of a higher, though they may seem better.
func rank(all []Candidate) {
	rolled := func(c *Candidate) int {
		if c.Rolled {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(rolled(&x), rolled(&y)), cmp.Compare(y.Ply, x.Ply), cmp.Compare(y.Equity, x.Equity))
	})
	for i := range all {
		all[i].Loss = max(0, all[0].Equity-all[i].Equity)
		if i > 0 {
			all[i].Loss = max(all[i].Loss, all[i-1].Loss)
		}
	}
}

// record is a decision as benchmark files have it.
func record(board *bg.Board, dice [2]int, cs []Candidate) bm.Record {
	r := bm.Record{Key: board.Key(), Dice: dice, BestEquity: cs[0].Equity}
	for i := range cs {
		r.Candidates = append(r.Candidates, bm.Candidate{Key: cs[i].After.Key(), Loss: cs[i].Loss})
	}
	return r
}
