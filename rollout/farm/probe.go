package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"

	"bgtrain/dataset"
	"bgtrain/internal/bg"
	"bgtrain/rollout/job"
)

// probePositions is how many positions a probe evaluates, and probeDeep how many it
// puts through the job itself.
const (
	probePositions = 400
	probeDeep      = 1
)

// probe returns a digest of what this process computes: the values of positions of
// random games by the run's own nets, to the last bit. Processes that round
// differently, because of their processor, BGTRAIN_CPU or the program, have other
// probes. Jobs of tests, which have no player, all have the same.
func probe(ctx context.Context, j *job.Job) (string, error) {
	if j.Player == nil {
		return "none", nil
	}
	boards := probeBoards()
	h := sha256.New()
	ev := j.Player.NewEvaluator()
	out := make([]bg.Outputs, len(boards))
	ev.EvaluateBatch(boards, out)
	fmt.Fprintf(h, "%x", out)
	if j.Engine != nil {
		if small := j.Engine.Options().Small; small != nil {
			small.NewEvaluator().EvaluateBatch(boards, out)
			fmt.Fprintf(h, "%x", out)
			equity := make([]float32, len(boards))
			small.NewEvaluator().Rank(&bg.Start, boards[:1], equity)
			fmt.Fprintf(h, "%x", equity[0])
		}
	}
	for i := range probeDeep {
		one := ev.Evaluate(&boards[i], 1)
		fmt.Fprintf(h, "%x", one)
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// probeBoards returns positions of games with random plays, always the same.
func probeBoards() []bg.Board {
	rng := rand.New(rand.NewPCG(1, 2))
	var plays bg.Plays
	var out []bg.Board
	for b := bg.Start; len(out) < probePositions; {
		if bg.Classify(&b) == bg.Over {
			b = bg.Start
		}
		out = append(out, b)
		results := plays.Generate(&b, rng.IntN(6)+1, rng.IntN(6)+1)
		b = results[rng.IntN(len(results))]
	}
	return out
}

// check reports what is wrong with a part of a job.
func (p *plan) check(j *job.Job, of *part) error {
	first := int64(of.chunk) * int64(p.m.Chunk)
	if err := checkPart(of.rows, p.keys[first:][:p.m.chunkRows(of.chunk)], j.Grows); err != nil || j.Check == nil {
		return err
	}
	for i := range of.rows {
		row := &of.rows[i]
		if row.Source != p.sources[first+int64(i)] {
			return fmt.Errorf("row %d is of %q, %q expected", i+1, row.Source, p.sources[first+int64(i)])
		}
		if err := j.Check(row); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// checkPart reports what is wrong with the rows of a part: their number, their
// positions, or outputs that cannot be.
func checkPart(rows []dataset.Row, keys []bg.Key, grows bool) error {
	if len(rows) < len(keys) || len(rows) > len(keys) && !grows {
		return fmt.Errorf("%d rows for %d positions", len(rows), len(keys))
	}
	for i := range rows {
		if !grows && rows[i].Key != keys[i] {
			return fmt.Errorf("row %d is of position %s, %s expected", i+1, rows[i].Key, keys[i])
		}
		// Candidates of a benchmark may be over.
		if bad := dataset.CheckRow(&rows[i]); bad != nil && bad.Kind != dataset.BadOver {
			return fmt.Errorf("row %d: %w", i+1, bad)
		}
		if !rows[i].HasOutputs {
			return fmt.Errorf("row %d has no outputs", i+1)
		}
	}
	return nil
}
