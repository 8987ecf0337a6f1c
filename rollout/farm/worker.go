package farm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bgtrain/internal/cpu"
	"bgtrain/internal/parallel"
	"bgtrain/rollout/job"

	"github.com/nats-io/nats.go/jetstream"
)

// Worker computes chunks of whatever runs there are at a farm.
type Worker struct {
	Address Address
	Version string // of the program; runs of others are left alone
	Slots   int    // chunks computed at the same time; 0 is one a processor
	Cache   string // directory for nets and positions
	CacheMB int    // of each run's position cache, see job.Open

	// Open opens a job; nil is job.Open.
	Open func(ctx context.Context, s job.Settings, have job.Nets, cacheMB int) (*job.Job, error)
	// Look is how often to look for new runs where nothing calls; 0 is 5 s.
	Look time.Duration

	Log func(line string) // may be nil
}

// Run works until ctx ends; then it gives back at once what it holds. It waits for
// a server that is away, but for no other credentials.
func (w Worker) Run(ctx context.Context) error {
	if w.Log == nil {
		w.Log = func(string) {}
	}
	if w.Open == nil {
		w.Open = job.Open
	}
	w.Slots, w.Look = parallel.Workers(w.Slots), orDefault(w.Look, 5*time.Second)
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	l, err := connect(ctx, w.Address, "bgtrain worker "+host, true, w.Log)
	if err != nil {
		return err
	}
	defer l.close()
	ctx, stop := l.until(ctx)
	defer stop()
	if err := l.asWorker(ctx); err != nil {
		return err
	}
	err = w.work(ctx, world{l, time.Now, dice}, l.key, host, os.Getpid())
	_ = l.nc.FlushTimeout(2 * time.Second) // what was given back; leases end otherwise
	return err
}

// work is Run with what it needs.
func (w *Worker) work(ctx context.Context, there world, key, host string, pid int) error {
	p := &process{
		w: w, world: there, host: host, runs: map[string]*workerRun{}, begun: there.now(),
		name: fmt.Sprintf("%s.%s-%d-%04x", key, subjectWord(host), pid, there.rng.IntN(1<<16)),
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), blobs: store{there, w.Cache},
	}
	if err := p.listen(subjectWake, func() { poke(p.wake) }); err != nil {
		return fmt.Errorf("farm %s: %w", w.Address.String(), err)
	}
	w.Log(fmt.Sprintf("worker %s, %d slots, %v, version %s", p.name, w.Slots, cpu.Level(), w.Version))
	var wg sync.WaitGroup
	wg.Go(func() { p.lookForRuns(ctx) })
	wg.Go(func() { p.sayAlive(ctx) })
	for range w.Slots {
		wg.Go(func() { p.slot(ctx) })
	}
	wg.Wait()
	return context.Cause(ctx)
}

// subjectWord makes a text a part of a subject.
func subjectWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
}

// process is a running Worker.
type process struct {
	w *Worker
	world
	host  string
	name  string // KEY.PROCESS
	blobs store
	begun time.Time
	wake  chan struct{} // look for runs
	news  chan struct{} // publish Alive at once

	busy, done atomic.Int64

	mu   sync.Mutex
	runs map[string]*workerRun
}

// workerRun is a run as a worker sees it. It does not change, but for the pages
// that it holds.
type workerRun struct {
	m       *Manifest
	text    string // of the manifest
	refused string // why this worker does not work for it, "" if it does
	later   bool   // it may next time: something was not there
	job     *job.Job
	queue   queue
	pages   pageCache
}

// poke does not wait: one signal that nobody has taken yet is enough.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// lookForRuns keeps the list of runs.
func (p *process) lookForRuns(ctx context.Context) {
	for ctx.Err() == nil {
		if err := p.look(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			p.w.Log(fmt.Sprintf("look for runs: %v", err))
		}
		select {
		case <-p.wake:
			// Not a thousand workers at the same moment.
			time.Sleep(p.upTo(50 * time.Millisecond))
		case <-time.After(p.w.Look/2 + p.upTo(p.w.Look)):
		case <-ctx.Done():
		}
	}
}

// look takes in new manifests and drops runs that are over.
func (p *process) look(ctx context.Context) error {
	step, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	there, err := p.subjects(step, streamRuns, subjectRun+"*")
	if err != nil {
		return err
	}
	now := map[string]*workerRun{}
	for _, subject := range slices.Sorted(maps.Keys(there)) {
		name := strings.TrimPrefix(subject, subjectRun)
		text, err := p.last(step, streamRuns, subject)
		if errors.Is(err, errNoBlob) {
			continue
		}
		if err != nil {
			return err
		}
		p.mu.Lock()
		r := p.runs[name]
		p.mu.Unlock()
		if r == nil || r.text != string(text) || r.later {
			r = p.open(ctx, name, text, r)
			poke(p.news)
		}
		now[name] = r
	}
	p.mu.Lock()
	p.runs = now
	p.mu.Unlock()
	return nil
}

// open decides about a run, which may have had another manifest before.
func (p *process) open(ctx context.Context, name string, text []byte, known *workerRun) *workerRun {
	r := &workerRun{text: string(text)}
	err := p.tryOpen(ctx, name, r, known)
	if err == nil {
		p.w.Log(fmt.Sprintf("works for %s, run %s", r.m.Name, name))
		return r
	}
	r.refused, r.job = err.Error(), nil
	var no *refusal
	r.later = !errors.As(err, &no)
	if known == nil || known.refused != r.refused {
		p.w.Log(fmt.Sprintf("does not work for run %s: %v", name, err))
	}
	return r
}

// refusal is a reason that will not go away.
type refusal struct{ error }

func refusef(format string, args ...any) error { return &refusal{fmt.Errorf(format, args...)} }

func (p *process) tryOpen(ctx context.Context, name string, r, known *workerRun) error {
	var err error
	if r.m, err = parseManifest([]byte(r.text)); err != nil {
		return refusef("%v", err)
	}
	switch {
	case r.m.Run != name:
		return refusef("the manifest is that of run %s", r.m.Run)
	case r.m.Version != p.w.Version:
		return refusef("it was begun by version %s of the program, this is %s", r.m.Version, p.w.Version)
	case r.m.refuses(party(p.name)):
		return refusef("this worker's parts were wrong")
	}
	if known != nil && known.job != nil { // another manifest of the same run names the same job
		r.job = known.job
	} else {
		have, err := p.blobs.fetchNets(ctx, r.m)
		if err != nil {
			return err
		}
		if r.job, err = p.w.Open(ctx, r.m.Job, have, p.w.CacheMB); err != nil {
			return err
		}
		got, err := probe(ctx, r.job)
		if err != nil {
			return err
		}
		if got != r.m.Probe {
			return refusef("this machine rounds otherwise (%v, probe %s, not %s)", cpu.Level(), got, r.m.Probe)
		}
	}
	pages, err := p.blobs.fetchPages(ctx, r.m)
	if err != nil {
		return err
	}
	r.pages = pageCache{s: &p.blobs, m: r.m, list: pages}
	if r.queue, err = p.queue(ctx, streamWork, name); err != nil {
		return fmt.Errorf("its queue: %w", err)
	}
	return nil
}

// open runs, in an order by chance.
func (p *process) openRuns() []*workerRun {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*workerRun
	for _, name := range slices.Sorted(maps.Keys(p.runs)) {
		if r := p.runs[name]; r.refused == "" {
			out = append(out, r)
		}
	}
	p.rng.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}

// sayAlive publishes now and then what the worker does.
func (p *process) sayAlive(ctx context.Context) {
	type sample struct {
		at   time.Time
		done int64
	}
	samples := []sample{{p.begun, 0}}
	for {
		a := Alive{
			Worker: p.name, Host: p.host, Version: p.w.Version, Tier: cpu.Level().String(), Slots: p.w.Slots,
			Busy: int(p.busy.Load()), Done: p.done.Load(), Now: p.now(), Refused: map[string]string{},
		}
		if samples = append(samples, sample{a.Now, a.Done}); len(samples) > 13 {
			samples = samples[1:]
		}
		if s := a.Now.Sub(samples[0].at).Seconds(); s > 0 {
			a.Rate = float64(a.Done-samples[0].done) / s
		}
		p.mu.Lock()
		for name, r := range p.runs {
			if r.refused != "" {
				a.Refused[name] = r.refused
			}
		}
		p.mu.Unlock()
		p.call(subjectAlive+p.name, mustJSON(&a)) // for the display only
		select {
		case <-time.After(aliveFor / 4):
		case <-p.news:
		case <-ctx.Done():
			p.call(subjectAlive+p.name, nil) // it is not there any more
			return
		}
	}
}
