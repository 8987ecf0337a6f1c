package player

import (
	"bgtrain/internal/bg"
	"bgtrain/internal/nn"
)

// Evaluator evaluates positions for one goroutine. Its methods allocate nothing
// once warm. A position's value is the same to the bit whatever else was
// evaluated before or beside it, in whichever goroutine.
type Evaluator struct {
	p        *Player
	full     [bg.NumClasses]batch
	pruning  [bg.NumClasses]batch
	levels   []*level    // scratch of the look-ahead, by depth
	one      [1]bg.Board // for single evaluations
	oneOut   [1]bg.Outputs
	ranking  ranking
	distinct distinct
	coarse   *Evaluator // of the player's net for the first filter, or nil
	boards   []bg.Board // of score
	outs     []bg.Outputs

	others     []*Evaluator // of the player's others
	meanBoards []bg.Board   // for these, batchSize
	meanOuts   []bg.Outputs
}

// batchSize is how many positions a net evaluates at once.
const batchSize = 96

// NewEvaluator returns an evaluator for one goroutine.
func (p *Player) NewEvaluator() *Evaluator {
	e := &Evaluator{p: p, ranking: ranking{scratch: nn.NewNearScratch()}}
	for c := range p.nets {
		e.full[c].init(p.nets[c])
		e.pruning[c].init(p.pruning[c])
	}
	if p.coarse != nil {
		e.coarse = p.coarse.NewEvaluator()
	}
	for _, other := range p.others {
		e.others = append(e.others, other.NewEvaluator())
	}
	if len(e.others) > 0 {
		e.meanBoards, e.meanOuts = make([]bg.Board, batchSize), make([]bg.Outputs, batchSize)
	}
	return e
}

// Player returns the player that e evaluates for.
func (e *Evaluator) Player() *Player { return e.p }

// Class is Player.Class.
func (e *Evaluator) Class(b *bg.Board) bg.Class { return e.p.Class(b) }

// EvaluateBatch writes the 0-ply outputs of each position to out, as the player
// on roll sees them.
func (e *Evaluator) EvaluateBatch(bs []bg.Board, out []bg.Outputs) {
	for i := range bs {
		b := &bs[i]
		switch class := e.p.Class(b); class {
		case bg.Over:
			out[i] = over(b)
		case bg.Bearoff:
			e.p.bearoff.Evaluate(b, &out[i])
		default:
			var key cacheKey
			if e.p.cache != nil {
				key = makeCacheKey(b, 0)
				if e.p.cache.get(key, &out[i]) {
					continue
				}
			}
			if e.full[class].add(b, key, &out[i]) {
				e.flush(class)
			}
		}
	}
	for _, class := range netClasses {
		e.flush(class)
	}
}

// netClasses are the classes that nets evaluate.
var netClasses = [...]bg.Class{bg.Race, bg.Crashed, bg.Contact}

// flush evaluates what waits for the net of a class.
func (e *Evaluator) flush(class bg.Class) {
	t := &e.full[class]
	if t.n == 0 {
		return
	}
	t.run()
	for i := range t.waiting[:t.n] {
		e.finish(class, &t.waiting[i])
	}
	if len(e.others) > 0 {
		e.mean(t.waiting[:t.n])
	}
	if e.p.cache != nil {
		for i := range t.waiting[:t.n] {
			e.p.cache.put(t.waiting[i].key, t.waiting[i].out)
		}
	}
	t.n = 0
}

// mean makes the values of the player's own nets the means of those and of the others'.
func (e *Evaluator) mean(all []waiting) {
	for i := range all {
		e.meanBoards[i] = all[i].board
	}
	boards, outs := e.meanBoards[:len(all)], e.meanOuts[:len(all)]
	for _, other := range e.others {
		other.EvaluateBatch(boards, outs)
		for i := range all {
			for k, v := range outs[i] {
				all[i].out[k] += v
			}
		}
	}
	for i := range all {
		for k := range all[i].out {
			all[i].out[k] /= float32(1 + len(e.others))
		}
	}
}

// finish makes a net's outputs consistent with each other and with what the
// position rules out.
func (e *Evaluator) finish(class bg.Class, w *waiting) {
	if class == bg.Race {
		e.p.raceBackgammons(&w.board, w.out)
	}
	e.p.makeConsistent(&w.board, w.out)
}

// evaluate0 returns the 0-ply outputs of one position.
func (e *Evaluator) evaluate0(b *bg.Board) bg.Outputs {
	e.one[0] = *b
	e.EvaluateBatch(e.one[:], e.oneOut[:])
	return e.oneOut[0]
}

// waiting is a position whose inputs stand in a batch.
type waiting struct {
	board bg.Board
	key   cacheKey
	out   *bg.Outputs
}
