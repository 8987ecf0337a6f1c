package job

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/internal/cube"
	"bgtrain/internal/cube/met"
	"bgtrain/rollout"
)

// A row of a job of Trials has the key of a position that is rolled out with the cube and,
// as its source, which trials of which lines are meant: XGID LINE+LINE… FIRST END, LINE as of
// lineName. Its method becomes their equities, trial by trial, base64 of little-endian
// float64; its outputs are those of the net.
const (
	trialsForm = "%s %s %d %d"
	partTrials = 36 // that a row has at most
)

// lineName names a line of a rollout with the cube: no-double, double or the key after a play.
func lineName(l rollout.CubeLine) string {
	switch {
	case l.After != nil:
		return l.After.Key().String()
	case l.Doubled:
		return "double"
	}
	return "no-double"
}

func parseLines(names string) (lines []rollout.CubeLine, err error) {
	for name := range strings.SplitSeq(names, "+") {
		l := rollout.CubeLine{Doubled: name == "double"}
		if name != "no-double" && !l.Doubled {
			key, err := bg.ParseKey(name)
			if err != nil {
				return nil, err
			}
			after, err := key.Board()
			if err != nil {
				return nil, err
			}
			l.After = &after
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// xgid is the position with its state, which cube.ParseXGID reads back.
func (a *Asked) xgid() string {
	return a.State.XGID(&a.Board, [2]int{}, max(a.State.Away, a.State.Opponent))
}

// trialLines are the lines of the position whose trials a job plays, with their trees, which
// its goroutines share.
type trialLines struct {
	e     *rollout.CubeEngine
	table *met.Table

	mu   sync.Mutex
	xgid string // of the position
	line map[string]func(ctx context.Context, first, end int) ([]float64, error)
}

// openTrials sets the work of a job of Trials.
func (j *Job) openTrials(o rollout.Options, rules *CubeRules) (err error) {
	t := &trialLines{table: rules.Table}
	h := cube.Handling{Model: rules.Model, Beavers: rules.Beavers}
	if t.e, err = rollout.NewCubeEngine(j.Player, o, h); err != nil {
		return err
	}
	j.New = func() Work {
		eval := j.Player.NewEvaluator()
		return func(ctx context.Context, rows []dataset.Row) ([]dataset.Row, error) {
			for i := range rows {
				row := &rows[i]
				b, err := row.Key.Board()
				if err == nil {
					err = t.play(ctx, row, &b)
				}
				if err != nil {
					return nil, fmt.Errorf("trials %q: %w", row.Source, err)
				}
				row.Class, row.Outputs, row.HasOutputs = dataset.ClassOf(&b), eval.Evaluate(&b, 0), true
			}
			return rows, nil
		}
	}
	j.Check = func(row *dataset.Row) error { _, err := trialsOf(row.Source, row.Method); return err }
	j.Engine, err = rollout.NewEngine(j.Player, o)
	return err
}

// play plays the trials of a row at b.
func (t *trialLines) play(ctx context.Context, row *dataset.Row, b *bg.Board) error {
	xgid, name, first, end, err := parseTrials(row.Source)
	if err == nil && end > t.e.Options().Trials {
		err = fmt.Errorf("%d trials and no more are to be played", t.e.Options().Trials)
	}
	if err != nil {
		return err
	}
	if of, _, err := bg.ParseXGID(xgid); err != nil || of != *b {
		return cmp.Or(err, errors.New("the XGID is not of position "+row.Key.String()))
	}
	play, err := t.of(xgid, name, b)
	if err != nil {
		return err
	}
	values, err := play(ctx, first, end)
	if err != nil {
		return err
	}
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	row.Method, row.Trials, row.HasTrials = base64.StdEncoding.EncodeToString(raw), int32(end-first), true
	return nil
}

// of returns what plays trials of a line at b.
func (t *trialLines) of(xgid, name string, b *bg.Board) (func(ctx context.Context, first, end int) ([]float64, error),
	error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.xgid != xgid {
		t.xgid, t.line = xgid, map[string]func(ctx context.Context, first, end int) ([]float64, error){}
	}
	if play := t.line[name]; play != nil {
		return play, nil
	}
	s, err := cube.ParseXGID(xgid, t.table)
	if err != nil {
		return nil, err
	}
	lines, err := parseLines(name)
	if err != nil {
		return nil, err
	}
	play, err := t.e.Trials(b, &s, lines...)
	if err == nil {
		t.line[name] = play
	}
	return play, err
}

// parseTrials reads the source of a row.
func parseTrials(source string) (xgid, lines string, first, end int, err error) {
	_, err = fmt.Sscanf(source, trialsForm, &xgid, &lines, &first, &end)
	if err == nil && (first < 0 || end <= first || end-first > partTrials) {
		err = fmt.Errorf("trials %d to %d", first, end)
	}
	return xgid, lines, first, end, err
}

// trialsOf returns the equities that are the method of a row with such a source.
func trialsOf(source, method string) ([]float64, error) {
	_, lines, first, end, err := parseTrials(source)
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(method)
	n := (end - first) * (1 + strings.Count(lines, "+"))
	if err != nil || len(raw) != 8*n {
		return nil, fmt.Errorf("%s: %d equities expected, not %.60q", source, n, method)
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
		if math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
			return nil, fmt.Errorf("%s: an equity is %v", source, values[i])
		}
	}
	return values, nil
}
