package farm

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"time"
)

// audit is a chunk that one worker has computed and another one shall.
type audit struct {
	first *part
	since time.Time
}

// audited tells whether a chunk is one of those that two workers compute. It
// depends on the run and the chunk alone.
func (s *submission) audited(chunk int) bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", s.plan.m.Run, chunk)
	return float64(mix(h.Sum64())>>11)/(1<<53) < s.r.Audit
}

// mix is SplitMix64's finishing step (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// short returns the beginning of a digest as a number that is not 0.
func short(digest string) uint64 {
	raw, err := hex.DecodeString(digest)
	if err != nil || len(raw) < 8 {
		return 1
	}
	return max(1, binary.LittleEndian.Uint64(raw))
}

// audit takes a part of a chunk that two workers compute.
func (s *submission) audit(ctx context.Context, p *part) error {
	a := s.audits[p.chunk]
	if a == nil || a.first.worker == p.worker {
		if a == nil {
			s.audits[p.chunk] = &audit{p, time.Now()}
			s.order(p.chunk)
		}
		return nil
	}
	delete(s.audits, p.chunk)
	s.state.Audited++
	if a.first.digest == p.digest {
		return s.put(a.first)
	}
	return s.judge(ctx, a.first, p)
}

// oneWorker tells whether fewer than two workers take part in the run.
func (s *submission) oneWorker(ctx context.Context) bool {
	there, err := subjects(ctx, s.l, streamAlive, ">")
	if err != nil {
		return false
	}
	n := 0
	for subject := range there {
		var a Alive
		raw, err := lastMessage(ctx, s.l, streamAlive, subject)
		if err != nil || json.Unmarshal(raw, &a) != nil || a.Refused[s.plan.m.Run] != "" {
			continue
		}
		if n++; n == 2 {
			return false
		}
	}
	return true
}

// aloneWait is how long an audit waits for a second worker where there is only one.
const aloneWait = time.Second

// overdue computes here what no other worker has come to compute a second time.
func (s *submission) overdue(ctx context.Context) error {
	if len(s.audits) == 0 {
		return nil
	}
	wait := s.r.AuditWait
	step, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	if s.oneWorker(step) {
		wait = min(wait, aloneWait)
	}
	for chunk, a := range s.audits {
		if time.Since(a.since) < wait {
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
	for worker, chunks := range s.made {
		if slices.Contains(chunks, p.chunk) {
			return s.judge(ctx, p, &part{chunk: p.chunk, worker: worker})
		}
	}
	return nil
}

// judge computes a chunk here and takes that. Workers whose parts differ are not
// trusted any more.
func (s *submission) judge(ctx context.Context, parts ...*part) error {
	own, err := s.compute(ctx, parts[0].chunk)
	if err != nil {
		return err
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

// compute computes a chunk in this process.
func (s *submission) compute(ctx context.Context, chunk int) (*part, error) {
	for c, err := range s.t.Input.Chunks(ctx, s.plan.m.Chunk, func(i int) bool { return i == chunk }) {
		if err != nil {
			return nil, err
		}
		rows, err := s.t.Job.New()(ctx, c.Rows)
		if err != nil {
			return nil, fmt.Errorf("chunk %d: %w", chunk+1, err)
		}
		raw, err := encodeRows(rows)
		if err != nil {
			return nil, err
		}
		return &part{chunk: chunk, worker: "here", version: s.plan.m.Version, digest: digest(raw), rows: rows}, nil
	}
	return nil, fmt.Errorf("chunk %d is not in %s", chunk+1, s.t.Input.Name())
}

// distrust takes no more parts of a worker, and has those that it made so far
// computed again.
func (s *submission) distrust(worker string) {
	if s.plan.m.refuses(worker) {
		return
	}
	s.r.Log(fmt.Sprintf("worker %s computes something else: its parts are not taken, %d are made again", worker,
		len(s.made[worker])))
	s.plan.m.Refused = append(s.plan.m.Refused, worker)
	_, _ = s.l.js.PublishAsync(subjectRun+s.plan.m.Run, mustJSON(&s.plan.m)) // its parts are dropped anyway
	for _, chunk := range s.made[worker] {
		if !s.todo[chunk] {
			s.todo[chunk] = true
			s.left++
			s.digests[chunk] = 0
			s.done(chunk, -1)
			s.order(chunk)
		}
	}
	delete(s.made, worker)
	for chunk, a := range s.audits {
		if a.first.worker == worker {
			delete(s.audits, chunk)
			s.order(chunk)
		}
	}
	s.wake()
}
