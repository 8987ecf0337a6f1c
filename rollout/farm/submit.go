package farm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"bgtrain/dataset"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Runner computes tasks on a farm. It implements job.Runner.
type Runner struct {
	Address  Address
	Version  string  // of the program; workers of others do not take part
	Place    string  // where the parts are written: runs elsewhere are others
	Audit    float64 // share of the chunks that are computed twice, by workers of two keys or here, 0 to 1
	Replicas int     // of streams that are not there yet; 0 is 1

	Lease     time.Duration // how long a worker may be silent about a chunk; 0 is 30 s
	AuditWait time.Duration // how long an audit waits for another worker; 0 is 30 s
	Tick      time.Duration // how often the queue is compared with what is missing; 0 is 2 s

	Log func(line string) // may be nil
}

// maxFailures is how often a chunk may fail before it is set aside.
const maxFailures = 5

func orDefault(d, otherwise time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return otherwise
}

// Run implements job.Runner. The server may go, come back, or lose all that it has:
// the run goes on. Where it ends early, what was computed waits at the farm for the
// same command.
func (r Runner) Run(ctx context.Context, t *job.Task) error {
	if r.Audit < 0 || r.Audit > 1 {
		return fmt.Errorf("audit of %g of the chunks: 0 to 1 expected", r.Audit)
	}
	if r.Log == nil {
		r.Log = func(string) {}
	}
	r.Lease, r.AuditWait = orDefault(r.Lease, 30*time.Second), orDefault(r.AuditWait, 30*time.Second)
	r.Tick = orDefault(r.Tick, 2*time.Second)
	s, err := newSubmission(ctx, &r, t)
	if err != nil || s.left == 0 {
		return err
	}
	l, err := connect(ctx, r.Address, "bgtrain submitter", false, r.Log)
	if err != nil {
		return err
	}
	defer l.close()
	ctx, stop := l.until(ctx)
	defer stop()
	if err := l.asSubmitter(ctx); err != nil {
		return err
	}
	if l.key == anonymous && s.r.Audit > 0 {
		s.r.Log("without keys the audit finds machines that are broken, not workers that lie")
	}
	if err = s.run(ctx, world{l, time.Now, dice}); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// newSubmission returns what is to be run, with none left where there is nothing to do.
func newSubmission(ctx context.Context, r *Runner, t *job.Task) (*submission, error) {
	s := &submission{
		r: r, t: t, todo: append([]bool{}, t.Todo...), digests: make([]uint64, len(t.Todo)),
		failures: map[int]int{}, audits: map[int]*audit{}, made: map[string][]int{},
	}
	for _, todo := range s.todo {
		if todo {
			s.left++
		}
	}
	if s.left == 0 {
		return s, nil
	}
	var err error
	if s.plan, err = newPlan(ctx, t, r.Version, r.Place); err != nil {
		return nil, err
	}
	s.state = State{Run: s.plan.m.Run, Total: s.left}
	s.assembly.most = func(chunk int) int {
		if chunk >= len(s.todo) {
			return -1
		}
		return mostBytes(s.plan.m.chunkRows(chunk), t.Job.Grows)
	}
	return s, nil
}

// submission is one Run. It belongs to one goroutine.
type submission struct {
	r    *Runner
	t    *job.Task
	plan *plan

	world
	work, parts queue

	todo     []bool
	left     int
	digests  []uint64 // of parts that were taken, by chunk; 0 unknown
	failures map[int]int
	failed   []job.FailedChunk
	audits   map[int]*audit
	made     map[string][]int // chunks taken, by party
	assembly assembly

	begun    bool      // the run was set up once
	heard    bool      // of a part that was of use, since the last tick
	heardAt  time.Time // the last such part
	renewals int       // since then
	idle     int       // ticks at which the queue was empty and nothing came
	ticks    int
	state    State
}

// run sets the run up, takes in parts until none is missing, and removes it, also where
// ctx has ended by then: a command with nothing left to do would not.
func (s *submission) run(ctx context.Context, w world) error {
	s.world = w
	s.state.Begun = s.now()
	err := s.setup(ctx)
	if err == nil {
		err = s.takeIn(ctx)
	}
	if s.left > 0 {
		return err
	}
	s.finish(ctx)
	if len(s.failed) > 0 {
		return &job.FailedError{Chunks: s.failed}
	}
	return nil
}

// takeIn takes in parts until none is missing.
func (s *submission) takeIn(ctx context.Context) error {
	next := s.now()
	s.heardAt = next
	for try := 0; s.left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := s.receive(ctx, min(s.r.Tick, time.Second))
		if err != nil {
			return err
		}
		if n < 0 { // the server is away
			if !s.pause(ctx, min(try, 5)) {
				return ctx.Err()
			}
			try++
		} else {
			try = 0
		}
		if s.now().After(next) || n < 0 {
			if err := s.tick(ctx); err != nil {
				return err
			}
			next = s.now().Add(s.r.Tick)
		}
	}
	return nil
}

// setupTries is after how many failures the first set-up gives up.
const setupTries = 6

// setup publishes all that the run has, and takes in what waits. It tries until
// it succeeds, but for the first time, when something may be wrong for good.
func (s *submission) setup(ctx context.Context) error {
	for try := 0; ; try++ {
		err := s.trySetup(ctx)
		var fatal *putError
		switch {
		case err == nil:
			s.begun = true
			return nil
		case errors.As(err, &fatal):
			return fatal.error
		case ctx.Err() != nil:
			return ctx.Err()
		case !s.begun && try >= setupTries:
			return fmt.Errorf("farm %s: %w", s.r.Address.String(), err)
		}
		s.r.Log(fmt.Sprintf("set up the run: %v; trying again", err))
		if !s.pause(ctx, try) {
			return ctx.Err()
		}
	}
}

// trySetup is one try of setup.
func (s *submission) trySetup(ctx context.Context) error {
	step, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	run := s.plan.m.Run
	if err := s.makeStreams(step, s.r.Replicas); err != nil {
		return err
	}
	s.recallRefused(step)
	if err := s.putBlobs(ctx); err != nil {
		return err
	}
	work, parts, err := makeQueues(step, s, run, s.r.Lease)
	if err != nil {
		return err
	}
	if err := s.publish(step, &nats.Msg{Subject: subjectRun + run, Data: mustJSON(&s.plan.m)}); err != nil {
		return fmt.Errorf("publish manifest: %w", err)
	}
	s.work, s.parts = work, parts
	// What was computed before need not be computed again.
	for s.left > 0 {
		n, err := s.receive(ctx, 200*time.Millisecond)
		if err != nil {
			return &putError{err}
		}
		if n <= 0 {
			break
		}
	}
	if err := s.purge(step, streamWork, subjectWork+run); err != nil {
		return fmt.Errorf("clear the queue: %w", err)
	}
	s.orderMissing(ctx)
	return nil
}

// recallRefused adds whom the run refused before its command was started again.
func (s *submission) recallRefused(ctx context.Context) {
	text, err := s.last(ctx, streamRuns, subjectRun+s.plan.m.Run)
	if err != nil || s.begun {
		return
	}
	if before, err := parseManifest(text); err == nil && before.Run == s.plan.m.Run {
		s.plan.m.Refused = before.Refused
	}
}

// putBlobs publishes the nets and positions that are not at the farm, or not as they
// should be.
func (s *submission) putBlobs(ctx context.Context) error {
	run := s.plan.m.Run
	there, err := s.subjects(ctx, streamBlobs, subjectBlob+run+".>")
	if err != nil {
		return fmt.Errorf("stream %s: %w", streamBlobs, err)
	}
	for i := range s.plan.blobs {
		if err := s.plan.blobs[i].put(ctx, s, run, there); err != nil {
			return err
		}
	}
	return nil
}

// quietLeases is after how many leases without a part what the run has at the farm is
// made anew, twice as many each time. A chunk that takes longer may be computed twice.
// After the first gentleRenewals even the queues of all runs go.
const (
	quietLeases    = 10
	gentleRenewals = 3
)

// renew disposes of what a damaged store may hold back without a word: the run's
// consumers and chunks, and, if no part comes even then, the queues of all runs, which
// their commands make again.
func (s *submission) renew(ctx context.Context) error {
	s.renewals = min(s.renewals+1, 10)
	s.r.Log(fmt.Sprintf("no part has come for %v: the queue is made anew", s.now().Sub(s.heardAt).Round(time.Second)))
	step, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	for _, stream := range []string{streamWork, streamParts} {
		var err error
		if s.renewals > gentleRenewals {
			err = s.dropStream(step, stream)
		} else {
			err = s.dropQueue(step, stream, s.plan.m.Run)
		}
		if err != nil {
			s.r.Log(fmt.Sprintf("%s: %v", stream, err))
		}
	}
	return s.setup(ctx)
}

// putError is an error of the one who takes the parts, which ends the run.
type putError struct{ error }

// orderMissing puts all chunks that are missing into the queue. What does not
// arrive is noticed when the queue is empty.
func (s *submission) orderMissing(ctx context.Context) {
	for i, todo := range s.todo {
		if todo && ctx.Err() == nil {
			s.order(i)
		}
	}
	select {
	case <-s.published():
	case <-time.After(time.Minute):
	case <-ctx.Done():
	}
	s.wake()
}

// order puts a chunk into the queue.
func (s *submission) order(chunk int) {
	o := order{Chunk: chunk}
	if a := s.audits[chunk]; a != nil {
		o.Not = party(a.first.worker)
	}
	s.publishAsync(subjectWork+s.plan.m.Run, mustJSON(&o)) // see orderMissing
}

// wake makes workers look for runs at once.
func (s *submission) wake() { s.call(subjectWake, nil) } // they look now and then anyway

// receive takes in what parts are there and returns how many messages that was,
// -1 where the server does not answer. An error ends the run.
func (s *submission) receive(ctx context.Context, within time.Duration) (n int, err error) {
	away := s.parts.fetch(256, within, func(m message) bool {
		n++
		p, bad := s.assembly.add(m.Subject(), m.Headers(), m.Data())
		switch {
		case p != nil:
			if err = s.take(ctx, p, bad); err != nil {
				return false
			}
		case bad != nil:
			s.r.Log(bad.Error())
		}
		_ = m.Ack() // comes again otherwise, which does no harm
		return s.left > 0
	})
	if err == nil && away != nil {
		return -1, ctx.Err()
	}
	return n, err
}

// take takes a part, or what is wrong with it.
func (s *submission) take(ctx context.Context, p *part, err error) error {
	if s.plan.m.refuses(party(p.worker)) {
		if s.todo[p.chunk] {
			s.order(p.chunk)
		}
		return nil
	}
	switch {
	case p.failure != "":
		err = errors.New(p.failure)
	case err == nil && p.version != s.plan.m.Version:
		err = fmt.Errorf("computed by version %q of the program", p.version)
	case err == nil:
		err = s.plan.check(s.t.Job, p)
	}
	if err != nil {
		if s.todo[p.chunk] {
			return s.fail(ctx, p, err)
		}
		return nil
	}
	if !s.todo[p.chunk] {
		return s.compareAgain(ctx, p)
	}
	if s.audits[p.chunk] != nil {
		return s.audit(ctx, p)
	}
	switch audited, here := s.drawAudit(); {
	case audited && here:
		s.state.Audited++
		return s.judge(ctx, p)
	case audited:
		s.heard = true
		s.audits[p.chunk] = &audit{p, s.now()}
		s.order(p.chunk)
		return nil
	}
	return s.put(p)
}

// put hands a part to the task.
func (s *submission) put(p *part) error {
	if err := s.t.Put(p.chunk, [][]dataset.Row{p.rows}); err != nil {
		return err
	}
	s.heard = true
	s.todo[p.chunk] = false
	s.left--
	s.digests[p.chunk] = short(p.digest)
	s.made[party(p.worker)] = append(s.made[party(p.worker)], p.chunk)
	s.done(p.chunk, 1)
	return nil
}

// done counts a chunk for the task that is done, or, with -1, is not any more.
func (s *submission) done(chunk, sign int) {
	s.state.Done += sign
	if s.t.Done != nil {
		s.t.Done(int64(sign * s.plan.m.chunkRows(chunk)))
	}
}

// fail notes that a chunk failed at a worker, and has it tried again. In the end it is
// computed here: a worker may fail with what others can, or lie.
func (s *submission) fail(ctx context.Context, p *part, why error) error {
	s.heard = true
	s.failures[p.chunk]++
	n := s.failures[p.chunk]
	s.r.Log(fmt.Sprintf("chunk %d failed at %s, %d of %d times: %v", p.chunk+1, p.worker, n, maxFailures, why))
	if n < maxFailures {
		s.order(p.chunk)
		return nil
	}
	delete(s.audits, p.chunk)
	own, err := s.compute(ctx, p.chunk)
	if err != nil {
		return s.setAside(p.chunk, err)
	}
	s.r.Log(fmt.Sprintf("chunk %d was computed here", p.chunk+1))
	return s.put(own)
}

// setAside gives a chunk up that cannot be computed here either. Other errors, which end
// the run, it returns.
func (s *submission) setAside(chunk int, err error) error {
	var why *chunkError
	if !errors.As(err, &why) || errors.Is(err, context.Canceled) {
		return err
	}
	if !s.todo[chunk] {
		return nil // a worker could
	}
	s.failed = append(s.failed, job.FailedChunk{Index: chunk, Err: why.Error()})
	s.todo[chunk] = false
	s.left--
	s.state.Failed++
	return nil
}

// sweepTicks is after how many ticks what is of no run is removed: a worker's key may hand in any.
const sweepTicks = 20

// tick compares the queue with what is missing and publishes how the run stands.
func (s *submission) tick(ctx context.Context) error {
	step, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	s.state.Now = s.now()
	s.publishAsync(subjectState+s.plan.m.Run, mustJSON(&s.state)) // for the display only
	if s.ticks++; s.ticks%sweepTicks == 0 {
		_ = sweep(step, s) // or next time
	}
	if err := s.overdue(ctx); err != nil {
		return err
	}
	if s.heard {
		s.heardAt, s.renewals = s.now(), 0
	}
	if s.now().Sub(s.heardAt) > quietLeases*s.r.Lease<<s.renewals {
		return s.renew(ctx)
	}
	lost, waiting, err := s.look(step)
	switch {
	case err != nil:
		return nil // the server is away
	case lost:
		s.r.Log("the farm lost the run, or has another: it is set up again")
		return s.setup(ctx)
	case waiting > 0 || s.heard:
		s.idle = 0
	default:
		s.idle++
	}
	s.heard = false
	if s.idle >= 2 && s.left > 0 {
		s.idle = 0
		s.r.Log(fmt.Sprintf("the queue is empty and %d chunks are missing: they are queued again", s.left))
		s.orderMissing(ctx)
	}
	return nil
}

// look reports whether the run has been lost at the farm or is something else there, and
// how many chunks and parts wait.
func (s *submission) look(ctx context.Context) (lost bool, waiting int, err error) {
	for _, q := range []queue{s.work, s.parts} {
		n, out, err := q.count(ctx)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			return true, 0, nil
		}
		if err != nil {
			return false, 0, err
		}
		waiting += n + out
	}
	run := s.plan.m.Run
	m, err := s.last(ctx, streamRuns, subjectRun+run)
	if errors.Is(err, errNoBlob) || err == nil && !bytes.Equal(m, mustJSON(&s.plan.m)) {
		return true, 0, nil
	}
	for _, b := range append([]Blob{s.plan.m.Pages}, s.plan.m.Nets...) {
		if _, err := s.last(ctx, streamBlobs, blobSubject(run, &b, 0)); errors.Is(err, errNoBlob) {
			return true, 0, nil
		}
	}
	return false, waiting, nil
}
