package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Status is what a farm does.
type Status struct {
	Runs    []RunStatus `json:"runs"`
	Workers []Alive     `json:"workers"`
}

// RunStatus is how far a run is.
type RunStatus struct {
	Run     string  `json:"run"`
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Chunks  int     `json:"chunks"` // that its command was to compute when it began
	Done    int     `json:"done"`
	Running int     `json:"running"` // at workers
	Waiting int     `json:"waiting"` // in the queue
	Parts   int     `json:"parts"`   // handed in and not yet taken
	Failed  int     `json:"failed"`  // set aside
	Audited int     `json:"audited"`
	Rate    float64 `json:"rate"`   // chunks a second since it began
	Left    float64 `json:"left_s"` // at that rate, -1 where unknown
	Silent  float64 `json:"silent_s"`
}

// ReadStatus asks a farm what it does.
func ReadStatus(ctx context.Context, a Address, log func(string)) (*Status, error) {
	l, err := connect(ctx, a, "bgtrain status", false, log)
	if err != nil {
		return nil, err
	}
	defer l.close()
	ctx, stop := l.until(ctx)
	defer stop()
	if err := l.asSubmitter(ctx); err != nil {
		return nil, err
	}
	s := &Status{Runs: []RunStatus{}, Workers: []Alive{}}
	there, err := l.subjects(ctx, streamRuns, subjectRun+"*")
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return s, nil // nobody has come yet
	}
	if err != nil {
		return nil, err
	}
	for subject := range there {
		r, err := runStatus(ctx, l, strings.TrimPrefix(subject, subjectRun))
		var bad *badManifest
		switch {
		case errors.Is(err, errNoBlob):
			continue // it has just ended
		case errors.As(err, &bad):
			log(fmt.Sprintf("%s is left out: %v", subject, err))
			continue
		case err != nil:
			return nil, err
		}
		s.Runs = append(s.Runs, *r)
	}
	alive, err := l.subjects(ctx, streamAlive, ">")
	if err != nil {
		return nil, err
	}
	for subject := range alive {
		var a Alive
		if raw, err := l.last(ctx, streamAlive, subject); err == nil && json.Unmarshal(raw, &a) == nil {
			s.Workers = append(s.Workers, a)
		}
	}
	slices.SortFunc(s.Runs, func(a, b RunStatus) int { return strings.Compare(a.Name+a.Run, b.Name+b.Run) })
	slices.SortFunc(s.Workers, func(a, b Alive) int { return strings.Compare(a.Worker, b.Worker) })
	return s, nil
}

func runStatus(ctx context.Context, l *link, run string) (*RunStatus, error) {
	raw, err := l.last(ctx, streamRuns, subjectRun+run)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(raw)
	if err != nil {
		return nil, err
	}
	r := &RunStatus{Run: run, Name: m.Name, Version: m.Version, Chunks: m.Chunks, Left: -1}
	var state State
	if raw, err := l.last(ctx, streamRuns, subjectState+run); err == nil && json.Unmarshal(raw, &state) == nil {
		r.Chunks, r.Done, r.Failed, r.Audited = state.Total, state.Done, state.Failed, state.Audited
		r.Silent = time.Since(state.Now).Seconds()
		if took := state.Now.Sub(state.Begun).Seconds(); took > 0 && state.Done > 0 {
			r.Rate = float64(state.Done) / took
			r.Left = float64(r.Chunks-r.Done-r.Failed) / r.Rate
		}
	}
	for stream, set := range map[string]func(waiting, out int){
		streamWork:  func(waiting, out int) { r.Waiting, r.Running = waiting, out },
		streamParts: func(waiting, out int) { r.Parts = waiting + out },
	} {
		q, err := l.queue(ctx, stream, run)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			continue // the submitter will notice
		}
		if err != nil {
			return nil, err
		}
		waiting, out, err := q.count(ctx)
		if err != nil {
			return nil, err
		}
		set(waiting, out)
	}
	return r, nil
}
