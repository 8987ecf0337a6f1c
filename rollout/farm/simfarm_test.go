package farm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// simFarm is a farm in memory that breaks in every way, see simulation. It is used in a
// bubble of package synctest, where time passes only while everybody waits: each request
// takes a time of its own, so that one thing happens after the other, always in the same
// order. What befalls a request is drawn from the seed, who asks, what, and how often it
// was asked before.
type simFarm struct {
	seed uint64

	mu        sync.Mutex
	streams   map[string]*simStream
	hubs      []*simHub
	asked     map[string]uint64 // how often
	steps     int
	exhausted func()        // called after simSteps
	offset    time.Duration // of its clock
	changed   chan struct{} // closed when something comes or goes
	gone      []*simMsg     // that were acknowledged last
	gonFrom   []string      // their streams

	// What is wrong with it now.
	down    bool
	full    bool    // its disk
	deaf    bool    // an acknowledgement was lost: nobody hears that all is published
	loss    float64 // share of requests, answers and deliveries that are lost
	doubled float64
	late    time.Duration // the most that a message takes longer
}

// simStream is a stream, with the queues on it by run.
type simStream struct {
	seq    uint64
	msgs   []*simMsg // by seq
	queues map[string]*simQueue
	ruined map[string]bool // runs whose queues can neither be read nor made
}

// simMsg is a message that is kept.
type simMsg struct {
	seq     uint64
	at      time.Time // by the farm's clock
	subject string
	header  nats.Header
	data    []byte
	out     time.Time // until when nobody else gets it
}

// simQueue is a queue at the farm.
type simQueue struct {
	filter string
	lease  time.Duration
	stuck  bool // a damaged store: it has messages and hands none out
}

func newSimFarm(seed uint64) *simFarm {
	return &simFarm{seed: seed, streams: map[string]*simStream{}, asked: map[string]uint64{},
		changed: make(chan struct{})}
}

// draw returns the dice of a request.
func (f *simFarm) draw(who, what string) *rand.Rand {
	key := who + " " + what
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked[key]++
	if f.steps++; f.steps == simSteps {
		f.exhausted()
	}
	return rand.New(rand.NewPCG(f.seed, h.Sum64()+f.asked[key]<<32))
}

func (f *simFarm) now() time.Time { return time.Now().Add(f.offset) }

// poke wakes those who wait at queues.
func (f *simFarm) poke() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// matches reports whether a subject is one of a filter's.
func matches(filter, subject string) bool {
	if head, ok := strings.CutSuffix(filter, ">"); ok {
		return strings.HasPrefix(subject, head)
	}
	if head, ok := strings.CutSuffix(filter, "*"); ok {
		rest, ok := strings.CutPrefix(subject, head)
		return ok && !strings.Contains(rest, ".")
	}
	return filter == subject
}

// streamOf returns which stream keeps a subject.
func streamOf(subject string) string {
	for prefix, stream := range map[string]string{subjectRun: streamRuns, subjectState: streamRuns,
		subjectBlob: streamBlobs, subjectWork: streamWork, subjectPart: streamParts, subjectAlive: streamAlive} {
		if strings.HasPrefix(subject, prefix) {
			return stream
		}
	}
	return ""
}

// keep takes a message in.
func (f *simFarm) keep(m *nats.Msg) error {
	name := streamOf(m.Subject)
	s := f.streams[name]
	if s == nil {
		return nats.ErrNoResponders
	}
	if f.full && name != streamAlive {
		return errors.New("insufficient resources")
	}
	if name != streamWork && name != streamParts { // the last of each subject
		s.msgs = slices.DeleteFunc(s.msgs, func(old *simMsg) bool { return old.subject == m.Subject })
	}
	s.seq++
	s.msgs = append(s.msgs, &simMsg{seq: s.seq, at: f.now(), subject: m.Subject, header: m.Header,
		data: bytes.Clone(m.Data)})
	f.poke()
	return nil
}

// remove removes a message.
func (f *simFarm) remove(stream string, seq uint64) {
	s := f.streams[stream]
	if s == nil {
		return
	}
	for i, m := range s.msgs {
		if m.seq == seq {
			f.gone, f.gonFrom = append(f.gone, m), append(f.gonFrom, stream)
			s.msgs = slices.Delete(s.msgs, i, i+1)
			return
		}
	}
}

// simHub is a party's connection. It implements hub.
type simHub struct {
	f     *simFarm
	name  string
	key   string
	heard func()

	dead   bool      // the process was killed: nothing that it does has an effect
	frozen time.Time // until when it is stopped

	sent    int // asynchronously, and not there yet
	waiting []chan struct{}
}

func (f *simFarm) hub(name, key string) *simHub {
	h := &simHub{f: f, name: name, key: key}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hubs = append(f.hubs, h)
	return h
}

// latency returns how long a message takes.
func (h *simHub) latency(r *rand.Rand) time.Duration {
	d := time.Millisecond + time.Duration(r.Int64N(int64(20*time.Millisecond)))
	h.f.mu.Lock()
	defer h.f.mu.Unlock()
	if h.f.late > 0 {
		d += time.Duration(r.Int64N(int64(h.f.late)))
	}
	return d + max(0, time.Until(h.frozen))
}

// rest waits, or until ctx ends.
func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ask makes a request with an effect at the farm.
func (h *simHub) ask(ctx context.Context, what string, effect func() error) error {
	r := h.f.draw(h.name, what)
	if err := rest(ctx, h.latency(r)); err != nil {
		return err
	}
	silence := func() error {
		if err := rest(ctx, answerWithin); err != nil {
			return err
		}
		return errSilent
	}
	h.f.mu.Lock()
	lost := func() bool { return r.Float64() < h.f.loss }
	if h.dead || h.f.down || lost() {
		cut := h.f.down && r.IntN(2) == 0
		h.f.mu.Unlock()
		if cut {
			return errCut
		}
		return silence()
	}
	err := effect()
	if strings.HasPrefix(what, "publish") && r.Float64() < h.f.doubled {
		err = effect()
	}
	unheard := lost()
	h.f.mu.Unlock()
	if unheard {
		return silence()
	}
	if err := rest(ctx, h.latency(r)); err != nil {
		return err
	}
	return err
}

// tell has an effect at the farm some time, or none; ended, which may be nil, is called then.
func (h *simHub) tell(what string, effect func(), ended func()) {
	r := h.f.draw(h.name, what)
	time.AfterFunc(h.latency(r), func() {
		h.f.mu.Lock()
		defer h.f.mu.Unlock()
		if !h.dead && !h.f.down && r.Float64() >= h.f.loss {
			effect()
			if r.Float64() < h.f.doubled {
				effect()
			}
		}
		if ended != nil {
			ended()
		}
	})
}

func (h *simHub) publish(ctx context.Context, m *nats.Msg) error {
	return h.ask(ctx, "publish "+m.Subject, func() error { return h.f.keep(m) })
}

func (h *simHub) publishAsync(subject string, data []byte) {
	h.f.mu.Lock()
	h.sent++
	h.f.mu.Unlock()
	h.tell("send "+subject, func() { _ = h.f.keep(&nats.Msg{Subject: subject, Data: data}) }, func() {
		if h.sent--; h.sent == 0 {
			for _, c := range h.waiting {
				close(c)
			}
			h.waiting = nil
		}
	})
}

func (h *simHub) published() <-chan struct{} {
	h.f.mu.Lock()
	defer h.f.mu.Unlock()
	c := make(chan struct{})
	if h.f.deaf {
		return c
	}
	if h.sent == 0 {
		close(c)
	} else {
		h.waiting = append(h.waiting, c)
	}
	return c
}

func (h *simHub) last(ctx context.Context, stream, subject string) (data []byte, err error) {
	err = h.ask(ctx, "last "+subject, func() error {
		s := h.f.streams[stream]
		if s == nil {
			return nats.ErrNoResponders
		}
		for _, m := range slices.Backward(s.msgs) {
			if m.subject == subject {
				data = m.data
				return nil
			}
		}
		return fmt.Errorf("fetch %s: %w", subject, errNoBlob)
	})
	return data, err
}

func (h *simHub) subjects(ctx context.Context, stream, filter string) (there map[string]uint64, err error) {
	err = h.ask(ctx, "subjects "+filter, func() error {
		s := h.f.streams[stream]
		if s == nil {
			return jetstream.ErrStreamNotFound
		}
		there = map[string]uint64{}
		for _, m := range s.msgs {
			if matches(filter, m.subject) && (stream != streamAlive || h.f.now().Sub(m.at) < aliveFor) {
				there[m.subject]++
			}
		}
		return nil
	})
	return there, err
}

func (h *simHub) purge(ctx context.Context, stream, subject string) error {
	return h.ask(ctx, "purge "+subject, func() error {
		s := h.f.streams[stream]
		if s == nil {
			return jetstream.ErrStreamNotFound
		}
		s.msgs = slices.DeleteFunc(s.msgs, func(m *simMsg) bool { return matches(subject, m.subject) })
		return nil
	})
}

func (h *simHub) makeStreams(ctx context.Context, _ int) error {
	return h.ask(ctx, "streams", func() error {
		for _, name := range streams {
			if h.f.streams[name] == nil {
				h.f.streams[name] = &simStream{queues: map[string]*simQueue{}, ruined: map[string]bool{}}
			}
		}
		return nil
	})
}

func (h *simHub) dropStream(ctx context.Context, stream string) error {
	return h.ask(ctx, "drop "+stream, func() error {
		delete(h.f.streams, stream)
		h.f.poke()
		return nil
	})
}

// at returns a queue at the farm.
func (f *simFarm) at(stream, run string) (*simStream, *simQueue, error) {
	s := f.streams[stream]
	if s == nil {
		return nil, nil, jetstream.ErrStreamNotFound
	}
	if s.queues[run] == nil {
		return s, nil, jetstream.ErrConsumerNotFound
	}
	return s, s.queues[run], nil
}

func (h *simHub) makeQueue(ctx context.Context, stream, run, filter string, lease time.Duration) (queue, error) {
	err := h.ask(ctx, "make "+stream+run, func() error {
		s, q, err := h.f.at(stream, run)
		switch {
		case s == nil:
			return err
		case s.ruined[run]:
			return errDamaged
		case q == nil:
			s.queues[run] = &simQueue{filter: filter, lease: lease}
			for _, m := range s.msgs {
				if matches(filter, m.subject) {
					m.out = time.Time{}
				}
			}
		default:
			q.lease = lease
		}
		return nil
	})
	return &simHandle{h, stream, run, lease}, err
}

func (h *simHub) queue(ctx context.Context, stream, run string) (queue, error) {
	at := &simHandle{h: h, stream: stream, run: run}
	err := h.ask(ctx, "queue "+stream+run, func() error {
		_, q, err := h.f.at(stream, run)
		if err == nil {
			at.within = q.lease
		}
		return err
	})
	return at, err
}

func (h *simHub) dropQueue(ctx context.Context, stream, run string) error {
	return h.ask(ctx, "drop "+stream+run, func() error {
		s, _, err := h.f.at(stream, run)
		if err != nil {
			return err
		}
		delete(s.queues, run)
		h.f.poke()
		return nil
	})
}

func (h *simHub) call(subject string, data []byte) {
	h.tell("call "+subject, func() {
		if subject != subjectWake {
			_ = h.f.keep(&nats.Msg{Subject: subject, Data: data})
			return
		}
		for _, other := range h.f.hubs {
			if other.heard != nil && !other.dead {
				heard := other.heard
				other.tellLater(heard)
			}
		}
	}, nil)
}

// tellLater calls a listener some time. The farm is locked.
func (h *simHub) tellLater(heard func()) {
	h.f.asked[h.name]++
	r := rand.New(rand.NewPCG(h.f.seed, h.f.asked[h.name]<<8+uint64(slices.Index(h.f.hubs, h))))
	time.AfterFunc(time.Duration(r.Int64N(int64(20*time.Millisecond))), heard)
}

func (h *simHub) listen(_ string, heard func()) error {
	h.f.mu.Lock()
	defer h.f.mu.Unlock()
	h.heard = heard
	return nil
}
