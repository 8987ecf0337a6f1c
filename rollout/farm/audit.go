package farm

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bgtrain/dataset"
)

// audit is a chunk that one worker has computed and another one shall.
type audit struct {
	first *part
	since time.Time
}

// judgedHere is the share of the audits in which the command itself computes a chunk
// again: workers of two keys may be one's.
const judgedHere = 0.25

// drawAudit reports whether a part that came in is audited, and whether here. Nobody can
// foretell it: it is drawn only now.
func (s *submission) drawAudit() (audited, here bool) {
	return s.rng.Float64() < s.r.Audit, s.rng.Float64() < judgedHere
}

// short returns the beginning of a digest as a number that is not 0.
func short(digest string) uint64 {
	raw, err := hex.DecodeString(digest)
	if err != nil || len(raw) < 8 {
		return 1
	}
	return max(1, binary.LittleEndian.Uint64(raw))
}

// audit takes the second part of a chunk that workers of two keys compute.
func (s *submission) audit(ctx context.Context, p *part) error {
	a := s.audits[p.chunk]
	if party(a.first.worker) == party(p.worker) {
		return nil
	}
	delete(s.audits, p.chunk)
	s.state.Audited++
	if a.first.digest == p.digest {
		return s.put(a.first)
	}
	return s.judge(ctx, a.first, p)
}

// oneParty reports whether the workers that take part in the run are of fewer than two parties.
func (s *submission) oneParty(ctx context.Context) bool {
	there, err := s.subjects(ctx, streamAlive, ">")
	if err != nil {
		return false
	}
	parties := map[string]bool{}
	for _, subject := range slices.Sorted(maps.Keys(there)) {
		var a Alive
		raw, err := s.last(ctx, streamAlive, subject)
		if err != nil || json.Unmarshal(raw, &a) != nil || a.Refused[s.plan.m.Run] != "" {
			continue
		}
		if parties[party(strings.TrimPrefix(subject, subjectAlive))] = true; len(parties) == 2 {
			return false
		}
	}
	return true
}

// aloneWait is how long an audit waits for a second worker of another key where there is none.
const aloneWait = time.Second

// overdue computes here what no other worker has come to compute a second time.
func (s *submission) overdue(ctx context.Context) error {
	if len(s.audits) == 0 {
		return nil
	}
	wait := s.r.AuditWait
	step, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	if s.oneParty(step) {
		wait = min(wait, aloneWait)
	}
	for _, chunk := range slices.Sorted(maps.Keys(s.audits)) {
		a := s.audits[chunk]
		if a == nil || s.now().Sub(a.since) < wait {
			continue
		}
		delete(s.audits, chunk)
		s.state.Audited++
		if err := s.judge(ctx, a.first); err != nil {
			return err
		}
	}
	return nil
}

// compareAgain compares a part of a chunk that is there already, because the queue
// gave it to two workers, with what was taken.
func (s *submission) compareAgain(ctx context.Context, p *part) error {
	had := s.digests[p.chunk]
	if had == 0 || had == short(p.digest) {
		return nil
	}
	for from, chunks := range s.made {
		if slices.Contains(chunks, p.chunk) {
			return s.judge(ctx, p, &part{chunk: p.chunk, worker: from})
		}
	}
	return nil
}

// judge computes a chunk here and takes that. Workers whose parts differ are not
// trusted any more.
func (s *submission) judge(ctx context.Context, parts ...*part) error {
	own, err := s.compute(ctx, parts[0].chunk)
	if err != nil {
		return s.setAside(parts[0].chunk, err)
	}
	wrong := false
	for _, p := range parts {
		if p.digest != own.digest && (p.digest != "" || s.digests[p.chunk] != short(own.digest)) {
			s.distrust(p.worker)
			wrong = true
		}
	}
	if wrong {
		s.r.Log(fmt.Sprintf("workers disagree on chunk %d: it was computed here", own.chunk+1))
	}
	if !s.todo[own.chunk] {
		return nil
	}
	return s.put(own)
}

// chunkError is why a chunk cannot be computed here.
type chunkError struct{ error }

// compute computes a chunk in this process.
func (s *submission) compute(ctx context.Context, chunk int) (*part, error) {
	for c, err := range s.t.Input.Chunks(ctx, s.plan.m.Chunk, func(i int) bool { return i == chunk }) {
		if err != nil {
			return nil, err
		}
		rows, err := attempt(func() ([]dataset.Row, error) { return s.t.Job.New()(ctx, c.Rows) })
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return nil, &chunkError{err}
		}
		raw, err := encodeRows(rows)
		if err != nil {
			return nil, err
		}
		return &part{chunk: chunk, worker: "here", version: s.plan.m.Version, digest: digest(raw), rows: rows}, nil
	}
	return nil, fmt.Errorf("chunk %d is not in %s", chunk+1, s.t.Input.Name())
}

// distrust takes no more parts of a worker's party, and has those that came from it
// so far computed again.
func (s *submission) distrust(worker string) {
	from := party(worker)
	if s.plan.m.refuses(from) {
		return
	}
	s.r.Log(fmt.Sprintf("worker %s computes something else: parts of %s are not taken, %d are made again", worker, from,
		len(s.made[from])))
	s.plan.m.Refused = append(s.plan.m.Refused, from)
	s.publishAsync(subjectRun+s.plan.m.Run, mustJSON(&s.plan.m)) // its parts are dropped anyway
	for _, chunk := range s.made[from] {
		if !s.todo[chunk] {
			s.todo[chunk] = true
			s.left++
			s.digests[chunk] = 0
			s.done(chunk, -1)
			s.order(chunk)
		}
	}
	delete(s.made, from)
	for _, chunk := range slices.Sorted(maps.Keys(s.audits)) {
		if a := s.audits[chunk]; party(a.first.worker) == from {
			delete(s.audits, chunk)
			s.order(chunk)
		}
	}
	s.wake()
}
