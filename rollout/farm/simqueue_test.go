package farm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
)

// simHandle is a queue as a party sees it.
type simHandle struct {
	h           *simHub
	stream, run string
	within      time.Duration
}

func (q *simHandle) lease() time.Duration { return q.within }

func (q *simHandle) count(ctx context.Context) (waiting, out int, err error) {
	f := q.h.f
	err = q.h.ask(ctx, "count "+q.stream+q.run, func() error {
		s, at, err := f.at(q.stream, q.run)
		if err != nil {
			return err
		}
		for _, m := range s.msgs {
			if matches(at.filter, m.subject) {
				if m.out.After(f.now()) {
					out++
				} else {
					waiting++
				}
			}
		}
		if at.stuck {
			waiting++
		}
		return nil
	})
	return waiting, out, err
}

// fetch implements queue.
func (q *simHandle) fetch(n int, within time.Duration, take func(message) bool) error {
	h, f := q.h, q.h.f
	end := time.Now().Add(within)
	for n > 0 {
		r := f.draw(h.name, "fetch "+q.stream+q.run)
		time.Sleep(h.latency(r))
		f.mu.Lock()
		if h.dead || f.down || r.Float64() < f.loss {
			f.mu.Unlock()
			time.Sleep(time.Until(end))
			return errSilent
		}
		s, at, err := f.at(q.stream, q.run)
		if err != nil {
			f.mu.Unlock()
			return err
		}
		got, next := s.ready(at, f.now(), n, r)
		var deliveries []*simDelivery
		for _, m := range got {
			deliveries = append(deliveries, &simDelivery{*m, q, m})
		}
		changed, loss, doubled := f.changed, f.loss, f.doubled
		f.mu.Unlock()
		for _, d := range deliveries {
			n--
			time.Sleep(time.Duration(1 + r.Int64N(int64(time.Millisecond))))
			if r.Float64() < loss {
				continue // it comes again after the lease
			}
			more := take(d)
			if more && r.Float64() < doubled {
				more = take(d)
			}
			if !more {
				return nil
			}
		}
		wait := min(time.Until(end), next)
		if wait <= 0 {
			return nil
		}
		select {
		case <-changed:
		case <-time.After(wait):
		}
	}
	return nil
}

// ready returns up to n messages that a queue may hand out, and after what time there may
// be another one.
func (s *simStream) ready(q *simQueue, now time.Time, n int, r *rand.Rand) (got []*simMsg, next time.Duration) {
	next = time.Hour
	if q.stuck {
		return nil, next
	}
	for _, m := range s.msgs {
		switch {
		case !matches(q.filter, m.subject):
		case m.out.After(now):
			next = min(next, m.out.Sub(now))
		default:
			got = append(got, m)
		}
	}
	if r.IntN(4) == 0 {
		r.Shuffle(len(got), func(i, k int) { got[i], got[k] = got[k], got[i] })
	}
	got = got[:min(n, len(got))]
	for _, m := range got {
		m.out = now.Add(q.lease)
	}
	return got, next
}

// simDelivery is a message that a party got. It implements message.
type simDelivery struct {
	simMsg // as it was
	q      *simHandle
	m      *simMsg
}

// Subject implements message.
func (d *simDelivery) Subject() string { return d.subject }

// Headers implements message.
func (d *simDelivery) Headers() nats.Header { return d.header }

// Data implements message.
func (d *simDelivery) Data() []byte { return d.data }

// Ack implements message.
func (d *simDelivery) Ack() error {
	return d.say("ack", func() { d.q.h.f.remove(d.q.stream, d.seq) })
}

// Term implements message.
func (d *simDelivery) Term() error { return d.Ack() }

// Nak implements message.
func (d *simDelivery) Nak() error { return d.NakWithDelay(0) }

// NakWithDelay implements message.
func (d *simDelivery) NakWithDelay(delay time.Duration) error {
	return d.say("nak", func() {
		d.m.out = d.q.h.f.now().Add(delay)
		d.q.h.f.poke()
	})
}

// InProgress implements message.
func (d *simDelivery) InProgress() error {
	return d.say("busy", func() { d.m.out = d.q.h.f.now().Add(d.q.within) })
}

// say says something about a message to the farm, which has it still.
func (d *simDelivery) say(what string, effect func()) error {
	f := d.q.h.f
	d.q.h.tell(fmt.Sprint(what, d.q.stream, d.seq), func() {
		if s := f.streams[d.q.stream]; s != nil && slices.Contains(s.msgs, d.m) {
			effect()
		}
	}, nil)
	return nil
}
