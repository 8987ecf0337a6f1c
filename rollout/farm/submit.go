package farm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bgtrain/dataset"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go/jetstream"
)

// Runner computes tasks on a farm. It implements job.Runner.
type Runner struct {
	Address  Address
	Version  string  // of the program; workers of others do not take part
	Place    string  // where the parts are written, to tell runs apart
	Audit    float64 // share of the chunks that two workers compute, 0 to 1
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

// Run implements job.Runner. The engine may go, come back, or lose all that it has:
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
	s := &submission{
		r: &r, t: t, todo: append([]bool{}, t.Todo...), digests: make([]uint64, len(t.Todo)),
		failures: map[int]int{}, audits: map[int]*audit{}, made: map[string][]int{},
	}
	for _, todo := range s.todo {
		if todo {
			s.left++
		}
	}
	if s.left == 0 {
		return nil
	}
	s.state = State{Total: s.left, Begun: time.Now()}
	var err error
	if s.plan, err = newPlan(ctx, t, r.Version, r.Place); err != nil {
		return err
	}
	s.state.Run = s.plan.m.Run
	if s.l, err = connect(ctx, r.Address, "bgtrain submitter", false, r.Log); err != nil {
		return err
	}
	defer s.l.nc.Close()
	return s.run(ctx)
}

// submission is one Run. It belongs to one goroutine.
type submission struct {
	r    *Runner
	t    *job.Task
	l    *link
	plan *plan

	work, parts jetstream.Consumer

	todo     []bool
	left     int
	digests  []uint64 // of parts that were taken, by chunk; 0 unknown
	failures map[int]int
	failed   []job.FailedChunk
	audits   map[int]*audit
	made     map[string][]int // chunks taken, by worker
	assembly assembly

	begun bool // the run was set up once
	heard bool // of a part, since the last tick
	idle  int  // ticks at which the queue was empty and nothing came
	state State
}

// run sets the run up and takes in parts until none is missing.
func (s *submission) run(ctx context.Context) error {
	if err := s.setup(ctx); err != nil {
		return err
	}
	next := time.Now()
	for try := 0; s.left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := s.receive(ctx, jetstream.FetchMaxWait(min(s.r.Tick, time.Second)))
		if err != nil {
			return err
		}
		if n < 0 { // the engine is away
			if !pause(ctx, min(try, 5)) {
				return ctx.Err()
			}
			try++
		} else {
			try = 0
		}
		if time.Now().After(next) || n < 0 {
			if err := s.tick(ctx); err != nil {
				return err
			}
			next = time.Now().Add(s.r.Tick)
		}
	}
	s.finish(ctx)
	if len(s.failed) > 0 {
		return &job.FailedError{Chunks: s.failed}
	}
	return nil
}

// finish removes the run from the farm. What is left there does no harm.
func (s *submission) finish(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	if err := forget(ctx, s.l, s.plan.m.Run); err != nil {
		s.r.Log(fmt.Sprintf("clear the run: %v", err))
	}
}

// setupTries is after how many failures the first set-up gives up.
const setupTries = 6

// setup publishes all that the run has, and takes in what waits. It tries until
// it succeeds, but for the first time, when something may be wrong for good.
func (s *submission) setup(ctx context.Context) error {
	for try := 0; ; try++ {
		err := s.publish(ctx)
		var fatal *putError
		switch {
		case err == nil:
			s.begun = true
			return nil
		case errors.As(err, &fatal):
			return fatal.err
		case ctx.Err() != nil:
			return ctx.Err()
		case !s.begun && try >= setupTries:
			return fmt.Errorf("farm %s: %w", s.r.Address.String(), err)
		}
		s.r.Log(fmt.Sprintf("set up the run: %v; trying again", err))
		if !pause(ctx, try) {
			return ctx.Err()
		}
	}
}

// publish is one try of setup.
func (s *submission) publish(ctx context.Context) error {
	step, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	run := s.plan.m.Run
	if err := ensureStreams(step, s.l, s.r.Replicas); err != nil {
		return err
	}
	there, err := subjects(step, s.l, streamBlobs, subjectBlob+run+".>")
	if err != nil {
		return fmt.Errorf("stream %s: %w", streamBlobs, err)
	}
	for i := range s.plan.blobs {
		if err := s.plan.blobs[i].put(ctx, s.l, run, there); err != nil {
			return err
		}
	}
	work, parts, err := ensureConsumers(step, s.l, run, s.r.Lease)
	if err != nil {
		return err
	}
	if _, err := s.l.js.Publish(step, subjectRun+run, mustJSON(&s.plan.m)); err != nil {
		return fmt.Errorf("publish manifest: %w", err)
	}
	s.work, s.parts = work, parts
	// What was computed before need not be computed again.
	for {
		n, err := s.receive(ctx, jetstream.FetchMaxWait(200*time.Millisecond))
		if err != nil {
			return &putError{err}
		}
		if n <= 0 {
			break
		}
	}
	queue, err := s.l.js.Stream(step, streamWork)
	if err != nil {
		return err
	}
	if err := queue.Purge(step, jetstream.WithPurgeSubject(subjectWork+run)); err != nil {
		return fmt.Errorf("clear the queue: %w", err)
	}
	s.orderMissing(ctx)
	return nil
}

// putError is an error of the one who takes the parts, which ends the run.
type putError struct{ err error }

func (p *putError) Error() string { return p.err.Error() }

// orderMissing puts all chunks that are missing into the queue. What does not
// arrive is noticed when the queue is empty.
func (s *submission) orderMissing(ctx context.Context) {
	for i, todo := range s.todo {
		if todo && ctx.Err() == nil {
			s.order(i)
		}
	}
	select {
	case <-s.l.js.PublishAsyncComplete():
	case <-time.After(time.Minute):
	case <-ctx.Done():
	}
	s.wake()
}

// order puts a chunk into the queue.
func (s *submission) order(chunk int) {
	o := order{Chunk: chunk}
	if a := s.audits[chunk]; a != nil {
		o.Not = a.first.worker
	}
	_, _ = s.l.js.PublishAsync(subjectWork+s.plan.m.Run, mustJSON(&o)) // see orderMissing
}

// wake tells workers to look for runs at once.
func (s *submission) wake() { _ = s.l.nc.Publish(subjectWake, nil) } // they look now and then anyway

// receive takes in what parts are there and returns how many messages that was,
// -1 where the engine does not answer. An error ends the run.
func (s *submission) receive(ctx context.Context, wait jetstream.FetchOpt) (int, error) {
	batch, err := s.parts.Fetch(256, wait)
	if err != nil {
		return -1, ctx.Err()
	}
	n := 0
	for m := range batch.Messages() {
		n++
		s.heard = true
		p, err := s.assembly.add(m.Subject(), m.Headers(), m.Data())
		if p != nil {
			if err := s.take(ctx, p, err); err != nil {
				return n, err
			}
		}
		_ = m.Ack() // comes again otherwise, which does no harm
		if s.left == 0 {
			return n, nil
		}
	}
	if err := batch.Error(); err != nil && n == 0 && !errors.Is(err, context.DeadlineExceeded) {
		return -1, nil
	}
	return n, nil
}

// take takes a part, or what is wrong with it.
func (s *submission) take(ctx context.Context, p *part, err error) error {
	if p.chunk >= len(s.todo) {
		return nil
	}
	if s.plan.m.refuses(p.worker) {
		if s.todo[p.chunk] {
			s.order(p.chunk)
		}
		return nil
	}
	first := int64(p.chunk) * int64(s.plan.m.Chunk)
	keys := s.plan.keys[first:][:s.plan.m.chunkRows(p.chunk)]
	switch {
	case p.failure != "":
		err = errors.New(p.failure)
	case err == nil && p.version != s.plan.m.Version:
		err = fmt.Errorf("computed by version %q of the program", p.version)
	case err == nil:
		err = checkPart(p.rows, keys, s.t.Job.Grows)
	}
	if err != nil {
		if s.todo[p.chunk] {
			s.fail(p, err)
		}
		return nil
	}
	if !s.todo[p.chunk] {
		return s.compareAgain(ctx, p)
	}
	if s.audited(p.chunk) {
		return s.audit(ctx, p)
	}
	return s.put(p)
}

// put hands a part to the task.
func (s *submission) put(p *part) error {
	if err := s.t.Put(p.chunk, [][]dataset.Row{p.rows}); err != nil {
		return err
	}
	s.todo[p.chunk] = false
	s.left--
	s.digests[p.chunk] = short(p.digest)
	s.made[p.worker] = append(s.made[p.worker], p.chunk)
	s.done(p.chunk, 1)
	return nil
}

// done tells the task of a chunk that is done, or, with -1, is not any more.
func (s *submission) done(chunk, sign int) {
	s.state.Done += sign
	if s.t.Done != nil {
		s.t.Done(int64(sign * s.plan.m.chunkRows(chunk)))
	}
}

// fail notes that a chunk failed, and tries it again or sets it aside.
func (s *submission) fail(p *part, err error) {
	s.failures[p.chunk]++
	n := s.failures[p.chunk]
	s.r.Log(fmt.Sprintf("chunk %d failed at %s, %d of %d times: %v", p.chunk+1, p.worker, n, maxFailures, err))
	if n < maxFailures {
		s.order(p.chunk)
		return
	}
	s.failed = append(s.failed, job.FailedChunk{Index: p.chunk, Err: err.Error()})
	s.todo[p.chunk] = false
	delete(s.audits, p.chunk)
	s.left--
	s.state.Failed++
}

// tick compares the queue with what is missing and says how the run is.
func (s *submission) tick(ctx context.Context) error {
	step, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	s.state.Now = time.Now()
	_, _ = s.l.js.PublishAsync(subjectState+s.plan.m.Run, mustJSON(&s.state)) // for the display only
	if err := s.overdue(ctx); err != nil {
		return err
	}
	lost, waiting, err := s.look(step)
	switch {
	case err != nil:
		return nil // the engine is away
	case lost:
		s.r.Log("the farm lost the run: it is set up again")
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

// look tells whether the run has been lost at the farm, and how many chunks and
// parts wait there.
func (s *submission) look(ctx context.Context) (lost bool, waiting uint64, err error) {
	for _, c := range []jetstream.Consumer{s.work, s.parts} {
		info, err := c.Info(ctx)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			return true, 0, nil
		}
		if err != nil {
			return false, 0, err
		}
		waiting += info.NumPending + uint64(info.NumAckPending)
	}
	run := s.plan.m.Run
	if _, err := lastMessage(ctx, s.l, streamRuns, subjectRun+run); errors.Is(err, errNoBlob) {
		return true, 0, nil
	}
	for _, b := range append([]Blob{s.plan.m.Pages}, s.plan.m.Nets...) {
		if _, err := lastMessage(ctx, s.l, streamBlobs, blobSubject(run, &b, 0)); errors.Is(err, errNoBlob) {
			return true, 0, nil
		}
	}
	return false, waiting, nil
}
