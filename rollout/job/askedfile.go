package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"bgtrain/dataset"
	"bgtrain/internal/atomicfile"
	"bgtrain/internal/journal"
	"bgtrain/rollout"
)

// AskedFile is a file of what rolling positions out with the cube gave, a result a line as
// JSON, made in parts of some trials by a job of Trials: the same bytes for any
// Runner. Interrupted or killed, the same call goes on from the journal beside the file.
type AskedFile struct {
	Output string
	Asked  []*Asked
	Runner Runner

	Progress func(done, total int) // trials of the equities of a position; may be nil
	Resumed  func(parts int)       // told of parts that were there; may be nil
}

// Make makes the file and returns what is in it.
func (f *AskedFile) Make(ctx context.Context, j *Job) ([]*Answer, error) {
	id := maps.Clone(j.ID)
	var asked []string
	for _, a := range f.Asked {
		asked = append(asked, fmt.Sprint(a.xgid(), a.Dice, a.Plays))
	}
	id["positions"] = strings.Join(asked, " ")
	t := &trialParts{f: f, job: j, done: map[string]string{}}
	var err error
	if t.journal, err = journal.Open(f.Output+".journal", "rollout-trials", id, t.replay); err != nil {
		return nil, err
	}
	if n := len(t.done); n > 0 && f.Resumed != nil {
		f.Resumed(n)
	}
	answers, err := t.rollOut(ctx)
	if err == nil {
		err = atomicfile.Write(f.Output, func(w io.Writer) error {
			lines := json.NewEncoder(w)
			for _, a := range answers {
				for _, r := range a.Results {
					if err := lines.Encode(r); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	if err != nil {
		return nil, errors.Join(err, t.journal.Close())
	}
	return answers, t.journal.Remove()
}

// trialParts is one Make.
type trialParts struct {
	f       *AskedFile
	job     *Job
	journal *journal.Journal

	mu   sync.Mutex        // guards done and the journal
	done map[string]string // what the method of a row became, by its source
}

// trialsRecord is a record of the journal.
type trialsRecord struct{ Trials, Equities string }

func (t *trialParts) replay(record string) error {
	var r trialsRecord
	err := json.Unmarshal([]byte(record), &r)
	t.done[r.Trials] = r.Equities
	return err
}

func (t *trialParts) rollOut(ctx context.Context) (answers []*Answer, err error) {
	for _, a := range t.f.Asked {
		answer, err := t.job.rollOutAsked(ctx, a, how{workers: 1, parts: t})
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// of returns how trials of the lines of a position are played, see rollout.Watch.
func (t *trialParts) of(a *Asked, lines []rollout.CubeLine) func(ctx context.Context, n, first, end int) ([][]float64,
	error) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, n, first, end int) ([][]float64, error) {
		together := 1
		if lines[0].After == nil { // what they share is computed once
			together = n
		}
		var rows Rows
		for at := first; at < end; at += partTrials {
			to := min(at+partTrials, end)
			for those := range slices.Chunk(lines[:n], together) {
				var names []string
				for _, l := range those {
					names = append(names, lineName(l))
				}
				source := fmt.Sprintf(trialsForm, a.xgid(), strings.Join(names, "+"), at, to)
				rows = append(rows, dataset.Row{Key: a.Board.Key(), Source: source})
			}
		}
		apart := n / together
		if err := t.play(ctx, rows, first*apart, t.job.Settings.Rollout.Trials*apart); err != nil {
			return nil, err
		}
		values := make([][]float64, n)
		for i := range rows {
			part, err := trialsOf(rows[i].Source, t.done[rows[i].Source])
			if err != nil {
				return nil, err
			}
			for k, v := range part {
				line := i%apart + k%together
				values[line] = append(values[line], v)
			}
		}
		return values, nil
	}
}

// play has the rows computed that are not done, after so many trials of all.
func (t *trialParts) play(ctx context.Context, rows Rows, before, all int) error {
	task, err := NewTask(ctx, t.job, rows, 1, func(i int) bool { return t.done[rows[i].Source] == "" })
	if err != nil {
		return err
	}
	done := before + partTrials*(len(rows)-task.left())
	progress := func() {
		if t.f.Progress != nil {
			t.f.Progress(min(done, all), all)
		}
	}
	progress()
	task.Put = func(i int, blocks [][]dataset.Row) error {
		method := slices.Concat(blocks...)[0].Method
		record, err := json.Marshal(trialsRecord{rows[i].Source, method})
		if err != nil {
			return err
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.done[rows[i].Source] == "" {
			done += partTrials
		}
		t.done[rows[i].Source] = method
		progress()
		return t.journal.Add(string(record))
	}
	return t.f.Runner.Run(ctx, task)
}

// NewTask returns the task of a job on rows, chunk by chunk: those with a row that is to do.
func NewTask(ctx context.Context, j *Job, rows Rows, chunk int, todo func(i int) bool) (*Task, error) {
	digest, err := Digest(ctx, rows)
	if err != nil {
		return nil, err
	}
	id := maps.Clone(j.ID)
	id.Add(MetaInput, digest)
	id.Add(MetaChunk, chunk)
	t := &Task{Job: j, Input: rows, Chunk: chunk, Todo: make([]bool, numChunks(rows, chunk)), Run: id.Digest()}
	for i := range rows {
		t.Todo[i/chunk] = t.Todo[i/chunk] || todo(i)
	}
	return t, nil
}
