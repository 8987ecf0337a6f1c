package rollout

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/parallel"
	"bgtrain/internal/player"
)

// Renewal gives followed trials labels anew, by the values that another player has for the
// positions on the way. The plays and the luck stay those of the player that made the
// trials: luck by any values averages to nothing, so labels grow no noisier, and lose the
// errors of the values that they were made with.
type Renewal struct {
	Old, New *player.Player
	Lambda   float64 // see Engine.NewFollow
	Workers  int
}

// renewBlock is how many rows are made anew by one goroutine at a time.
const renewBlock = 4096

// Database writes to w the rows of db, whose trials have their ends, with labels anew and
// without the ends, and returns how many. A row that is no part of such a trial is an error,
// which has its number.
func (r *Renewal) Database(ctx context.Context, db *dataset.DB, w *dataset.Writer,
	progress func(done, total int)) (dataset.Report, error) {
	var report dataset.Report
	blocks := make([]*renewer, parallel.Workers(r.Workers))
	for i := range blocks {
		blocks[i] = &renewer{old: r.Old.NewEvaluator(), new: r.New.NewEvaluator(), lambda: r.Lambda}
	}
	filled, done := 0, 0
	flush := func() error {
		err := parallel.For(ctx, r.Workers, filled, func(_, i int) error { return blocks[i].renew() })
		if err != nil {
			return err
		}
		for _, b := range blocks[:filled] {
			for i := range b.out {
				report.Rows++
				report.Classes[b.out[i].Class]++
				if err := w.Write(&b.out[i]); err != nil {
					return err
				}
			}
			done += len(b.rows)
			b.rows = b.rows[:0]
		}
		filled = 0
		if progress != nil {
			progress(done, int(db.NumRows()))
		}
		return nil
	}
	at := 0 // number of the row
	for row, err := range db.Rows(ctx, dataset.Filter{}) {
		if err != nil {
			return report, err
		}
		b := blocks[filled]
		if len(b.rows) == 0 {
			b.first = at
		}
		b.rows = append(b.rows, row)
		at++
		if len(b.rows) < renewBlock || row.HasOutputs {
			continue
		}
		if filled++; filled == len(blocks) {
			if err := flush(); err != nil {
				return report, err
			}
		}
	}
	if filled < len(blocks) && len(blocks[filled].rows) > 0 {
		filled++
	}
	err := flush()
	return report, err
}

// renewer makes the labels of a block of whole trials anew, for one goroutine.
type renewer struct {
	old, new *player.Evaluator
	lambda   float64

	first     int // number of the first row
	rows, out []dataset.Row
	boards    []bg.Board
	before    []bg.Outputs // values of old
	now       []bg.Outputs // values of new

	method, renewed string  // of a row, and of it anew
	had             float64 // lambda of method
}

// renew fills out.
func (r *renewer) renew() error {
	r.boards, r.out = grow(&r.boards, len(r.rows)), r.out[:0]
	for i := range r.rows {
		var err error
		if r.boards[i], err = r.rows[i].Key.Board(); err != nil {
			return fmt.Errorf("row %d: position %s: %w", r.first+i, r.rows[i].Key, err)
		}
	}
	r.before, r.now = grow(&r.before, len(r.rows)), grow(&r.now, len(r.rows))
	r.old.EvaluateBatch(r.boards, r.before)
	r.new.EvaluateBatch(r.boards, r.now)
	from := 0
	for i := range r.rows {
		row := &r.rows[i]
		switch {
		case !row.HasOutputs:
			if i == from {
				return fmt.Errorf("row %d: the end of a trial without a beginning", r.first+i)
			}
			r.trial(from, i)
			from = i + 1
		case strings.HasSuffix(row.Method, "bearoff"):
			r.out = append(r.out, *row) // exact, and no trial
			from = i + 1
		default:
			if err := r.read(row.Method); err != nil {
				return fmt.Errorf("row %d: %w", r.first+i, err)
			}
		}
	}
	if from < len(r.rows) {
		return fmt.Errorf("row %d: a trial without an end: rollout --follow --ends keeps them", r.first+from)
	}
	return nil
}

// read takes lambda from the method of a row.
func (r *renewer) read(method string) error {
	if method == r.method {
		return nil
	}
	const word = " follow lambda="
	at := strings.LastIndex(method, word)
	if at < 0 {
		return fmt.Errorf("method %q: that of a followed trial expected", method)
	}
	had, err := strconv.ParseFloat(method[at+len(word):], 64)
	if err != nil || !(had >= 0 && had <= 1) {
		return fmt.Errorf("method %q: a lambda from 0 to 1 expected", method)
	}
	r.method, r.had = method, had
	r.renewed = fmt.Sprintf("%s%s%g renewed", method[:at], word, r.lambda)
	return nil
}

// trial appends the rows of a trial from row from to before row end, backwards: the luck of a
// roll is what the label has beside what the position after it was worth.
func (r *renewer) trial(from, end int) {
	had, now := toValues(&r.before[end]), toValues(&r.now[end])
	last := end - 1
	at := len(r.out)
	r.out = append(r.out, r.rows[from:end]...)
	if r.rows[end].Key == r.rows[last].Key { // the end is exact
		exact := toValues(&r.rows[last].Outputs)
		had, now = mixed(&r.before[last], &exact, r.had), mixed(&r.now[last], &exact, r.lambda)
		last--
	}
	for i := last; i >= from; i-- {
		label := toValues(&r.rows[i].Outputs)
		luck := had.inverted()
		luck = luck.sub(&label)
		anew := now.inverted()
		anew = anew.sub(&luck)
		r.out[at+i-from].Outputs = anew.outputs()
		had, now = mixed(&r.before[i], &label, r.had), mixed(&r.now[i], &anew, r.lambda)
	}
	for i := range r.out[at:] {
		r.out[at+i].Method = r.renewed
	}
}

// mixed is the target that a label gives the step before, with a net's value for the position.
func mixed(value *bg.Outputs, label *values, lambda float64) (target values) {
	v := toValues(value)
	for k := range target {
		target[k] = (1-lambda)*v[k] + lambda*label[k]
	}
	return target
}
